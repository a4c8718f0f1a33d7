import type { JobRequest } from "#api/types.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { payloadKey } from "./estimate-queries.ts";
import { ENOUGH_CHANGES, type PriceDependence } from "./price-dependence.ts";
import { effectiveValue, type PriceEffect } from "./price-group-key.ts";

/** What the price groups of a connection rest on besides the specification. */
export interface LearnedPrices {
  effectOf(model: string, key: string): PriceEffect;
  /** Whether a payload with this very value had a price: only then is a choice that was learned not to count left out. */
  hasTold(model: string, key: string, value: unknown): boolean;
  noteTold(request: JobRequest, schema: FormSchema): void;
  /** Two payloads that differ only in these were expected to cost the same, and do not. */
  distrust(model: string, keys: readonly string[]): void;
  /** Another text whenever the groups of the model may be others. */
  signature(model: string): string;
}

/** Characters of a value that is remembered, and how many of one parameter. */
const LONGEST_TOLD = 100;
const MOST_TOLD = 200;

/** Reads what `dependence` learns, live, and adds to it what was distrusted. Methods never throw. */
export function createLearnedPrices(dependence: Pick<PriceDependence, "learnedOf">): LearnedPrices {
  const distrusted = new Map<string, Set<string>>();
  const told = new Map<string, Map<string, Set<string>>>();

  const effectOf = (model: string, key: string): PriceEffect => {
    const { moving, unmoved } = dependence.learnedOf(model);
    if (distrusted.get(model)?.has(key)) return "distrusted";
    if (moving.has(key)) return "moves";
    return (unmoved.get(key) ?? 0) >= ENOUGH_CHANGES ? "unmoved" : undefined;
  };
  return {
    effectOf,
    hasTold: (model, key, value) => told.get(model)?.get(key)?.has(payloadKey(value)) ?? false,
    noteTold({ model, payload }, schema) {
      const ofModel = held(told, model, () => new Map<string, Set<string>>());
      for (const field of schema.fields) {
        const values = held(ofModel, field.key, () => new Set<string>());
        const text = payloadKey(effectiveValue(field, payload));
        if (text.length <= LONGEST_TOLD && values.size < MOST_TOLD) values.add(text);
      }
    },
    distrust(model, keys) {
      const known = held(distrusted, model, () => new Set<string>());
      for (const key of keys) {
        known.add(key);
        dependence.learnedOf(model).moving.add(key);
      }
    },
    signature(model) {
      const { moving, unmoved } = dependence.learnedOf(model);
      const still = [...unmoved.keys()].filter((key) => effectOf(model, key) === "unmoved");
      const parts = still.map((key) => [key, told.get(model)?.get(key)?.size]);
      return JSON.stringify([moving.size, distrusted.get(model)?.size, parts]);
    },
  };
}

function held<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}
