import type { StatusTone } from "#ui/status-dot.tsx";

const WORDS: Record<string, { word: string; tone: StatusTone }> = {
  queued: { word: "Queued", tone: "queued" },
  success: { word: "Done", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  cancelled: { word: "Cancelled", tone: "cancelled" },
  unconfirmed: { word: "Unconfirmed", tone: "unconfirmed" },
  unknown: { word: "Status not told", tone: "queued" },
  gone: { word: "Unknown to the service", tone: "unconfirmed" },
};

/** The word and the colour of a status. Any other status means still running (spec 3), and keeps the service's word. */
export function statusWords(status: string): { word: string; tone: StatusTone } {
  const known = Object.hasOwn(WORDS, status) ? WORDS[status] : undefined;
  return known ?? { word: status.charAt(0).toUpperCase() + status.slice(1), tone: "queued" };
}
