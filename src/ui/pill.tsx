import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { StatusDot, type StatusTone } from "./status-dot.tsx";

const TEXT: Record<StatusTone, string> = {
  queued: "text-queued",
  success: "text-success",
  failed: "text-failed",
  cancelled: "text-cancelled",
  unconfirmed: "text-unconfirmed",
};

export interface PillProps extends ComponentProps<"span"> {
  /** A status: its colour for the word and its dot before it. */
  tone?: StatusTone | undefined;
  /** Laid over media: dark glass and white text in both themes. */
  overMedia?: boolean | undefined;
}

/** A small fact in a rounded outline, 22 px high. */
export function Pill({ tone, overMedia = false, className, children, ...rest }: PillProps) {
  return (
    <span
      {...rest}
      className={clsx(
        "inline-flex h-[22px] items-center gap-1.5 whitespace-nowrap rounded-full px-2 text-[12px] tabular-nums",
        overMedia ? "bg-black/60 text-white backdrop-blur-sm" : "border border-line",
        !overMedia && (tone ? TEXT[tone] : "text-ink-2"),
        className,
      )}
    >
      {tone && <StatusDot tone={tone} />}
      {children}
    </span>
  );
}
