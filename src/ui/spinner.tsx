import { clsx } from "clsx";
import { LoaderCircle } from "lucide-react";

export interface SpinnerProps {
  /** Said to assistive technology. Without it the spinner is decoration beside a text that says the same. */
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
