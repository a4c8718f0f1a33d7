import { Minus, Plus } from "lucide-react";
import { IconButton } from "#ui/button.tsx";

/** A small whole number between two buttons. It can be typed as well. */
export function Stepper({
  id,
  label,
  value,
  min,
  max,
  onChange,
}: {
  id: string;
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}) {
  return (
    <span data-field="" className="inline-flex shrink-0 items-center rounded-sm border border-line bg-well">
      <IconButton size="sm" label={`Fewer: ${label}`} aria-disabled={value <= min} onClick={() => onChange(value - 1)}>
        <Minus aria-hidden="true" className="size-3.5" />
      </IconButton>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        className="w-7 border-0 bg-transparent text-center font-medium tabular-nums outline-offset-0 pointer-coarse:min-h-11"
        value={value}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => {
          const number = wholeWithin(target.value.slice(-2), min, max) ?? wholeWithin(target.value.slice(-1), min, max);
          if (number !== undefined) onChange(number);
        }}
      />
      <IconButton size="sm" label={`More: ${label}`} aria-disabled={value >= max} onClick={() => onChange(value + 1)}>
        <Plus aria-hidden="true" className="size-3.5" />
      </IconButton>
    </span>
  );
}

/** The whole number that a text says; undefined where it says none within these bounds. */
export function wholeWithin(text: string, min: number, max: number): number | undefined {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}
