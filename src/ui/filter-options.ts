export interface ComboboxOption {
  value: string;
  label: string;
  /** A few faint words at the right, such as a price. */
  detail?: string | undefined;
}

const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Options whose label, value or detail holds every word of the query, accents and case ignored; in the same order. */
export function filterOptions<T extends ComboboxOption>(options: readonly T[], query: string): T[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text = fold(`${option.label} ${option.value} ${option.detail ?? ""}`);
    return words.every((word) => text.includes(word));
  });
}
