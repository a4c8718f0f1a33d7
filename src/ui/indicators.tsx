import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";

interface SpinnerProps {
  /** For assistive technology. Without it the spinner is decoration beside a text with the same meaning. */
  label?: string | undefined;
  className?: string | undefined;
}

/** A turning ring, 16 px. Under reduced motion it stands still, so a word should stand beside it. */
export function Spinner({ label, className }: SpinnerProps) {
  return (
    <span role={label ? "status" : undefined} className={clsx("inline-flex align-middle", className)}>
      <LoaderCircle aria-hidden="true" className="size-4 animate-spin" />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}

/** A quiet block that holds a place while content loads. Give it a size; the region around it has `aria-busy`. */
export function Skeleton({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      aria-hidden="true"
      {...rest}
      className={clsx(
        "animate-pulse rounded-sm bg-raised forced-colors:border forced-colors:border-[GrayText]",
        className,
      )}
    />
  );
}

export type StatusTone = "queued" | "success" | "failed" | "cancelled" | "unconfirmed";

const TONES: Record<StatusTone, string> = {
  queued: "bg-queued ring-[3px] ring-queued/25",
  success: "bg-success",
  failed: "bg-failed",
  cancelled: "bg-cancelled",
  unconfirmed: "bg-unconfirmed",
};

interface StatusDotProps {
  tone: StatusTone;
  /**
   * For assistive technology, in place of a visible word. Without it the dot is decoration and a word must stand beside
   * it.
   */
  label?: string | undefined;
  className?: string | undefined;
}

/** The 7 px dot of a status. It needs a word beside it, or `label`. */
export function StatusDot({ tone, label, className }: StatusDotProps) {
  return (
    <span className={clsx("inline-flex shrink-0 items-center", className)}>
      <span
        aria-hidden="true"
        className={clsx(
          "size-1.75 rounded-full forced-color-adjust-none forced-colors:ring-1 forced-colors:ring-[CanvasText]",
          TONES[tone],
        )}
      />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}

const TEXT: Record<StatusTone, string> = {
  queued: "text-queued",
  success: "text-success",
  failed: "text-failed",
  cancelled: "text-cancelled",
  unconfirmed: "text-unconfirmed",
};

interface PillProps extends ComponentProps<"span"> {
  /** A status, shown by a dot and by the color of the word. */
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
        "inline-flex min-h-5.5 items-center gap-1.5 whitespace-nowrap rounded-full px-2 text-xs tabular-nums",
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
