import type { ComponentProps, MouseEvent } from "react";
import { type ButtonLook, buttonClass } from "./button-class.ts";
import { Spinner } from "./spinner.tsx";

export interface ButtonProps extends Omit<ComponentProps<"button">, "className">, ButtonLook {
  /** Shows a spinner and tells assistive technology; the button stays focusable and ignores presses. */
  busy?: boolean | undefined;
}

/**
 * A button. `aria-disabled` (or `busy`) keeps it in the tab order, so that it can say why it does not act; a press then
 * does nothing and submits nothing. `disabled` takes it out of the tab order, as the platform does.
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
