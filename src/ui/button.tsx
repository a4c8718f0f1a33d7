import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Spinner } from "./indicators.tsx";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className">, ButtonStyle {
  /** Shows a spinner, and sets `aria-busy`; the button stays focusable and ignores presses. */
  busy?: boolean | undefined;
}

/**
 * A button. `aria-disabled` (or `busy`) leaves it in the tab order, so that it can explain why it does not act; a press
 * then does nothing and submits nothing. `disabled` takes it out of the tab order, as the platform does.
 */
export function Button({
  variant,
  size,
  square,
  className,
  busy = false,
  type = "button",
  onClick,
  children,
  "aria-disabled": ariaDisabled,
  ...rest
}: ButtonProps) {
  const inert = busy || ariaDisabled === true || ariaDisabled === "true";
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (inert) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      data-primary={variant === "primary" || undefined}
      onClick={press}
      aria-disabled={inert || undefined}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, square, className })}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "aria-label" | "title" | "square"> {
  /** The accessible name, also shown as the native tooltip. */
  label: string;
}

/** A square button that shows only an icon (16 px) and is named by `label`. */
export function IconButton({ label, variant = "ghost", ...rest }: IconButtonProps) {
  return <Button {...rest} square variant={variant} aria-label={label} title={label} />;
}

interface FoldButtonProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  className?: string | undefined;
  children: ReactNode;
}

/** A line that folds and unfolds what is below it, such as a part of a form. */
export function FoldButton({ isOpen, onOpenChange, className, children }: FoldButtonProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={() => onOpenChange(!isOpen)}
      className={clsx(
        "flex min-h-8 w-full cursor-pointer items-center gap-1.5 text-start hover:text-ink pointer-coarse:min-h-11",
        className,
      )}
    >
      <ChevronRight
        aria-hidden="true"
        className={clsx("size-4 shrink-0 transition-transform duration-150", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
      />
      {children}
    </button>
  );
}

export type ButtonVariant = "primary" | "outline" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const VARIANTS: Record<ButtonVariant, string> = {
  // In forced colors the primary button has a surface of its own: the system's highlight.
  primary:
    "border-transparent bg-accent font-semibold text-accent-ink not-aria-disabled:hover:bg-accent-hover aria-disabled:not-aria-busy:bg-hover not-aria-disabled:forced-color-adjust-none",
  outline: "border-line-strong font-medium text-ink not-aria-disabled:hover:bg-hover",
  ghost: "border-transparent font-medium text-ink-2 not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink",
  danger: "border-line-strong font-medium text-failed not-aria-disabled:hover:bg-failed-soft",
};

const SIZES: Record<ButtonSize, string> = {
  sm: "min-h-6.5 rounded-sm text-sm",
  md: "min-h-8 rounded-sm",
  lg: "min-h-10 rounded-md text-base",
};

const PADDING: Record<ButtonSize, string> = { sm: "px-2", md: "px-3", lg: "px-4" };
const SQUARE: Record<ButtonSize, string> = { sm: "w-6.5", md: "w-8", lg: "w-10" };

interface ButtonStyle {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Makes the button as wide as high, for a single icon. */
  square?: boolean | undefined;
  className?: string | undefined;
}

/**
 * The classes of a button, for a link with the form of one. On a coarse pointer every size is 44 px high. Heights are
 * minimums, and a label longer than the line wraps: larger letters and wider spacing cut nothing.
 */
export function buttonClass({ variant = "outline", size = "md", square = false, className }: ButtonStyle = {}): string {
  return clsx(
    "inline-flex max-w-full shrink-0 cursor-pointer select-none items-center justify-center gap-2 border",
    "narrow:flex-wrap whitespace-nowrap max-sm:whitespace-normal [&_svg]:shrink-0",
    "transition-[background-color,color,opacity] duration-150 pointer-coarse:min-h-11 pointer-coarse:min-w-11",
    "disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-busy:opacity-80",
    "aria-disabled:not-aria-busy:text-ink-3",
    VARIANTS[variant],
    SIZES[size],
    square ? SQUARE[size] : PADDING[size],
    className,
  );
}
