import { clsx } from "clsx";

export type ButtonVariant = "primary" | "outline" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    "border-transparent bg-accent font-semibold text-accent-ink not-aria-disabled:hover:bg-accent-hover aria-disabled:not-aria-busy:bg-hover",
  outline: "border-line-strong font-medium text-ink not-aria-disabled:hover:bg-hover",
  ghost: "border-transparent font-medium text-ink-2 not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink",
  danger: "border-line-strong font-medium text-failed not-aria-disabled:hover:bg-failed-soft",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "h-[26px] rounded-sm text-[12.5px]",
  md: "h-8 rounded-sm",
  lg: "h-10 rounded-[9px] text-[14px]",
};

const PADDING: Record<ButtonSize, string> = { sm: "px-2", md: "px-3", lg: "px-4" };
const SQUARE: Record<ButtonSize, string> = { sm: "w-[26px]", md: "w-8", lg: "w-10" };

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** As wide as high, for a lone icon. */
  square?: boolean | undefined;
  className?: string | undefined;
}

/** The classes of a button, for a link that should look like one. On a coarse pointer every size is 40 px high. */
export function buttonClass({ variant = "outline", size = "md", square = false, className }: ButtonLook = {}): string {
  return clsx(
    "inline-flex shrink-0 cursor-pointer select-none items-center justify-center gap-2 whitespace-nowrap border",
    "transition-[background-color,color,opacity] duration-150 pointer-coarse:min-h-10 pointer-coarse:min-w-10",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-busy:opacity-80",
    "aria-disabled:not-aria-busy:text-ink-3",
    VARIANTS[variant],
    SIZES[size],
    square ? SQUARE[size] : PADDING[size],
    className,
  );
}
