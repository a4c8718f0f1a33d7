import { create } from "zustand";
import { onConnectionChange } from "#connection/connection-store.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";
import { roleField, textAxis } from "./axis-edits.ts";

/** What was entered of a batch that has no runs yet. */
export interface StartDraft {
  axes: BatchAxes;
  /** The prompts, one per line: which parameter they are for is known with the first model. */
  prompts: string;
}

const EMPTY: StartDraft = { axes: { models: [], settings: {}, parameters: [], way: "product" }, prompts: "" };

/** It outlives the screen: whoever looks something up comes back to what was typed. It is in no store of the browser. */
export const useStartDraft = create<StartDraft>(() => EMPTY);

export const clearStartDraft = (): void => useStartDraft.setState(EMPTY, true);

onConnectionChange(clearStartDraft);

/** The axes of a draft, the prompts in the parameter of the first model that takes them. */
export function draftAxes({ axes, prompts }: StartDraft, schema: FormSchema | undefined): BatchAxes {
  const key = roleField(schema, "prompt")?.key;
  if (key === undefined || prompts.trim() === "") return axes;
  return { ...axes, parameters: [textAxis(key, prompts), ...axes.parameters.filter((axis) => axis.key !== key)] };
}

/** What a run of a payload says in short: its values, the prompt first. */
export const valuesOf = (payload: JsonRecord, keys: readonly string[]): unknown[] =>
  keys.flatMap((key) => (Object.hasOwn(payload, key) ? [payload[key]] : []));
