import { isFreeOfPrice } from "#jobs/price/price-group-key.ts";
import { asLooseNumber, type JsonRecord } from "#lib/read.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { valueLabel } from "./price-axes.ts";

/** A payload in the words of another model, or why that model does not take it, in a few words: "6 s at most". */
export type CarriedPayload = { payload: JsonRecord; why?: undefined } | { payload?: undefined; why: string };

/**
 * The same payload for another model. What moves no price may be left behind, such as a seed; everything else has to have
 * its place there. Never throws.
 */
export function carryPayload(from: FormSchema, payload: JsonRecord, to: FormSchema): CarriedPayload {
  const carried = carryValues(from, payload, to);
  const dropped = from.fields.find((field) => carried.dropped.includes(field.label) && !isFreeOfPrice(field));
  if (dropped) return { why: whyDropped(dropped, payload[dropped.key], to) };
  // Without its prompt or its picture it would be another payload.
  const lost = from.fields.find(
    (field) => (field.kind === "media" || field.role === "prompt") && carried.dropped.includes(field.label),
  );
  if (lost) return { why: `No ${lost.label.toLowerCase()}` };
  const whole = withStartingValues(to, carried.payload);
  const [problem] = checkPayload(to, whole);
  if (!problem) return { payload: whole };
  return { why: problem.missing ? `Needs ${problem.label.toLowerCase()}` : problem.message };
}

/** Why a value has no place in another model: it has no such field, or its values end before. */
function whyDropped(field: Field, value: unknown, to: FormSchema): string {
  const words = valueLabel(field, value);
  const target =
    to.fields.find(({ key }) => key === field.key) ??
    to.fields.find(({ role }) => role !== undefined && role === field.role);
  if (!target) return `No ${field.label.toLowerCase()}`;
  const bounds = boundsOf(target);
  const number = asLooseNumber(value);
  if (bounds && number !== undefined) {
    if (number > bounds.most) return `${valueLabel(target, bounds.most)} at most`;
    if (number < bounds.least) return `${valueLabel(target, bounds.least)} at least`;
  }
  if (target.kind === "choice" && target.options.length === 1) {
    return `${valueLabel(target, target.options[0]?.value)} only`;
  }
  return `No ${words}`;
}

function boundsOf(field: Field): { least: number; most: number } | undefined {
  if (field.kind === "number") {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
    return { least: min, most: max };
  }
  if (field.kind !== "choice") return undefined;
  const numbers = field.options.map(({ value }) => asLooseNumber(value));
  if (numbers.length === 0 || numbers.some((number) => number === undefined)) return undefined;
  return { least: Math.min(...(numbers as number[])), most: Math.max(...(numbers as number[])) };
}
