// Prints one view of the studio as HTML: `node --conditions=browser render.mjs <width> <here|none> <path>`. A process of its own, because the
// studio needs a page around it, and a page needs globals.
import "fake-indexeddb/auto";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { JSDOM } from "jsdom";
import { createServer } from "vite";

const [width = "1440", mark = "none", path = "/connect"] = process.argv.slice(2);
const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const page = `<!doctype html><meta name="safelight-host" content="${mark}"><body>`;
const { window } = new JSDOM(page, { url: `http://localhost${path}`, pretendToBeVisual: true });
window.matchMedia = (query) => ({ matches: holds(query), addEventListener() {}, removeEventListener() {} });
window.scrollTo = () => {};
if (path !== "/connect") window.sessionStorage.setItem("safelight.connection", JSON.stringify(connected()));
globalThis.IS_REACT_ACT_ENVIRONMENT = false;
for (const name of Object.getOwnPropertyNames(window)) {
  if (!(name in globalThis) || ["navigator", "Event", "EventTarget", "CustomEvent", "MessageEvent"].includes(name)) {
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: window[name] });
  }
}
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = window[name].bind(window);
globalThis.window = window;
// Nothing answers: this is what stands there before.
globalThis.fetch = () => new Promise(() => {});

const server = await createServer({
  root: projectRoot,
  configFile: false,
  plugins: [react()],
  logLevel: "error",
  define: { "import.meta.env.STUDIO_VERSION": '""', "import.meta.env.SAFELIGHT_SERVICE": '"https://service.invalid"' },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  appType: "custom",
  optimizeDeps: { noDiscovery: true },
});
try {
  const { drawScreen } = await server.ssrLoadModule("/.build/first-paint/draw.tsx");
  const html = await drawScreen(path);
  await new Promise((resolve) => process.stdout.write(JSON.stringify(html), resolve));
} finally {
  await server.close();
}
process.exit(0);

/** The queries that the studio asks about its window: widths alone. */
function holds(query) {
  const least = /min-width: *([\d.]+)rem/.exec(query);
  const most = /max-width: *([\d.]+)rem/.exec(query);
  if (!least && !most) return false;
  return (!least || Number(width) >= 16 * Number(least[1])) && (!most || Number(width) <= 16 * Number(most[1]));
}

/** Nobody: what is painted first tells nothing of who is connected. As `src/connection/connection-store.ts` reads it. */
function connected() {
  const accountId = "0".repeat(32);
  const address = { queueBaseUrl: "http://localhost/queue", inferenceBaseUrl: "http://localhost/text" };
  const keyShape = { length: 30, start: 0, whole: 0 };
  const shown = { id: "nobody", name: "\u00a0", keyHint: " ", isSandbox: false, custody: "host", isShared: false };
  return {
    v: 2,
    currentId: "nobody",
    accountId,
    connections: [{ ...shown, ...address, accountId, keyShape, ticket: "none" }],
  };
}
