// Keeps the page's files, so that it works without a network after the first visit. With a network every file is asked for anew: the page
// is never older than its server.
const CACHE = "locklab";
// The build writes the page's other files beside this one.
const FILES = ["./"];

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
