import { clsx } from "clsx";
import { useId } from "react";

interface SegmentedOption<T extends string> {
  value: T;
  label: string;
}

interface SegmentedProps<T extends string> {
  /** The accessible name of the group. A field that shows its own label passes `labelledBy` too. */
  label: string;
  labelledBy?: string | undefined;
  describedBy?: string | undefined;
  invalid?: boolean | undefined;
  options: readonly SegmentedOption<T>[];
  /** Undefined: nothing chosen yet. */
  value: T | undefined;
  onChange: (value: T) => void;
  onBlur?: (() => void) | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
}

/**
 * A few choices side by side. Native radio inputs under the labels: one tab stop, arrow keys move and choose, and the
 * platform announces "2 of 3".
 */
export function Segmented<T extends string>(props: SegmentedProps<T>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={props.labelledBy ? undefined : props.label}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid || undefined}
      className={clsx(
        "flex flex-wrap rounded-sm border border-line bg-well p-0.5 aria-invalid:border-failed",
        props.className,
      )}
    >
      {props.options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            "relative flex min-h-7 min-w-fit flex-1 items-center justify-center rounded-sm px-2 text-center text-sm text-ink-2",
            "transition-[background-color,color] duration-150 hover:text-ink pointer-coarse:min-h-11",
            "has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-checked:shadow-selected",
            "has-disabled:opacity-50 has-focus-visible:outline-2 has-focus-visible:outline-focus",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === props.value}
            disabled={props.disabled}
            onChange={() => props.onChange(option.value)}
            onBlur={props.onBlur}
            className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-sm outline-none disabled:cursor-not-allowed"
          />
          <span className="wrap-anywhere pointer-events-none relative tabular-nums pointer-coarse:min-w-7">
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
