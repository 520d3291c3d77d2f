// The service worker of the console: without a connection, it opens as it was loaded last, so that files can be
// chosen that are sent later. It keeps the frame and its files, nothing that needs a token. Where the browser has
// Background Sync, it sends what closed tabs have left.

const kept = 'frame';
const base = new URL('./', self.location.href).pathname;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname === `${base}signed-out`) {
    signingOut.abort();
    signingOut = new AbortController();
  }
  if (request.mode === 'navigate' || pathname === base) event.respondWith(newest(request, base));
  else if (pathname === `${base}settings.json`) event.respondWith(newest(request, pathname));
  else if (pathname.startsWith(`${base}assets/`)) event.respondWith(unchanging(request));
});

/** Ends what is sent of who signs out. */
let signingOut = new AbortController();
/* global background */
if ('sync' in self.registration) {
  importScripts('background.js'); // pages/library/upload/background.ts
  self.addEventListener('sync', (event) => event.waitUntil(background.sendLeft(signingOut.signal)));
}

/** All pages have the same frame. A new one has other files: those of the old one go. */
async function newest(request, name) {
  const cache = await caches.open(kept);
  try {
    const answer = await fetch(request);
    if (!answer.ok) return answer;
    const [was, is] = await Promise.all([
      cache.match(name).then((before) => before?.text()),
      answer.clone().text(),
    ]);
    if (name === base && was !== undefined && was !== is) await caches.delete(kept);
    await (await caches.open(kept)).put(name, answer.clone());
    return answer;
  } catch (cause) {
    const before = await cache.match(name);
    if (before) return before;
    throw cause;
  }
}

/** The names of these files tell what is in them. */
async function unchanging(request) {
  const cache = await caches.open(kept);
  const before = await cache.match(request);
  if (before) return before;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
