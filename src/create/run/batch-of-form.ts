import type { JobRequest } from "#api/types.ts";
import { newGroup, withGroup } from "#batch/rows/group-runs.ts";
import { expandText } from "#batch/rows/text-template.ts";
import { newBatch } from "#batch/runner/batch-edits.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Batch, BatchAxes, ParameterAxis } from "#storage/stored-batches.ts";

/**
 * A form as a batch of one run: its model, its values as settings, and its prompt as the first parameter. More are
 * added on the screen of the batch.
 */
export function batchOfForm({ model, payload }: JobRequest, promptKey: string | undefined): Batch {
  const prompt = promptKey !== undefined && Object.hasOwn(payload, promptKey) ? payload[promptKey] : undefined;
  const axis = promptKey === undefined ? undefined : promptAxis(promptKey, prompt);
  const settings = Object.entries(payload).filter(([key]) => key !== axis?.key);
  const axes: BatchAxes = {
    models: [model],
    settings: { [model]: Object.fromEntries(settings) },
    parameters: axis ? [axis] : [],
    way: "product",
  };
  const name = (typeof prompt === "string" && visibleLine(prompt.trim(), 60)) || visibleLine(model, 60);
  const texts = axis?.text === undefined ? [] : expandText(axis.text).texts;
  // A prompt that expands to nothing is sent as it is.
  const payloads = axis && texts.length > 0 ? texts.map((text) => ({ ...payload, [axis.key]: text })) : [payload];
  const runs = payloads.map((one) => ({ request: { model, payload: one } }));
  return withGroup(newBatch(name), newGroup("All combinations", "axes", axes), runs);
}

/**
 * The prompt as a parameter that varies. Text of one line can get more lines, one for each prompt; several lines stay one.
 */
function promptAxis(key: string, prompt: unknown): ParameterAxis | undefined {
  if (typeof prompt !== "string" || prompt.trim() === "") return undefined;
  return /[\r\n]/.test(prompt.trim())
    ? { key, values: [prompt] }
    : { key, values: [prompt.trim()], text: prompt.trim() };
}
