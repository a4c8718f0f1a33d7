import { kindOfUrl } from "#api/media-kind.ts";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { mediaAddresses, mediaValue } from "#schema-form/form/media-addresses.ts";
import type { FormSchema, MediaField } from "#schema-form/read/field.ts";
import type { ArrivingFile } from "./arrival.ts";
import { dropTargets } from "./drop-targets.ts";
import type { ReadArrival } from "./read-arrival.ts";

/**
 * A file's address put into a form's present values, into the first field that takes it where it replaces no other. The
 * rest of them stays.
 */
export function putMedia({ address, as, over }: ArrivingFile, schema: FormSchema, present: JsonRecord): ReadArrival {
  if (over !== undefined) {
    const payload = replaced(present, over, address);
    return isRecord(payload) && JSON.stringify(payload) !== JSON.stringify(present)
      ? { payload, told: "The input is stored with the service now. Nothing has been run." }
      : { payload: undefined, told: "The input that was stored again is not in this form." };
  }
  const { free, full } = dropTargets(schema, present, as ?? kindOfUrl(address) ?? "other");
  const field = free[0] ?? full[0];
  if (!field) return { payload: undefined, told: "This model takes no such file." };
  return {
    payload: { ...present, [field.key]: valueWith(field, present[field.key], address) },
    told: `${field.label} is the file from your history.`,
  };
}

function valueWith(field: MediaField, value: unknown, address: string): unknown {
  const before = mediaAddresses(value).filter((one) => one !== "" && one !== address);
  const hasRoom = field.shape !== "one" && before.length < (field.maxItems ?? Number.POSITIVE_INFINITY);
  return mediaValue(field, hasRoom ? [...before, address] : [address]);
}

function replaced(value: unknown, from: string, to: string): unknown {
  if (value === from) return to;
  if (Array.isArray(value)) return value.map((one) => replaced(one, from, to));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, from, to)]));
}
