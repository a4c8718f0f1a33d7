import type { JobRequest } from "#api/types.ts";
import type { PlannedRuns } from "#batch/rows/group-runs.ts";
import { expandText } from "#batch/rows/text-template.ts";
import { numberFromText } from "#schema-form/check/number-text.ts";
import { randomSeed } from "#schema-form/controls/seed.ts";
import type { FormSchema, NumberField } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import { getModelSchema } from "./sheet-axes.ts";

type Item = Pick<BatchItem, "request">;

/** Stands for the field of a seed that the schema does not have. */
const ANY_SEED = { min: undefined, max: undefined } as NumberField;

/**
 * The same settings with one new seed: that of the first seed field, else a number under `seed`. Undefined where the model
 * has no seed. Another seed that was sent stays, unlike in `results/run-again.ts`, which changes all of them.
 */
function withOneNewSeed({ model, payload }: JobRequest, schema: FormSchema | undefined): JobRequest | undefined {
  const field = schema?.fields.find((one): one is NumberField => one.kind === "number" && one.role === "seed");
  if (field) {
    return { model, payload: { ...payload, [field.key]: numberFromText(field, String(randomSeed(field))) } };
  }
  if (typeof payload.seed === "number") return { model, payload: { ...payload, seed: randomSeed(ANY_SEED) } };
  return undefined;
}

/** Whether the model of a run has a seed. */
export const hasSeed = ({ request }: Item, schemas: ModelSchemas): boolean =>
  withOneNewSeed(request, getModelSchema(schemas, request.model)) !== undefined;

/** Each run `count` times with new seeds; of models without a seed the same settings again. */
export function newSeedRuns(items: readonly Item[], schemas: ModelSchemas, count: number): PlannedRuns {
  const runs = items.flatMap(({ request }) =>
    Array.from({ length: count }, () => ({
      request: withOneNewSeed(request, getModelSchema(schemas, request.model)) ?? request,
    })),
  );
  return { runs };
}

/** The key of the prompt of a run; undefined where its model has none. */
export function getItemPromptKey({ request }: Item, schemas: ModelSchemas): string | undefined {
  const field = getModelSchema(schemas, request.model)?.fields.find(({ role }) => role === "prompt");
  if (field) return field.key;
  return typeof request.payload.prompt === "string" ? "prompt" : undefined;
}

/** The one prompt that all runs have; undefined where they differ. */
export function sharedPrompt(items: readonly Item[], schemas: ModelSchemas): string | undefined {
  const prompts = new Set(items.map((item) => item.request.payload[getItemPromptKey(item, schemas) ?? ""]));
  const [only] = prompts;
  return prompts.size === 1 && typeof only === "string" ? only : undefined;
}

/**
 * Makes each run once for each text that `{a|b}` and `{1..4}` expand to. `replace`: the text replaces the prompt. `append`: it
 * follows the prompt, with nothing between. `replace` does not check that all prompts were the same; the caller decides.
 */
export function newTextRuns(
  items: readonly Item[],
  schemas: ModelSchemas,
  text: string,
  mode: "replace" | "append",
): PlannedRuns {
  const { texts, problem } = expandText(text);
  if (problem !== undefined) return { runs: [], problem };
  const withKeys = items.map((item) => ({ ...item, key: getItemPromptKey(item, schemas) }));
  if (withKeys.some(({ key }) => key === undefined)) {
    return { runs: [], problem: "Some of these results have no prompt." };
  }
  const runs = withKeys.flatMap(({ request: { model, payload }, key = "" }) =>
    texts.map((one) => {
      const oldPrompt = payload[key];
      const prompt = mode === "replace" || typeof oldPrompt !== "string" ? one : `${oldPrompt}${one}`;
      return { request: { model, payload: { ...payload, [key]: prompt } } };
    }),
  );
  return { runs };
}
