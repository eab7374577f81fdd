// Keeps the page for visits without a network. What it consists of is written in when it is built.
const CACHE = "smooth-clir VERSION_OF_THE_BUILD";
const FILES = [/* FILES_OF_THE_BUILD */];
/** Fetched when they are used, and kept from then on: most visits need none of them. */
const LATER = /document\.|corpus\/|models\/|methods\/|evaluation/;

/** Nobody's origin or query changes what a file is. */
const LOOSELY = { ignoreSearch: true, ignoreVary: true };

const scope = self.registration.scope;

self.addEventListener("install", (event) => {
  const wanted = ["./", ...FILES.filter((file) => file !== "index.html" && !LATER.test(file))];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(wanted.map((file) => new URL(file, scope)))));
});

self.addEventListener("activate", (event) => {
  const old = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith("smooth-clir ") && name !== CACHE).map((name) => caches.delete(name)));
  };
  event.waitUntil(old());
});

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(scope)) return;
  // The names of assets change with what is in them.
  event.respondWith(url.startsWith(`${scope}assets/`) ? fromCache(event.request) : fromNetwork(event.request));
});

async function fromCache(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, LOOSELY)) ?? fetch(request);
}

async function fromNetwork(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, LOOSELY);
    if (kept) return kept;
    throw error;
  }
}
