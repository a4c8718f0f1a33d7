import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import { mediaValue } from "#schema-form/media-value.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import type { ExpandedAxes } from "./expand-axes.ts";
import type { PlannedRun } from "./group-runs.ts";
import { expandText } from "./text-template.ts";

interface ImageTarget {
  model: string;
  schema: FormSchema;
  settings: JsonRecord;
  /** Prompts, which may have `{a|b}` and `{1..4}`. Empty: the prompt of the settings. */
  prompts: readonly string[];
  /** `each`: every image with every prompt. `paired`: the first image with the first prompt; a single prompt goes with all. */
  way: "each" | "paired";
}

/** The field that takes the images: fields for images come first, masks last. Undefined where a model takes none. */
export function imageField(schema: FormSchema): MediaField | undefined {
  const fields = schema.fields.filter((field) => field.kind === "media");
  const rank = (field: MediaField) => (field.role === "mask" ? 2 : field.media === "image" ? 0 : 1);
  return fields
    .filter((field) => field.media === "image" || field.media === "file")
    .sort((a, b) => rank(a) - rank(b))[0];
}

/** One run for each image and prompt, with the image in `imageField`; images outermost. */
export function imageRuns(addresses: readonly string[], target: ImageTarget): ExpandedAxes {
  const { model, schema, settings, way } = target;
  const field = imageField(schema);
  if (!field) return { runs: [], problem: `${visibleLine(model, 80)} doesn’t accept images.` };
  const prompts: string[] = [];
  for (const text of target.prompts) {
    const { texts, problem } = expandText(text);
    if (problem !== undefined) return { runs: [], problem };
    for (const one of texts) prompts.push(one);
    if (prompts.length > MAX_ITEMS) break;
  }
  const isPaired = way === "paired" && prompts.length > 1;
  if (isPaired && prompts.length !== addresses.length) {
    const counts = `${counted(prompts.length, "prompt")}, ${counted(addresses.length, "image")}`;
    return { runs: [], problem: `Pairs need as many prompts as images: ${counts}.` };
  }
  const total = isPaired ? addresses.length : addresses.length * Math.max(1, prompts.length);
  if (total > MAX_ITEMS) {
    const [many, most] = [total, MAX_ITEMS].map((count) => formatNumber(count));
    return { runs: [], problem: `Too many runs: ${many}. A batch can have up to ${most}.` };
  }
  const promptField = schema.fields.find(({ role }) => role === "prompt");
  // As in a form, required keys that have a default are sent with it.
  const starting = Object.entries(withStartingValues(schema, settings));
  const run = (address: string, prompt: string | undefined): PlannedRun => {
    const entries: [string, unknown][] = [...starting, [field.key, mediaValue(field, [address])]];
    if (prompt !== undefined && promptField) entries.push([promptField.key, prompt]);
    const request = { model, payload: Object.fromEntries(entries) };
    const isLost = prompt !== undefined && !promptField;
    return isLost ? { request, unavailable: [`Prompt ${visibleLine(prompt, 40)}`] } : { request };
  };
  const runs = addresses.flatMap((address, at) => {
    if (prompts.length === 0) return [run(address, undefined)];
    return isPaired ? [run(address, prompts[at])] : prompts.map((prompt) => run(address, prompt));
  });
  return { runs };
}
