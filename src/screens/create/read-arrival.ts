import type { JsonRecord } from "#lib/json.ts";
import { carryValues } from "#schema-form/carry-values.ts";
import type { FormSchema } from "#schema-form/field.ts";
import type { Arrival } from "./arrival.ts";
import { readSharedPayload } from "./shared-payload.ts";

export interface ReadArrival {
  /** What the form is to hold; undefined where nothing arrives. */
  payload: JsonRecord | undefined;
  /** One line for the person; undefined where there is nothing to say. */
  told: string | undefined;
}

/** What an arrival makes of a form's present values, and how it is told. */
export async function readArrival(arrival: Arrival, schema: FormSchema, present: JsonRecord): Promise<ReadArrival> {
  if (arrival.kind === "file")
    return { payload: arrival.payload, told: `The settings in ${arrival.fileName} are in the form.` };
  if (arrival.kind === "link") {
    const payload = await readSharedPayload(arrival.words);
    return payload
      ? { payload, told: "The settings of the link are in the form." }
      : { payload: undefined, told: "The settings of this link could not be read." };
  }
  if (arrival.kind === "media") return (await import("./put-media.ts")).putMedia(arrival, schema, present);
  const { payload, carried, dropped } = carryValues(arrival.from, arrival.payload, schema);
  const parts = [
    carried.length > 0 && `Carried over: ${carried.join(", ")}.`,
    dropped.length > 0 && `No place here for: ${dropped.join(", ")}.`,
  ].filter((part) => part !== false);
  return {
    payload: carried.length > 0 ? { ...present, ...payload } : undefined,
    told: parts.length > 0 ? parts.join(" ") : undefined,
  };
}
