import { getConnection, isSandboxByPage } from "#connection/connection-store.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { dismissToast, toast } from "#ui/toast-store.ts";

/** The service worker by which Safelight opens without a network (`.build/offline/worker.js`). */
export const OFFLINE_WORKER = "/offline-worker.js";
/** The worker loads files of its own, so it waits until the first screen has what it needs. */
const WORKER_AFTER_MS = 8000;

/**
 * Lets a built studio open without a network from the next time on: in a tab that is connected, and not where the worker of
 * the sandbox has this URL.
 */
export function registerOfflineWorker(): void {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  setTimeout(() => {
    const connection = getConnection();
    if (!connection || (connection.isSandbox && isSandboxByPage())) return;
    navigator.serviceWorker.register(trustWorker(OFFLINE_WORKER), { updateViaCache: "none" }).catch(() => {});
  }, WORKER_AFTER_MS);
}

/** A file that the worker does not store: it comes from the network or not at all. */
const PROBE = "/manifest.webmanifest";
const PROBE_EVERY_MS = 15_000;

/**
 * Shows a notice for as long as there is no network: where the browser says so, and where the worker had to show the page
 * because Safelight's server did not respond.
 */
export function watchNetwork(): void {
  /** The page came from the worker, and the server has not responded since. */
  let isCut = document.documentElement.dataset.offline !== undefined;
  let toastId: number | undefined;
  const show = () => {
    if (toastId !== undefined) dismissToast(toastId);
    toastId =
      navigator.onLine && !isCut
        ? undefined
        : toast({
            tone: "warning",
            title: "You’re offline",
            body: "You can still view what’s loaded. Runs, prices and downloads need a connection.",
          });
  };
  const probeServer = () => {
    fetch(PROBE, { cache: "no-store" }).then(
      () => {
        isCut = false;
        show();
      },
      () => setTimeout(probeServer, PROBE_EVERY_MS),
    );
  };
  window.addEventListener("offline", show);
  window.addEventListener("online", () => (isCut ? probeServer() : show()));
  if (!navigator.onLine || isCut) show();
  if (isCut) setTimeout(probeServer, PROBE_EVERY_MS);
}
