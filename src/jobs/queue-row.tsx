import { Link } from "@tanstack/react-router";
import { formatElapsed } from "#lib/time.ts";
import type { TrackedJob } from "#storage/tracked-jobs.ts";
import { StatusDot } from "#ui/status-dot.tsx";
import { statusWords } from "./status-words.ts";
import { roundTime, type UsualTime } from "./usual-time.ts";

const ROW = "flex min-h-11 items-center gap-2.5 rounded-sm px-[9px] py-1.5 text-left";

/** Whole seconds in the rail: a digit that changes ten times a second would pull the eye. */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `0:${String(seconds).padStart(2, "0")}` : formatElapsed(ms);
}

/** One job of the rail: model, how long it has been, how long it usually takes. Leads to the job. */
export function QueueRow({
  tracked,
  usual,
  nowMs,
}: {
  tracked: TrackedJob;
  usual: UsualTime | undefined;
  nowMs: number;
}) {
  const { word, tone } = statusWords(tracked.status);
  const elapsed = elapsedText(nowMs - tracked.submittedAtMs);
  return (
    <Link
      to="/jobs/$requestId"
      params={{ requestId: tracked.requestId }}
      className={`${ROW} text-ink transition-[background-color] duration-150 hover:bg-raised`}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{tracked.model ?? "Unknown model"}</span>
        <span className="block truncate text-[12px] text-ink-3 tabular-nums">
          {elapsed}
          {usual && ` · usually ${roundTime(usual.medianMs)}`}
        </span>
      </span>
      <StatusDot tone={tone} label={word} />
    </Link>
  );
}

/** A submit whose outcome is open. It has no job to lead to yet. */
export function OpenSubmitRow({ model, text }: { model: string; text: string }) {
  return (
    <div className={ROW}>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{model}</span>
        <span className="block truncate text-[12px] text-ink-3">{text}</span>
      </span>
      <StatusDot tone="unconfirmed" />
    </div>
  );
}
