import { namedKind } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";

/** Settings of one model under a name. */
export interface Preset extends Named {
  payload: JsonRecord;
}

/** The presets of an account: a list for each model. */
export const presets = namedKind<Preset>("presets", ({ payload }, name) =>
  isRecord(payload) ? { name, payload } : undefined,
);
