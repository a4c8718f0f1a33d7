import { type JsonRecord, sameJson } from "#lib/read.ts";
import { type Draft, payloadToDraft, valuesWithUploads, withoutUploads } from "../draft.ts";
import { type Field, type FormSchema, fieldName, fieldNames, fieldPositions } from "../read/field.ts";

/** Texts of controls that are no value yet, by place in the form: what is wrong with each. */
type Unreadable = ReadonlyMap<string, string>;

const NONE: Unreadable = new Map();

/**
 * A field's value as react-hook-form holds it: whether it is set, and to what. Nothing of it is enumerable:
 * react-hook-form walks into the properties of what it holds to copy and compare, and a value from the wire with a key
 * named `__proto__` must not be walked into. It compares these by identity, so a value that did not change has to stay
 * the same object.
 */
export class FieldValue {
  readonly #isSet: boolean;
  readonly #value: unknown;
  readonly #sent: unknown;
  readonly #unreadable: Unreadable;

  constructor(isSet: boolean, value: unknown, unreadable: Unreadable = NONE) {
    this.#isSet = isSet;
    this.#value = value;
    this.#sent = withoutUploads(value);
    this.#unreadable = unreadable;
  }

  /** Undefined takes the key out of the payload. */
  static of(value: unknown): FieldValue {
    return new FieldValue(value !== undefined, value);
  }

  /** Whether its key is in the draft. In the payload it is not while `sent` is undefined. */
  get isSet(): boolean {
    return this.#isSet;
  }

  /** What its control shows, uploads included. */
  get value(): unknown {
    return this.#value;
  }

  /** What requests contain of it: the same object for one value. */
  get sent(): unknown {
    return this.#sent;
  }

  /** What its controls show instead of a value. While there is any, the form cannot run. */
  get unreadable(): Unreadable {
    return this.#unreadable;
  }

  /** Another value; texts that cannot be read stay. */
  withValue(value: unknown): FieldValue {
    return new FieldValue(value !== undefined, value, this.#unreadable);
  }

  withUnreadable(place: string, message: string | undefined): FieldValue {
    return new FieldValue(this.#isSet, this.#value, withMessage(this.#unreadable, place, message));
  }
}

/** What a payload contains beside the fields: keys that no field is for, and the order of all keys. */
export class OtherKeys {
  readonly #values: ReadonlyMap<string, unknown>;
  readonly #order: readonly string[];
  readonly #unreadable: Unreadable;

  constructor(values: ReadonlyMap<string, unknown>, order: readonly string[], unreadable: Unreadable = NONE) {
    this.#values = values;
    this.#order = order;
    this.#unreadable = unreadable;
  }

  get values(): ReadonlyMap<string, unknown> {
    return this.#values;
  }

  get order(): readonly string[] {
    return this.#order;
  }

  /** Why the JSON text of the payload cannot be read, by the place of the text. */
  get unreadable(): Unreadable {
    return this.#unreadable;
  }

  withUnreadable(place: string, message: string | undefined): OtherKeys {
    return new OtherKeys(this.#values, this.#order, withMessage(this.#unreadable, place, message));
  }
}

function withMessage(unreadable: Unreadable, place: string, message: string | undefined): Unreadable {
  const next = new Map(unreadable);
  if (message === undefined) next.delete(place);
  else next.set(place, message);
  return next;
}

/** The form's values: each field under its position name (`f0`, `f1`), and the other keys. */
export type FormValues = Record<string, FieldValue | OtherKeys>;

/** The name under which the form holds what is no field. No field has it: they are named by position. */
export const OTHER_KEYS = "otherKeys";

const UNSENT = new FieldValue(false, undefined);
const NO_OTHERS = new OtherKeys(new Map(), []);

/** A form value read as a field's; unsent where it is not one. */
export const fieldValue = (entry: FieldValue | OtherKeys | undefined): FieldValue =>
  entry instanceof FieldValue ? entry : UNSENT;

/** A form value read as the keys without a field; none where it is no such value. */
export const otherKeys = (entry: FieldValue | OtherKeys | undefined): OtherKeys =>
  entry instanceof OtherKeys ? entry : NO_OTHERS;

/**
 * A draft as the form's values. Keys without a field go to the other keys. A field whose value is that of `before` has
 * the same `FieldValue`.
 */
export function valuesFromDraft(schema: FormSchema, draft: Draft, before: FormValues = {}): FormValues {
  const positions = fieldPositions(schema);
  const values: FormValues = {};
  const others = new Map<string, unknown>();
  for (const name of fieldNames(schema)) values[name] = unsentOf(before[name]);
  const entries = Object.entries(valuesWithUploads(draft));
  for (const [key, value] of entries) {
    const position = positions.get(key);
    if (position === undefined) {
      // No file is for a key without a field: the listing may have lost the field meanwhile.
      const sent = withoutUploads(value);
      if (sent !== undefined) others.set(key, sent);
      continue;
    }
    const name = fieldName(position);
    const old = fieldValue(before[name]);
    const isSame = old.isSet && old.unreadable.size === 0 && sameJson(old.value, value);
    values[name] = isSame ? old : new FieldValue(true, value);
  }
  values[OTHER_KEYS] = new OtherKeys(
    others,
    entries.map(([key]) => key),
  );
  return values;
}

function unsentOf(entry: FieldValue | OtherKeys | undefined): FieldValue {
  const old = fieldValue(entry);
  return old.isSet || old.unreadable.size > 0 ? FieldValue.of(undefined) : old;
}

/**
 * The form's values as a draft and as a payload, which are one object where there is no upload. Keys are in the order
 * in which they came, then in the order of the form.
 */
export function recordsFromValues(schema: FormSchema, values: FormValues): { draft: Draft; payload: JsonRecord } {
  const draft = recordFrom(schema, values, ({ value }) => value);
  const hasNoUploads = Object.values(values).every(
    (entry) => !(entry instanceof FieldValue) || entry.sent === entry.value,
  );
  return {
    draft: payloadToDraft(draft),
    payload: hasNoUploads ? draft : recordFrom(schema, values, ({ sent }) => sent),
  };
}

function recordFrom(schema: FormSchema, values: FormValues, select: (entry: FieldValue) => unknown): JsonRecord {
  const names = fieldNames(schema);
  const found = new Map<string, unknown>();
  schema.fields.forEach((field, position) => {
    const entry = fieldValue(values[names[position] ?? ""]);
    const value = select(entry);
    if (entry.isSet && value !== undefined) found.set(field.key, value);
  });
  const others = otherKeys(values[OTHER_KEYS]);
  for (const [key, value] of others.values) found.set(key, value);
  const first = others.order.filter((key) => found.has(key));
  const listed = new Set(first);
  const later = [...found.keys()].filter((key) => !listed.has(key));
  return Object.fromEntries([...first, ...later].map((key) => [key, found.get(key)]));
}

/** Adds the starting values of required fields that the values lack. */
export function withStartingValues(schema: FormSchema, values: JsonRecord): JsonRecord {
  const added = schema.fields
    .filter((field) => !Object.hasOwn(values, field.key) && startingValue(field) !== undefined)
    .map((field) => [field.key, startingValue(field)]);
  return { ...values, ...Object.fromEntries(added) };
}

/** What a field starts with: required keys that have a default are sent with it; a required switch is off. */
function startingValue(field: Field): unknown {
  if (!field.required) return undefined;
  if (field.defaultValue !== undefined && field.defaultValue !== null) return field.defaultValue;
  return field.kind === "boolean" ? false : undefined;
}

const CONTENT_ROLES = new Set(["prompt", "negative-prompt", "image", "video", "audio", "file", "mask"]);

/**
 * Whether a value differs from what the service would apply. A prompt or an image is content, not a change. This is
 * another question than "dirty", which asks whether the form holds what it started with.
 */
export function isChanged(field: Field, entry: FieldValue): boolean {
  if (!entry.isSet) return false;
  if (field.defaultValue !== undefined) return !sameJson(entry.value, field.defaultValue);
  return !field.required && !CONTENT_ROLES.has(field.role ?? "");
}
