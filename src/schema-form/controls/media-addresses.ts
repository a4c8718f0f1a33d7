import type { MediaField } from "../read/field.ts";

/** The addresses that a media field's value holds, whichever shape it has. Never throws. */
export function mediaAddresses(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string");
}

/** Addresses in the shape that the field takes; undefined where there are none. `either` sends one as a string. */
export function mediaValue(field: MediaField, addresses: readonly string[]): unknown {
  if (addresses.length === 0) return undefined;
  if (field.shape === "many") return [...addresses];
  if (field.shape === "either" && addresses.length > 1) return [...addresses];
  return addresses[0];
}
