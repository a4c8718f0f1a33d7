import { asLooseNumber, type JsonRecord } from "#lib/read.ts";
import { isFreeOfPrice } from "#runs/prices/estimate-queries.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { lowerFirst, valueLabel } from "./price-axes.ts";

/**
 * A payload in the words of another model, with the labels of settings that it has no place for; or why that model does not
 * take it, in a few words: "6 s at most".
 */
export type CarriedPayload =
  | { payload: JsonRecord; leftOut: readonly string[]; why?: undefined }
  | { payload?: undefined; why: string };

/**
 * The same payload for another model: its prompt, its files, and everything that has a role, such as the duration. Settings
 * of one model alone, such as a guidance scale, may be left out.
 */
export function carryPayload(from: FormSchema, payload: JsonRecord, to: FormSchema): CarriedPayload {
  const { payload: carried, dropped } = carryValues(from, payload, to);
  const fields = from.fields.filter(({ label }) => dropped.includes(label));
  const lost = fields.find(isNeeded);
  if (lost) return { why: whyDropped(lost, payload[lost.key], to) };
  const whole = withStartingValues(to, carried);
  const [problem] = checkPayload(to, whole);
  if (problem) return { why: problem.missing ? `Needs ${lowerFirst(problem.label)}` : problem.message };
  return { payload: whole, leftOut: fields.filter((field) => !isFreeOfPrice(field)).map(({ label }) => label) };
}

/** Without these it would be another payload. */
const isNeeded = ({ kind, role }: Field) =>
  kind === "media" || (role !== undefined && role !== "seed" && role !== "negative-prompt");

/** Why a value has no place in another model: it has no such field, or its values end before. */
function whyDropped(field: Field, value: unknown, to: FormSchema): string {
  const words = valueLabel(field, value);
  const target =
    to.fields.find(({ key }) => key === field.key) ??
    to.fields.find(({ role }) => role !== undefined && role === field.role);
  if (!target) return `No ${lowerFirst(field.label)}`;
  const bounds = boundsOf(target);
  const number = asLooseNumber(value);
  if (bounds && number !== undefined) {
    if (number > bounds.max) return `${valueLabel(target, bounds.max)} at most`;
    if (number < bounds.min) return `${valueLabel(target, bounds.min)} at least`;
  }
  if (target.kind === "choice" && target.options.length === 1) {
    return `${valueLabel(target, target.options[0]?.value)} only`;
  }
  return `No ${words}`;
}

function boundsOf(field: Field): { min: number; max: number } | undefined {
  if (field.kind === "number") {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
    return { min, max };
  }
  if (field.kind !== "choice") return undefined;
  const numbers = field.options.map(({ value }) => asLooseNumber(value));
  if (numbers.length === 0 || numbers.some((number) => number === undefined)) return undefined;
  return { min: Math.min(...(numbers as number[])), max: Math.max(...(numbers as number[])) };
}
