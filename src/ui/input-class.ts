import { clsx } from "clsx";

/** The look of everything that is typed into or picked from. Invalid comes from `aria-invalid`. */
export function inputClass(className?: string | undefined): string {
  return clsx(
    "control rounded-sm border border-line bg-well px-2.5 text-ink placeholder:text-ink-3",
    "transition-[border-color] duration-150 hover:border-line-strong",
    "focus-visible:-outline-offset-1 focus-visible:border-transparent",
    "aria-invalid:border-failed disabled:cursor-not-allowed disabled:opacity-55",
    className,
  );
}
