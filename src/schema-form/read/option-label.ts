/** A choice's value in words: `""` has none of its own. */
export function optionLabel(value: unknown): string {
  if (value === "") return "None";
  if (typeof value === "string") return value;
  if (value === true) return "Yes";
  if (value === false) return "No";
  return optionText(value);
}

/** A choice's value as text for matching. Never `String(value)`: an object's own `toString` may be anything. */
export const optionText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
