import { http } from "msw";
import { setupWorker } from "msw/browser";
import { trustWorker } from "#lib/trust-worker.ts";
import { createSandbox } from "./create-sandbox.ts";
import { pageEncoders } from "./media/page-encoders.ts";

/**
 * `open`: requests below `/sandbox/` are answered, those of images and clips too. `bypassed`: the page was loaded past
 * its worker by a hard reload, and only a plain reload brings it back. `unsupported`: the browser has no workers here.
 */
type PageSandboxState = "open" | "bypassed" | "unsupported";

/** Written by the build: msw's worker, which sees requests to the sandbox alone (.build/sandbox-worker.ts). */
const WORKER = "/sandbox-worker.js";
const WAKE_EVERY_MS = 4000;
/** How long the worker may take to control the page. */
const CONTROL_MS = 10_000;

/**
 * Runs the sandbox in this page for a build on a plain static file host: a service worker hands it the requests. Its
 * memory is the page's, so a reload starts a new one. Call it once.
 */
export async function startPageSandbox(): Promise<PageSandboxState> {
  if (!("serviceWorker" in navigator)) return "unsupported";
  if (await isBypassed()) return "bypassed";
  await registerWorker();
  // A new seed each time: with the same, new jobs would take the ids of those this browser remembers from before.
  const sandbox = createSandbox({ seed: Date.now() % 2 ** 31, media: pageEncoders });
  const worker = setupWorker(http.all(`${location.origin}/sandbox/*`, ({ request }) => sandbox.fetch(request)));
  await worker.start({ serviceWorker: { url: WORKER }, onUnhandledRequest: "bypass", quiet: true });
  // The browser stops an idle worker, which then forgets which page it serves, so the page reports itself regularly.
  setInterval(() => navigator.serviceWorker.controller?.postMessage("MOCK_ACTIVATE"), WAKE_EVERY_MS);
  return (await isAnswering()) ? "open" : "bypassed";
}

/**
 * msw would register the worker by a plain address, which Trusted Types refuse, and takes over one that is there and
 * controls the page.
 */
async function registerWorker(): Promise<void> {
  const { serviceWorker } = navigator;
  await serviceWorker.register(trustWorker(WORKER));
  // The page without a network has a worker at the same address, which gives way to this one.
  const isThere = () => serviceWorker.controller?.scriptURL === new URL(WORKER, location.href).href;
  if (isThere()) return;
  const signal = AbortSignal.timeout(CONTROL_MS);
  await new Promise<void>((resolve, reject) => {
    serviceWorker.addEventListener("controllerchange", () => isThere() && resolve(), { signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** Whether the sandbox gets the page's requests: developer tools can lead them past a worker that is there. */
async function isAnswering(): Promise<boolean> {
  const answer = await fetch("/sandbox/settings", { headers: { Authorization: "Bearer sandbox-key" } });
  return answer.ok && (answer.headers.get("Content-Type") ?? "").includes("json");
}

/** Whether the worker is active and still does not control the page, as after a hard reload. */
async function isBypassed(): Promise<boolean> {
  if (navigator.serviceWorker.controller) return false;
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.active?.scriptURL === new URL(WORKER, location.href).href;
}
