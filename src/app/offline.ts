import { getConnection, isSandboxByPage } from "#connection/connection-store.ts";
import { trustWorker } from "#lib/trust-worker.ts";
import { dismissToast, toast } from "#ui/toast-store.ts";

/** The service worker by which the studio opens without a network (`.build/offline/worker.js`). */
export const OFFLINE_WORKER = "/offline-worker.js";
/** What the first screen needs comes first. */
const WORKER_AFTER_MS = 8000;

/**
 * Lets a built studio open without a network from the next time on: in a tab that is connected, and not where the worker of
 * the sandbox has this address.
 */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !navigator.serviceWorker) return;
  setTimeout(() => {
    const connection = getConnection();
    if (!connection || (connection.isSandbox && isSandboxByPage())) return;
    navigator.serviceWorker.register(trustWorker(OFFLINE_WORKER), { updateViaCache: "none" }).catch(() => {});
  }, WORKER_AFTER_MS);
}

/** Not among the files that the worker keeps: it comes from the network or not at all. */
const PROBE = "/manifest.webmanifest";
const LOOK_AGAIN_MS = 15_000;

/**
 * Says for as long as there is no network what needs one: where the browser says so, and where the worker had to show the
 * page because the studio's server did not respond.
 */
export function watchNetwork(): void {
  let isCut = document.documentElement.dataset.offline !== undefined;
  let shown: number | undefined;
  const show = () => {
    if (shown !== undefined) dismissToast(shown);
    shown =
      navigator.onLine && !isCut
        ? undefined
        : toast({
            tone: "warning",
            title: "You are offline",
            body: "You can read what was loaded here. Running, prices and downloads need the network.",
          });
  };
  const lookAgain = () => {
    fetch(PROBE, { cache: "no-store" }).then(
      () => {
        isCut = false;
        show();
      },
      () => setTimeout(lookAgain, LOOK_AGAIN_MS),
    );
  };
  window.addEventListener("offline", show);
  window.addEventListener("online", () => (isCut ? lookAgain() : show()));
  if (!navigator.onLine || isCut) show();
  if (isCut) setTimeout(lookAgain, LOOK_AGAIN_MS);
}
