import { clsx } from "clsx";
import type { ReactNode } from "react";
import { formatAge, formatClock } from "#lib/time.ts";
import { timeScale } from "#results/waiting/time-scale.ts";
import { useNow } from "#results/waiting/use-now.ts";
import { rangeText, type UsualTime } from "#results/waiting/usual-time.ts";
import { StatusDot, type StatusTone } from "#ui/indicators.tsx";
import type { QueueSize } from "./queue-thumb.tsx";

/** The box of a row. Folded, it is its tile alone: the words stay for assistive technology. */
export function rowClass(size: QueueSize): string {
  return size === "rail"
    ? "group/row flex w-full min-w-0 items-center gap-2.5 rounded-[8px] border-0 bg-transparent p-[7px] px-2 text-start text-ink transition-[background-color] duration-150 hover:bg-hover aria-[current]:bg-raised forced-colors:aria-[current]:outline-2 folded:justify-center folded:px-0 folded:py-[5px]"
    : "flex min-h-[74px] w-full min-w-0 items-center gap-[13px] border-0 bg-transparent py-2.5 text-start text-ink";
}

interface RowTextProps {
  size: QueueSize;
  title: string;
  /** The words under it, and a bar where there is one. */
  children: ReactNode;
}

/** What a row says: a title in one line, and what is known under it. */
export function RowText({ size, title, children }: RowTextProps) {
  return (
    <span className={clsx("min-w-0 flex-1", size === "rail" && "folded:sr-only")}>
      <span
        dir="auto"
        className={clsx(
          "block truncate text-left font-medium",
          size === "rail" ? "text-[13px] leading-[18px]" : "text-[14px] leading-5",
        )}
      >
        {title}
      </span>
      {children}
    </span>
  );
}

/** The line under a title: what changes in it never moves anything else. */
export function RowLine({ size, children }: { size: QueueSize; children: ReactNode }) {
  return (
    <span
      className={clsx(
        "flex min-w-0 items-center whitespace-nowrap text-ink-3 tabular-nums",
        size === "rail" ? "min-h-4 gap-1.5 text-[11.5px] leading-4" : "min-h-[18px] gap-2 text-[12.5px] leading-[18px]",
      )}
    >
      {children}
    </span>
  );
}

const WORD_COLOURS: Record<StatusTone, string> = {
  queued: "text-queued",
  success: "text-success",
  failed: "text-failed",
  cancelled: "text-cancelled",
  unconfirmed: "text-unconfirmed",
};

/** A dot and its word. */
export function RowStatus({ tone, word }: { tone: StatusTone; word: string }) {
  return (
    <span
      className={clsx(
        "inline-flex max-w-full shrink-0 items-center gap-1.5 forced-colors:text-[CanvasText]",
        WORD_COLOURS[tone],
      )}
    >
      <StatusDot tone={tone} className="[&>span]:size-1.5 [&>span]:ring-0" />
      <span className="truncate">{word}</span>
    </span>
  );
}

/** "0:42 · 1–3 min". The clock alone renders each second. */
export function ElapsedText({
  sinceMs,
  usual,
  size,
}: {
  sinceMs: number;
  usual: UsualTime | undefined;
  size: QueueSize;
}) {
  const elapsed = formatClock(useNow() - sinceMs);
  if (size === "sheet") {
    return (
      <>
        <span>{elapsed}</span>
        {usual && <span className="truncate">usually {rangeText(usual, "–")}</span>}
      </>
    );
  }
  return (
    // Where the range does not fit, it is left out: it wraps into a line that is cut off.
    <span className="flex h-4 min-w-0 flex-1 flex-wrap overflow-hidden">
      {elapsed}
      {usual && <span className="whitespace-pre"> · {rangeText(usual, "–")}</span>}
    </span>
  );
}

const MINUTE_MS = 60_000;

/** "12 s ago", "4 min ago". */
export function AgoText({ atMs }: { atMs: number }) {
  const nowMs = useNow();
  const passedMs = Math.max(0, nowMs - atMs);
  return <span>{passedMs < MINUTE_MS ? `${Math.floor(passedMs / 1000)} s ago` : formatAge(atMs / 1000, nowMs)}</span>;
}

/** The elapsed time against the usual range, as a thin scale. It is no progress: the service reports none. */
export function TimeStrip({ sinceMs, usual }: { sinceMs: number; usual: UsualTime }) {
  const { low, high, now } = timeScale(useNow() - sinceMs, usual);
  return (
    <span
      aria-hidden="true"
      className="relative mt-2 mb-1 block h-1 rounded-full bg-line forced-colors:bg-[Canvas] forced-colors:outline"
    >
      <span
        className="absolute inset-y-0 rounded-full bg-queued/36 forced-colors:bg-[Highlight]"
        style={{ left: `${low}%`, width: `${high - low}%` }}
      />
      <span
        className="absolute -top-[3px] h-2.5 w-[3px] -translate-x-1/2 rounded-full bg-ink ring-2 ring-panel forced-colors:bg-[CanvasText]"
        style={{ left: `clamp(2px, ${now}%, calc(100% - 2px))` }}
      />
    </span>
  );
}
