import type { ChoiceField, Field, NumberField, Option } from "../read/field.ts";
import { optionText, readRatio } from "../read/options.ts";

/** Whether the options fit side by side: two to five short ones. */
export function fitsSegments(options: readonly Option[]): boolean {
  if (options.length < 2 || options.length > 5) return false;
  const longest = Math.max(...options.map((option) => option.label.length));
  // About as many characters as fit into the width of the form, and into one segment.
  return longest * options.length <= 44 && longest <= 16;
}

/** Whether options are drawn as shapes: 2 to 14 proportions or sizes, of which two may be other words ("auto"). */
export function fitsTiles(field: ChoiceField): boolean {
  const shapedCount = field.options.filter((option) => readRatio(optionText(option.value)) !== undefined).length;
  if (field.options.length < 2 || field.options.length > 14) return false;
  const plainCount = field.options.length - shapedCount;
  return shapedCount >= 2 && plainCount <= 2 && (field.role === "aspect-ratio" || field.role === "size");
}

/**
 * The options of a whole number of two to five values, such as one to four results; undefined where a number box suits
 * it better.
 */
export function numberOptions(field: NumberField): readonly Option[] | undefined {
  const { min, max, step, integer, openMin, openMax } = field;
  if (!integer || min === undefined || max === undefined || openMin || openMax || (step ?? 1) !== 1) return undefined;
  if (max - min < 1 || max - min > 4 || field.role === "seed") return undefined;
  return Array.from({ length: max - min + 1 }, (_, at) => {
    const number = String(min + at);
    return { value: field.asString ? number : min + at, label: number };
  });
}

/** The options that a person can choose from, with null where it is allowed. */
export function listedOptions(field: ChoiceField): readonly Option[] {
  return field.nullable ? [...field.options, { value: null, label: "No value" }] : field.options;
}

/** Whether a field's control is several controls, so that its label names a group. */
export function isGroupControl(field: Field): boolean {
  switch (field.kind) {
    case "choice":
      return fitsTiles(field) || fitsSegments(listedOptions(field));
    case "number":
      return numberOptions(field) !== undefined;
    case "choices":
    case "colour":
    case "group":
    case "list":
    case "tuple":
    case "map":
    case "union":
      return true;
    case "text":
    case "boolean":
    case "media":
    case "json":
      return false;
  }
}
