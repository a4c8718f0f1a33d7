import type { NumberField } from "../read/field.ts";

/** The largest seed that every service takes: 2^31 − 1. */
const LARGEST = 2_147_483_647;

/** A random whole seed above zero (0 and -1 often mean "random") inside the field's bounds. */
export function randomSeed(field: NumberField, random: () => number = Math.random): number {
  const low = Math.max(1, Math.ceil(field.min ?? 1));
  const high = Math.max(low, Math.min(LARGEST, Math.floor(field.max ?? LARGEST)));
  return low + Math.floor(random() * (high - low + 1));
}
