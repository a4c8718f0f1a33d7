import type { Option } from "./field.ts";

/** A text of its own for each option, for inputs whose values are text: the label, numbered where it repeats. */
export function optionKeys(options: readonly Option[]): string[] {
  const used = new Map<string, number>();
  return options.map(({ label }) => {
    const times = (used.get(label) ?? 0) + 1;
    used.set(label, times);
    return times === 1 ? label : `${label} (${times})`;
  });
}
