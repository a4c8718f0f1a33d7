import type { JsonRecord } from "#lib/json.ts";
import type { Field, FormSchema } from "../read/field.ts";
import { fieldName, fieldNames, fieldPositions } from "../read/field-names.ts";

/**
 * A field's value as the form holds it. A class, because react-hook-form copies plain objects key by key, which would
 * change a value that has a key named `__proto__`.
 */
export class Slot {
  /** Whether the key is in the payload at all. */
  readonly sent: boolean;
  readonly value: unknown;

  constructor(sent: boolean, value: unknown) {
    this.sent = sent;
    this.value = value;
  }
}

/** What a payload holds besides the fields: keys that the form does not know, and the order of all keys. */
export class Rest {
  readonly unknown: ReadonlyMap<string, unknown>;
  readonly order: readonly string[];

  constructor(unknown: ReadonlyMap<string, unknown>, order: readonly string[]) {
    this.unknown = unknown;
    this.order = order;
  }
}

export const UNSENT = new Slot(false, undefined);

/** The form's values: a slot per field by position, and the rest. */
export type SlotValues = Record<string, Slot | Rest>;

export const REST = "rest";

/**
 * A payload as slots. Every key finds its place: what is no field is kept in `rest`. A field without a slot is not sent:
 * react-hook-form copies each value twice, and of a long form most are not sent.
 */
export function slotsFromPayload(schema: FormSchema, payload: JsonRecord): SlotValues {
  const positions = fieldPositions(schema);
  const slots: SlotValues = {};
  const unknown = new Map<string, unknown>();
  for (const [key, value] of Object.entries(payload)) {
    const position = positions.get(key);
    if (position === undefined) unknown.set(key, value);
    else slots[fieldName(position)] = new Slot(true, value);
  }
  slots[REST] = new Rest(unknown, Object.keys(payload));
  return slots;
}

/** The payload that leaves: keys in the order in which they came, then in the order of the form. */
export function payloadFromSlots(schema: FormSchema, slots: SlotValues): JsonRecord {
  const rest = slots[REST];
  const values = new Map<string, unknown>();
  const names = fieldNames(schema);
  schema.fields.forEach((field, position) => {
    const slot = slots[names[position] ?? ""];
    if (slot instanceof Slot && slot.sent) values.set(field.key, slot.value);
  });
  if (!(rest instanceof Rest)) return Object.fromEntries(values);
  for (const [key, value] of rest.unknown) values.set(key, value);
  const first = rest.order.filter((key) => values.has(key));
  const listed = new Set(first);
  const later = [...values.keys()].filter((key) => !listed.has(key));
  return Object.fromEntries([...first, ...later].map((key) => [key, values.get(key)]));
}

/** What a field starts with: required keys that have a default are sent with it; a required switch is off. */
export function startingValue(field: Field): unknown {
  if (!field.required) return undefined;
  if (field.defaultValue !== undefined && field.defaultValue !== null) return field.defaultValue;
  return field.kind === "boolean" ? false : undefined;
}

/** A starting payload, completed with what required fields start with. */
export function withStartingValues(schema: FormSchema, payload: JsonRecord): JsonRecord {
  const added = schema.fields
    .filter((field) => !Object.hasOwn(payload, field.key) && startingValue(field) !== undefined)
    .map((field) => [field.key, startingValue(field)]);
  return { ...payload, ...Object.fromEntries(added) };
}
