import { clsx } from "clsx";
import { visibleLine } from "#lib/visible-text.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";

const WORDS: Record<string, { word: string; tone: StatusTone }> = {
  queued: { word: "Queued", tone: "queued" },
  success: { word: "Done", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  cancelled: { word: "Cancelled", tone: "cancelled" },
  unconfirmed: { word: "Unconfirmed", tone: "unconfirmed" },
  unknown: { word: "Status not told", tone: "queued" },
  gone: { word: "Unknown to the service", tone: "unconfirmed" },
};

/**
 * The word and the colour of a status. Any other status means still running (spec 3), and is shown in the service's
 * word. Never throws.
 */
export function statusWords(status: string): { word: string; tone: StatusTone } {
  const known = Object.hasOwn(WORDS, status) ? WORDS[status] : undefined;
  return known ?? { word: visibleLine(status.charAt(0).toUpperCase() + status.slice(1), 40), tone: "queued" };
}

/** The status of a job: a dot and a word, never colour alone. */
export function JobStatus({ status, className }: { status: string; className?: string }) {
  const { word, tone } = statusWords(status);
  return (
    <span className={clsx("inline-flex items-center gap-1.5 whitespace-nowrap", className)}>
      <StatusDot tone={tone} />
      {word}
    </span>
  );
}
