/** One option of a combobox. */
export interface ComboboxOption {
  value: string;
  label: string;
  /** A few faint words at the right, such as a price. */
  detail?: string | undefined;
}

/** A text without accents and capitals, to compare. */
const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The options whose label, value or detail has every word of the query, in their order. Accents and case are ignored. */
export function filterOptions<T extends ComboboxOption>(options: readonly T[], query: string): T[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text = fold(`${option.label} ${option.value} ${option.detail ?? ""}`);
    return words.every((word) => text.includes(word));
  });
}
