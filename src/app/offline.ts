import { getConnection } from "#connection/connection-store.ts";
import { isSandboxByPage } from "#connection/page-sandbox.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { dismissToast, toast } from "#ui/toast.tsx";

/** The service worker by which the studio opens without a network (`.build/offline/worker.js`). */
export const OFFLINE_WORKER = "/offline-worker.js";
/** What the first screen needs comes first. */
const WORKER_AFTER_MS = 8000;

/**
 * Lets a built studio open without a network from the next time on: in a tab that is connected, and not where the worker of
 * the sandbox has this address. Never throws.
 */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  setTimeout(() => {
    const connection = getConnection();
    if (!connection || (connection.isSandbox && isSandboxByPage())) return;
    navigator.serviceWorker.register(trustWorker(OFFLINE_WORKER), { updateViaCache: "none" }).catch(() => {});
  }, WORKER_AFTER_MS);
}

/** Says for as long as there is no network what needs one. */
export function watchNetwork(): void {
  let shown: number | undefined;
  const show = () => {
    if (shown !== undefined) dismissToast(shown);
    shown = navigator.onLine
      ? undefined
      : toast({
          tone: "warning",
          title: "You are offline",
          body: "You can read what was loaded here. Running, prices and downloads need the network.",
        });
  };
  window.addEventListener("offline", show);
  window.addEventListener("online", show);
  if (!navigator.onLine) show();
}
