// Keeps the page for visits without a network. What it consists of is written in when it is built.
const CACHE = "smooth-clir VERSION_OF_THE_BUILD";
const FILES = [/* FILES_OF_THE_BUILD */];
/** Fetched when they are used, and kept from then on: most visits need none of them. */
const LATER = /document\.|corpus\/|models\/|full\.|methods\/|evaluation/;
/** Assets for later: the readers of one's own documents, larger than all the rest. */
const READERS = /^assets\/(later-|smooth_clir_documents)/;

/** Nobody's origin or query changes what a file is. */
const LOOSELY = { ignoreSearch: true, ignoreVary: true };

const scope = self.registration.scope;

self.addEventListener("install", (event) => {
  // Other assets are code, without which no view comes up: their names say nothing of what they hold.
  const isLater = (file) => (file.startsWith("assets/") ? READERS : LATER).test(file);
  const wanted = ["./", ...FILES.filter((file) => file !== "index.html" && !isLater(file))];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted.map((file) => new URL(file, scope)))));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("smooth-clir ") && name !== CACHE).map((name) => caches.delete(name)));
    // The browser asks for the page while this script starts.
    await self.registration.navigationPreload?.enable();
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(scope)) return;
  // The names of assets change with what is in them.
  event.respondWith(url.startsWith(`${scope}assets/`) ? fromCache(event) : fromNetwork(event));
});

/** A page names the model that it works with, which it fetched before this script could see it. */
self.addEventListener("message", (event) => {
  const { keep: wanted } = event.data ?? {};
  if (Array.isArray(wanted)) event.waitUntil(keepFiles(wanted).catch(() => {}));
});

/** Keeps files of the build, and the texts beside those of them that are indexes: all that are missing, or none. */
async function keepFiles(wanted) {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const texts = wanted.filter((url) => /\/(demo|full)\.safetensors(\.gz)?$/.test(url)).map((url) => new URL("texts.", url).href);
  const isWanted = (url) => wanted.includes(url) || texts.some((begin) => url.startsWith(begin));
  await cache.addAll(FILES.map((file) => new URL(file, scope).href).filter((url) => isWanted(url) && !here.has(url)));
}

async function fromCache(event) {
  return (await kept(event.request)) ?? fetched(event);
}

async function fromNetwork(event) {
  const looking = kept(event.request);
  try {
    return await fetched(event, looking);
  } catch (error) {
    const before = await looking;
    if (before) return before;
    throw error;
  }
}

/** The server's answer, which is kept unless it is the one `before`. */
async function fetched(event, before) {
  const answer = (await event.preloadResponse) ?? (await fetch(event.request));
  // Whole answers only. The page does not wait for it.
  if (answer.status === 200 && answer.type === "basic" && !isSame(answer, await before)) event.waitUntil(keep(event.request.url, answer.clone()));
  return answer;
}

/** Whether the server says that an answer is the one that is kept: megabytes are not written again at every visit. */
function isSame(answer, before) {
  const version = ({ headers }) => headers.get("etag") ?? headers.get("last-modified");
  return before !== undefined && version(answer) !== null && version(answer) === version(before);
}

async function kept(request) {
  try {
    return await (await caches.open(CACHE)).match(request, LOOSELY);
  } catch {
    return undefined;
  }
}

/** Keeps an answer, once whatever the query, unless there is no room or the server forbids it. */
async function keep(url, answer) {
  const place = new URL(url);
  place.search = "";
  try {
    await (await caches.open(CACHE)).put(place, answer);
  } catch {
    // The page has its answer; without a network it has an older one, or none.
  }
}
