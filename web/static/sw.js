// Keeps the page's files, so that it works without a network after the first visit. With a network every file is asked for anew: the page
// is never older than its server.
const CACHE = "locklab";
const FILES = ["./", "./drawing.css", "./style.css", "./icon.svg", "./start.js", "./locklab.js", "./locklab_bg.wasm"];

self.addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.addAll(FILES));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  // What stands after the ? changes what the page shows, not its files.
  const file = new URL(request.url);
  file.search = "";
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(file.href, fresh.clone());
    return fresh;
  } catch (failure) {
    const kept = await cache.match(file.href);
    if (kept) return kept;
    throw failure;
  }
}
