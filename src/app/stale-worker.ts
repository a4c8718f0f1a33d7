import { mayReload } from "./stale-chunk.ts";

/** The sandbox in a page of a static host answers through this one. */
const OURS = "/mockServiceWorker.js";

/**
 * A service worker that another site left on this address would answer in the studio's place, with old files. It is taken
 * out, and the page loaded once more without it.
 */
export async function removeStaleWorker(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  const foreign = registrations.filter(({ active, waiting, installing }) => {
    const worker = active ?? waiting ?? installing;
    return worker && worker.scriptURL !== new URL(OURS, location.href).href;
  });
  if (foreign.length === 0) return;
  await Promise.all(foreign.map((registration) => registration.unregister()));
  if (mayReload(Date.now())) location.reload();
}
