import { isSandboxByPage } from "#connection/connection-store.ts";
import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { toast } from "#ui/toast-store.ts";
import { OFFLINE_WORKER } from "./offline.ts";

const CHECK_EVERY_MS = 10 * 60_000;
/** The script that the page of a built studio starts with. Its name changes with every build. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/**
 * Asks the host whether it serves another version now than the one that runs here. False where it answers with anything
 * else, such as a page to sign in. Rejects where it does not answer.
 */
async function isNewVersionServed(): Promise<boolean> {
  const answer = await fetch("/", { cache: "no-store", headers: { Accept: "text/html" } });
  const [, served] = ENTRY.exec(await answer.text()) ?? [];
  const running = document.querySelector("script[type=module][src]")?.getAttribute("src");
  return answer.ok && served !== undefined && served !== running;
}

/** Offers a reload where there is something newer. Nothing reloads by itself. */
async function offerNewVersion(): Promise<void> {
  if (!(await isNewVersionServed())) return;
  toast({
    tone: "warning",
    title: "A new version of Safelight is available",
    body: "Reload when you are ready. Drafts are saved, and jobs keep running.",
    action: { label: "Reload", onAct: () => location.reload() },
  });
}

/**
 * Looks for a newer version when the page comes to the front, at most every ten minutes. This file is part of the first
 * load: after a deployment a chunk of its own would be gone.
 */
export function watchVersion(): void {
  let checkedAtMs = Date.now();
  window.addEventListener("focus", () => {
    if (Date.now() - checkedAtMs < CHECK_EVERY_MS) return;
    checkedAtMs = Date.now();
    // Offline, or the host does not answer: the next check tries again.
    offerNewVersion().catch(() => {});
  });
}

/** A second failure this soon after a reload is not cured by another one. */
const GUARD_MS = 30_000;

/** Whether a reload may be tried now: none was in the last half minute, as far as this tab knows. */
export function mayReload(nowMs: number): boolean {
  const lastMs = Number(readText(KEYS.reloadedAt) ?? 0);
  if (nowMs - lastMs < GUARD_MS) return false;
  // Without storage a loop could not be noticed.
  return writeText(KEYS.reloadedAt, String(nowMs));
}

/**
 * After a deployment the chunks of an open tab are gone from the server, and one reload brings the new ones. In every
 * other case a reload is only offered, by a toast or the error screen: offline, or where one has to sign in again, it
 * would take away the page that is still there, and so it would while the response to a submit is awaited.
 */
export function reloadOnStaleChunk(isBusy: () => boolean): void {
  const reload = async () => {
    if ((await isNewVersionServed()) && !isBusy() && mayReload(Date.now())) location.reload();
  };
  window.addEventListener("vite:preloadError", () => {
    // Nobody answers: there is nothing newer to load.
    reload().catch(() => {});
  });
}

/** The service worker of the sandbox that runs in the page of a static host. */
const SANDBOX_WORKER = "/sandbox-worker.js";

/**
 * A service worker that another site left on this URL would answer in Safelight's place, with old files. It is
 * unregistered, and the page is loaded once more without it. Rejects where the browser refuses to list or unregister
 * workers.
 */
export async function removeStaleWorker(): Promise<void> {
  if (!navigator.serviceWorker?.controller) return;
  const own = [OFFLINE_WORKER, ...(isSandboxByPage() ? [SANDBOX_WORKER] : [])].map(
    (path) => new URL(path, location.href).href,
  );
  const registrations = await navigator.serviceWorker.getRegistrations();
  const foreign = registrations.filter(({ active, waiting, installing }) => {
    const worker = active ?? waiting ?? installing;
    return worker && !own.includes(worker.scriptURL);
  });
  if (foreign.length === 0) return;
  await Promise.all(foreign.map((registration) => registration.unregister()));
  if (mayReload(Date.now())) location.reload();
}
