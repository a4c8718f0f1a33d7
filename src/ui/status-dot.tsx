import { clsx } from "clsx";

export type StatusTone = "queued" | "success" | "failed" | "cancelled" | "unconfirmed";

const TONES: Record<StatusTone, string> = {
  queued: "bg-queued ring-[3px] ring-queued/25",
  success: "bg-success",
  failed: "bg-failed",
  cancelled: "bg-cancelled",
  unconfirmed: "bg-unconfirmed",
};

export interface StatusDotProps {
  tone: StatusTone;
  /** Said in place of a visible word. Without it the dot is decoration and a word must stand beside it. */
  label?: string | undefined;
  className?: string | undefined;
}

/** The 7 px dot of a status. Never alone: a word beside it, or `label`. */
export function StatusDot({ tone, label, className }: StatusDotProps) {
  return (
    <span className={clsx("inline-flex shrink-0 items-center", className)}>
      <span aria-hidden="true" className={clsx("size-[7px] rounded-full", TONES[tone])} />
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}
