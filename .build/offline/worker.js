// The studio without a network. The build writes this file as /offline-worker.js, with PAGE and FILES above it: the page,
// and the SHA-256 of every file that it needs.
//
// A page can write into the browser's cache, and so could a script that got into one. So nothing is believed that stands
// there: the page comes from this file alone, and a file of the cache counts where its bytes have the hash above. While
// there is a network, everything comes from it as ever.
const CACHE = "safelight-shell";
/** How long files are taken from the cache first after a page did not arrive, though the browser believes to be online. */
const CUT_MS = 20_000;
const SCREENS = /^\/(connect|create|batch|prices|jobs|history|playground|spend|settings)?(\/|$)/;
const TYPES = { js: "text/javascript", css: "text/css", svg: "image/svg+xml", webp: "image/webp", woff2: "font/woff2" };
const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
};

let cutUntilMs = 0;

self.addEventListener("install", (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(prune()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  // What goes to a service, to a storage or to the host is none of this worker's business.
  if (origin !== self.location.origin || method !== "GET") return;
  if (mode === "navigate" && SCREENS.test(pathname)) event.respondWith(page(event.request));
  else if (Object.hasOwn(FILES, pathname) && isCut()) event.respondWith(file(event.request, pathname));
});

function isCut() {
  return !self.navigator.onLine || Date.now() < cutUntilMs;
}

async function page(request) {
  try {
    return await fetch(request);
  } catch {
    cutUntilMs = Date.now() + CUT_MS;
    return new Response(PAGE.replace("<html ", "<html data-offline "), { headers: PAGE_HEADERS });
  }
}

async function file(request, pathname) {
  const bytes = await stored(await caches.open(CACHE), pathname);
  if (bytes === undefined) return fetch(request);
  return new Response(bytes, { headers: { "Content-Type": TYPES[pathname.split(".").pop()] } });
}

/** Fetches what is not there yet, one file after another: what the person does comes first. */
async function fill() {
  const cache = await caches.open(CACHE);
  for (const pathname of Object.keys(FILES)) {
    if ((await stored(cache, pathname)) !== undefined) continue;
    const answer = await fetch(pathname, { credentials: "same-origin", redirect: "error" });
    const bytes = await answer.arrayBuffer();
    if (!answer.ok || (await digest(bytes)) !== FILES[pathname]) throw new TypeError(`${pathname} is another one.`);
    await cache.put(pathname, new Response(bytes));
  }
}

/** The bytes of a file in the cache, if they are what was built. */
async function stored(cache, pathname) {
  const bytes = await (await cache.match(pathname))?.arrayBuffer();
  return bytes && (await digest(bytes)) === FILES[pathname] ? bytes : undefined;
}

async function prune() {
  const cache = await caches.open(CACHE);
  for (const { url } of await cache.keys()) {
    if (!Object.hasOwn(FILES, new URL(url).pathname)) await cache.delete(url);
  }
}

async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return btoa(String.fromCharCode(...hash));
}
