// Keeps the page for visits without a network. What it consists of is written in when it is built.
const CACHE = "smooth-clir VERSION_OF_THE_BUILD";
/** In the addresses of the models, indexes and texts of this build. */
const GENERATED = "VERSION_OF_THE_MODELS";
const FILES = [/* FILES_OF_THE_BUILD */];
/** Fetched when they are used, and kept from then on: most visits need none of them. */
const LATER = /document\.|corpus\/|models\/|full\.|methods\/|evaluation/;
/** Assets for later: the readers of one's own documents, larger than all the rest. */
const READERS = /^assets\/(later-|smooth_clir_documents)/;

/** Requests at once while files are fetched to be kept. */
const LANES = 6;

const scope = self.registration.scope;

self.addEventListener("install", (event) => {
  // Other assets are code, without which no view comes up: their names say nothing of what they hold.
  const isLater = (file) => (file.startsWith("assets/") ? READERS : LATER).test(file);
  const wanted = ["./", ...FILES.filter((file) => file !== "index.html" && !isLater(file))];
  event.waitUntil(keepFiles(wanted.map((file) => addressOf(file, GENERATED))));
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
  event.respondWith(isFixed(url) ? fromCache(event) : fromNetwork(event));
});

/** A page names the files of the model that it works with, which it fetched before this script could see it. */
self.addEventListener("message", (event) => {
  const { keep: wanted } = event.data ?? {};
  if (Array.isArray(wanted)) event.waitUntil(keepModel(wanted).catch(() => {}));
});

/** The address of a file of the build, as a page of it asks for it. */
function addressOf(file, version) {
  const isVersioned = file.startsWith("generated/") && version !== null;
  return new URL(isVersioned ? `${file}?v=${version}` : file, scope).href;
}

/** The version in the address of a model, an index or a text; else null. */
const versionOf = (url) => new URL(url).searchParams.get("v");

/** Whether an address never means another content. */
const isFixed = (url) => url.startsWith(`${scope}assets/`) || versionOf(url) !== null;

/** Where a file is kept. */
function placeOf(url) {
  const version = versionOf(url);
  return url.replace(/[?#].*/, "") + (version === null ? "" : `?v=${version}`);
}

/** Keeps the files of a model, and the texts beside those of them that are indexes. */
async function keepModel(wanted) {
  const version = versionOf(wanted[0]);
  const texts = wanted.filter((url) => /\/(demo|full)\.safetensors(\.gz)?(\?|$)/.test(url)).map((url) => new URL("texts.", url).href);
  const addresses = FILES.map((file) => addressOf(file, version));
  await keepFiles(addresses.filter((url) => wanted.includes(url) || texts.some((begin) => url.startsWith(begin))));
}

/** Fetches files that are not kept yet, to keep them. */
async function keepFiles(urls) {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const missing = urls.filter((url) => !here.has(url));
  const lane = async () => {
    for (let url = missing.pop(); url !== undefined; url = missing.pop()) {
      // Where the name has no digest, what the browser kept may be of another build.
      const answer = await fetch(url, isFixed(url) ? {} : { cache: "no-cache" });
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      await cache.put(url, await unpacked(url, answer));
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** An answer, or its content where it is a compressed file: a visit then need not decompress it on the page's own thread. */
async function unpacked(url, answer) {
  if (!/\.gz(\?|$)/.test(url) || !("DecompressionStream" in self)) return answer;
  let bytes = await answer.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  // A host may have sent it decompressed, with the header Content-Encoding.
  if (first === 0x1f && second === 0x8b) bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  const headers = new Headers(answer.headers);
  headers.delete("content-encoding");
  headers.set("content-length", bytes.byteLength);
  return new Response(bytes, { headers });
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

async function kept({ url }) {
  try {
    const cache = await caches.open(CACHE);
    // Nobody's origin or query changes what a file is, but for its version.
    return await cache.match(placeOf(url), { ignoreVary: true, ignoreSearch: versionOf(url) === null });
  } catch {
    return undefined;
  }
}

/** Keeps an answer, once whatever the query, unless there is no room or the server forbids it. */
async function keep(url, answer) {
  try {
    await (await caches.open(CACHE)).put(placeOf(url), await unpacked(url, answer));
  } catch {
    // The page has its answer; without a network it has an older one, or none.
  }
}
