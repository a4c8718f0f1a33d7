import { readText, writeText } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";

/** A second failure this soon after a reload is not cured by another one. */
const GUARD_MS = 30_000;

/** A failed dynamic import, in the words of the three engines. */
export function isStaleChunkError(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|module script failed|unable to preload/i.test(error.message)
  );
}

/** Whether a reload may be tried now: none was in the last half minute, as far as this tab can tell. */
export function mayReload(nowMs: number): boolean {
  const lastMs = Number(readText(KEYS.reloadedAt) ?? 0);
  if (nowMs - lastMs < GUARD_MS) return false;
  // Without storage a loop could not be noticed.
  return writeText(KEYS.reloadedAt, String(nowMs));
}

/**
 * After a deployment the chunks of an open tab are gone from the server. One reload brings the new ones; if that does
 * not help, the error reaches the error screen. While the answer to a submit is awaited there is none: the screen
 * offers it instead.
 */
export function reloadOnStaleChunk(isSubmitting: () => boolean): void {
  window.addEventListener("vite:preloadError", () => {
    // Offline, a reload would lose the whole studio.
    if (!navigator.onLine || isSubmitting() || !mayReload(Date.now())) return;
    location.reload();
  });
}
