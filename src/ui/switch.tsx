import { clsx } from "clsx";
import type { ComponentProps } from "react";

export interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role" | "checked"> {
  checked: boolean;
}

/** On or off, at once. A native checkbox with the switch role; name it with a label or `aria-label`. */
export function Switch({ checked, className, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      checked={checked}
      aria-checked={checked}
      className={clsx(
        "relative m-0 h-5 w-[34px] shrink-0 cursor-pointer appearance-none rounded-full border border-ink-3 bg-well",
        "transition-[background-color,border-color] duration-150 checked:border-transparent checked:bg-accent",
        "before:absolute before:top-1/2 before:left-[3px] before:size-3 before:-translate-y-1/2 before:rounded-full before:bg-ink-2",
        "before:transition-transform before:duration-150 checked:before:translate-x-[14px] checked:before:bg-accent-ink",
        "after:absolute after:-inset-x-1 after:-inset-y-[3px] pointer-coarse:after:-inset-[11px]",
        "disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    />
  );
}
