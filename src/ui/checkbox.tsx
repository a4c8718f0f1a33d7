import { clsx } from "clsx";
import { Check, Minus } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { mergeRefs } from "./merge-refs.ts";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** Some of the things that the box stands for are chosen, and not all. */
  indeterminate?: boolean | undefined;
}

/** A native checkbox, 16 px with a 24 px target (44 px on touch). Name it with a label or `aria-label`. */
export function Checkbox({ indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const Mark = indeterminate ? Minus : Check;
  return (
    <span className={clsx("relative inline-grid size-4 shrink-0 place-items-center", className)}>
      <input
        {...rest}
        ref={mergeRefs(input, ref)}
        type="checkbox"
        className={clsx(
          "peer m-0 size-4 cursor-pointer appearance-none rounded-xs border border-ink-3 bg-well",
          "checked:border-transparent checked:bg-accent indeterminate:border-transparent indeterminate:bg-accent",
          "after:absolute after:-inset-1 pointer-coarse:after:-inset-3.5 disabled:cursor-not-allowed disabled:opacity-50",
          "forced-color-adjust-none transition-[background-color,border-color] duration-150 aria-invalid:border-failed",
        )}
      />
      <Mark
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute size-3 text-accent-ink opacity-0 forced-color-adjust-none peer-checked:opacity-100 peer-indeterminate:opacity-100"
      />
    </span>
  );
}

interface SwitchProps extends Omit<ComponentProps<"input">, "type" | "role" | "checked"> {
  checked: boolean;
}

/** A switch that acts at once: a native checkbox with the switch role. Name it with a label or `aria-label`. */
export function Switch({ checked, className, ...rest }: SwitchProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      checked={checked}
      aria-checked={checked}
      className={clsx(
        "relative m-0 h-5 w-8.5 shrink-0 cursor-pointer appearance-none rounded-full border border-ink-3 bg-well",
        "transition-[background-color,border-color] duration-150 checked:border-transparent checked:bg-accent",
        "before:absolute before:top-1/2 before:start-0.75 before:size-3 before:-translate-y-1/2 before:rounded-full before:bg-ink-2",
        "before:transition-transform before:duration-150 checked:before:translate-x-3.5 checked:before:bg-accent-ink",
        "rtl:checked:before:-translate-x-3.5",
        "after:absolute after:-inset-x-1 after:-inset-y-0.75 pointer-coarse:after:-inset-x-1.5 pointer-coarse:after:-inset-y-3.25",
        "forced-color-adjust-none disabled:cursor-not-allowed disabled:opacity-50",
        className,
      )}
    />
  );
}
