import { clsx } from "clsx";
import type { ComponentProps } from "react";

interface SliderProps extends Omit<ComponentProps<"input">, "type" | "min" | "max" | "value"> {
  min: number;
  max: number;
  value: number;
}

/** A native range input; the amber part runs from `min` to `value`. Its styles are `.slider` in styles.css. */
export function Slider({ min, max, value, className, style, ...rest }: SliderProps) {
  const filled = max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
  return (
    <input
      {...rest}
      type="range"
      min={min}
      max={max}
      value={value}
      className={clsx("slider", className)}
      style={{ ...style, ["--filled" as string]: `${filled * 100}%` }}
    />
  );
}
