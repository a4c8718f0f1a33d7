import type { Api } from "#api/create-api.ts";
import type { JobRequest } from "#api/types.ts";
import { perConnection } from "#connection/per-connection.ts";
import type { MicroUsd } from "#lib/money.ts";
import { sameJson } from "#lib/read.ts";

/** So many changes of a parameter must have left the price alone before it counts as one that does not move it. */
export const ENOUGH_CHANGES = 2;

export interface ModelPrices {
  /** The newest price that the service told, and for which payload. Undefined while the newest request was refused. */
  newest: { payload: JobRequest["payload"]; priceMicroUsd: MicroUsd } | undefined;
  /** How often a change of a parameter alone left the price as it was. */
  unmoved: Map<string, number>;
  moving: Set<string>;
}

export interface PriceDependence {
  /** Learns from a price that the service told. */
  note(request: JobRequest, priceMicroUsd: MicroUsd): void;
  /** No price was told for the newest payload: nothing is expected until one is. */
  noteFailure(model: string): void;
  /**
   * The price that a payload most likely has, because it differs from one with a known price only in parameters whose
   * changes never moved it. Undefined where that is not so. It is never spent: a run asks for the exact price first.
   */
  expectedMicroUsd(request: JobRequest): MicroUsd | undefined;
  /** All that was learned of a model, as it is held: what is added to `moving` counts from then on. */
  learnedOf(model: string): ModelPrices;
}

/** What was learned of a service's prices while it is connected: which parameters move the price of each model. */
export const priceDependenceOf = perConnection((_: Api): PriceDependence => createPriceDependence());

/** Empty: every parameter may move the price. Methods never throw. */
export function createPriceDependence(): PriceDependence {
  const models = new Map<string, ModelPrices>();
  const pricesOf = (model: string) => {
    const known = models.get(model) ?? { newest: undefined, unmoved: new Map(), moving: new Set() };
    models.set(model, known);
    return known;
  };
  const isUnmoved = ({ unmoved, moving }: ModelPrices, key: string) =>
    !moving.has(key) && (unmoved.get(key) ?? 0) >= ENOUGH_CHANGES;

  return {
    learnedOf: pricesOf,
    note({ model, payload }, priceMicroUsd) {
      const prices = pricesOf(model);
      const before = prices.newest;
      prices.newest = { payload, priceMicroUsd };
      if (before === undefined) return;
      const changed = changedKeys(before.payload, payload);
      const [key] = changed;
      const hasMoved = before.priceMicroUsd !== priceMicroUsd;
      if (changed.length === 1 && key !== undefined) {
        if (hasMoved) prices.moving.add(key);
        else prices.unmoved.set(key, (prices.unmoved.get(key) ?? 0) + 1);
      } else if (hasMoved && changed.every((name) => isUnmoved(prices, name))) {
        // One of them moves it after all, and nobody knows which.
        for (const name of changed) prices.moving.add(name);
      }
    },
    noteFailure(model) {
      pricesOf(model).newest = undefined;
    },
    expectedMicroUsd({ model, payload }) {
      const prices = models.get(model);
      if (prices?.newest === undefined) return undefined;
      const changed = changedKeys(prices.newest.payload, payload);
      return changed.every((key) => isUnmoved(prices, key)) ? prices.newest.priceMicroUsd : undefined;
    },
  };
}

/** The top-level keys in which two payloads differ. Never throws. */
export function changedKeys(a: JobRequest["payload"], b: JobRequest["payload"]): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !sameJson(a[key], b[key]));
}
