import { toast } from "#ui/toast-store.ts";

const LOOK_EVERY_MS = 10 * 60_000;
/** The script that the page of a built studio starts with. Its name changes with every build. */
const ENTRY = /<script type="module"[^>]* src="([^"]+)"/;

/** Asks the host which studio it serves now, and offers a reload where it is another one. Nothing reloads by itself. */
async function offerNewVersion(): Promise<void> {
  const answer = await fetch("/", { cache: "no-store", headers: { Accept: "text/html" } });
  const [, served] = ENTRY.exec(await answer.text()) ?? [];
  const running = document.querySelector("script[type=module][src]")?.getAttribute("src");
  if (!answer.ok || !served || served === running) return;
  toast({
    tone: "warning",
    title: "A newer Safelight is ready",
    body: "Reload when it suits you. Drafts are kept, and jobs go on.",
    action: { label: "Reload", onAct: () => location.reload() },
  });
}

/**
 * Looks for a newer studio when the page comes to the front, at most every ten minutes. Its code is not a chunk of its
 * own: after a deployment that one would be gone.
 */
export function watchVersion(): void {
  // The card that tells of a deployment is a chunk too: asked for after it, it would be gone, and the page would reload.
  // A page is left before it comes to the front again, and the first load is over by then.
  window.addEventListener("blur", () => void import("#ui/toast-card.tsx").catch(() => {}), { once: true });
  let lookedAtMs = Date.now();
  window.addEventListener("focus", () => {
    if (Date.now() - lookedAtMs < LOOK_EVERY_MS) return;
    lookedAtMs = Date.now();
    // Offline, or the host is away: the next time tells.
    offerNewVersion().catch(() => {});
  });
}

/** Only a page that some service worker answers for loads what takes a stale one out. */
export function watchWorker(): void {
  if (!navigator.serviceWorker?.controller) return;
  import("./stale-worker.ts").then(({ removeStaleWorker }) => removeStaleWorker()).catch(() => {});
}
