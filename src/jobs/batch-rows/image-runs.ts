import type { JsonRecord } from "#lib/read.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ExpandedAxes } from "./expand-axes.ts";

interface ImageTarget {
  model: string;
  schema: FormSchema;
  settings: JsonRecord;
  /** With `{a|b}` and `{1..4}`, each expanded. None: the prompt of the settings. */
  prompts: readonly string[];
  /** `each`: every image with every prompt. `paired`: the first with the first, one prompt with all. */
  way: "each" | "paired";
}

/** Runs of images in the first field of a model that takes them. Never throws. */
export function imageRuns(_addresses: readonly string[], _target: ImageTarget): ExpandedAxes {
  return { runs: [] };
}
