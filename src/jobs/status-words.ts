import { hasNoResult } from "#api/final-status.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { StatusTone } from "#ui/indicators.tsx";

const WORDS: Record<string, { word: string; tone: StatusTone }> = {
  queued: { word: "Queued", tone: "queued" },
  in_queue: { word: "Queued", tone: "queued" },
  success: { word: "Done", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  cancelled: { word: "Cancelled", tone: "cancelled" },
  unconfirmed: { word: "Unconfirmed", tone: "unconfirmed" },
  unknown: { word: "Status unknown", tone: "queued" },
  nsfw: { word: "Stopped as unsafe (NSFW)", tone: "failed" },
  gone: { word: "Unknown to the service", tone: "unconfirmed" },
};

/**
 * The word and the colour of a status. Any other status is shown in the service's own word, as a word: "Warming up" for
 * `warming_up`. It means still running, or an end without a result (spec 3). Never throws.
 */
export function statusWords(status: string): { word: string; tone: StatusTone } {
  const known = Object.hasOwn(WORDS, status) ? WORDS[status] : undefined;
  if (known) return known;
  const words = visibleLine(status.replace(/[_-]+/g, " "), 40).toLowerCase();
  const tone = hasNoResult(status) ? "failed" : "queued";
  return { word: words.charAt(0).toUpperCase() + words.slice(1), tone };
}
