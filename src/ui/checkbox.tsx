import { clsx } from "clsx";
import { Check, Minus } from "lucide-react";
import { type ComponentProps, useEffect, useRef } from "react";
import { mergeRefs } from "./merge-refs.ts";

export interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  /** Some but not all of what it stands for. */
  indeterminate?: boolean | undefined;
}

/** A native checkbox, 16 px with a 24 px target (40 px on touch). Name it with a label or `aria-label`. */
export function Checkbox({ indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const own = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (own.current) own.current.indeterminate = indeterminate;
  }, [indeterminate]);
  const Mark = indeterminate ? Minus : Check;
  return (
    <span className={clsx("relative inline-grid size-4 shrink-0 place-items-center", className)}>
      <input
        {...rest}
        ref={mergeRefs(own, ref)}
        type="checkbox"
        className={clsx(
          "peer m-0 size-4 cursor-pointer appearance-none rounded-[4px] border border-ink-3 bg-well",
          "checked:border-transparent checked:bg-accent indeterminate:border-transparent indeterminate:bg-accent",
          "after:absolute after:-inset-1 pointer-coarse:after:-inset-3 disabled:cursor-not-allowed disabled:opacity-50",
          "transition-[background-color,border-color] duration-150 aria-invalid:border-failed",
        )}
      />
      <Mark
        aria-hidden="true"
        strokeWidth={3}
        className="pointer-events-none absolute size-3 text-accent-ink opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100"
      />
    </span>
  );
}
