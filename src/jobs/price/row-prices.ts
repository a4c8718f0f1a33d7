import { isTransient, retryDelayMs, retryRead } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import { PRICE_FRESH_MS } from "./estimate-queries.ts";
import type { PriceDependence } from "./price-dependence.ts";
import { createPriceGroups, type PriceGroup, type PriceRow, rowKeyOf, toldAtMsOf } from "./price-groups.ts";

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
  /** Estimates that the shown prices rest on. */
  estimates: number;
  /** Price groups that are still to be asked for, or to be checked. */
  waiting: number;
  /** How long that takes within the request budget; undefined while nothing waits. */
  secondsLeft: number | undefined;
  /** When the oldest of the shown prices was told, Unix ms; undefined while none is. */
  askedAtMs: number | undefined;
  /** Why nothing is asked for a moment: the service was busy, or did not answer. It goes on by itself. */
  trouble: Error | undefined;
}

export interface RowPricesOptions {
  /** The price of one payload, and when it was told. `isForced`: not from the cache. Rejects with an `ApiError`. */
  estimate: (request: JobRequest, isForced: boolean) => Promise<{ priceMicroUsd: MicroUsd; atMs: number }>;
  dependence: Pick<PriceDependence, "learnedOf" | "expectedMicroUsd">;
  wait: (ms: number) => Promise<void>;
}

interface Asker {
  requests: readonly JobRequest[];
  schemas: ModelSchemas;
  rows: ReadonlySet<PriceRow>;
}

/** Requests under way at once: enough to use the budget, and so few that polls wait for little. */
const MOST_AT_ONCE = 3;
/** As the budget of the connection allows it (`poll/request-budget.ts`). */
const REQUESTS_PER_SECOND = 2;
/** So many old prices are asked for again before a run: of a model where one of them has changed, all. */
const MOST_AGAIN = 12;
const REST_BETWEEN_TELLING_MS = 250;

/**
 * Asks for the prices of rows, one estimate for each price group, those without a price first and in the order of the rows.
 * It goes on as long as somebody wants them. Fits `useSyncExternalStore`, and tells at most four times a second. Only
 * `check` rejects.
 */
export function createRowPrices({ estimate, dependence, wait }: RowPricesOptions) {
  const groups = createPriceGroups(dependence);
  const askers = new Map<object, Asker>();
  const asking = new Map<string, Promise<void>>();
  const listeners = new Set<() => void>();
  let version = 0;
  let toldAtMs = 0;
  let isTelling = false;
  let queue: PriceGroup[] = [];
  let isQueueOld = false;
  let running = 0;
  let failures = 0;
  let trouble: Error | undefined;
  let resting = Promise.resolve();
  let rests = 0;

  /** At once after a rest, else together with what follows. */
  function tell() {
    if (isTelling) return;
    isTelling = true;
    const sinceMs = Math.max(0, Date.now() - toldAtMs);
    setTimeout(
      () => {
        isTelling = false;
        toldAtMs = Date.now();
        version += 1;
        for (const listener of listeners) listener();
      },
      Math.max(0, REST_BETWEEN_TELLING_MS - sinceMs),
    );
  }

  /** Asks for the price of a row; where the service is busy, as often as any read. Rejects with the last such error. */
  function ask(row: PriceRow): Promise<void> {
    const known = asking.get(row.key);
    if (known) return known;
    const asked = askNow(row).finally(() => {
      asking.delete(row.key);
      tell();
    });
    asking.set(row.key, asked);
    return asked;
  }
  async function askNow(row: PriceRow): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      await resting;
      const rest = rests;
      try {
        const { priceMicroUsd, atMs } = await estimate(row.request, row.group?.isOld ?? false);
        failures = 0;
        trouble = undefined;
        groups.noteTold(row, priceMicroUsd, atMs);
        isQueueOld = true;
        return;
      } catch (error) {
        if (!isTransient(error)) {
          groups.noteRefusal(row, error instanceof Error ? error : new Error("The price could not be read."));
          isQueueOld = true;
          return;
        }
        trouble = error as Error;
        // Those that were under way together fail together: that is one reason to wait.
        if (rest === rests) {
          rests += 1;
          resting = wait(retryDelayMs(failures, error));
          failures += 1;
        }
        tell();
        if (!retryRead(tries, error)) throw error;
      }
    }
  }

  const isAsked = (group: PriceGroup) => [...asking.keys()].some((key) => groups.rows.get(key)?.group === group);

  function nextRow(): PriceRow | undefined {
    if (isQueueOld) {
      isQueueOld = false;
      const wanted = new Set<PriceGroup>();
      for (const { rows } of askers.values()) for (const { group } of rows) if (group) wanted.add(group);
      const needy = [...wanted].filter((group) => groups.needOf(group) !== undefined);
      queue = [...needy.filter(({ told }) => told.size === 0), ...needy.filter(({ told }) => told.size > 0)].reverse();
    }
    for (let group = queue.pop(); group; group = queue.pop()) {
      const row = isAsked(group) ? undefined : groups.rowToAsk(group);
      if (row) return row;
    }
    return undefined;
  }
  function run() {
    for (; running < MOST_AT_ONCE; running += 1) {
      const row = nextRow();
      if (row === undefined) return;
      void ask(row)
        .catch(() => {
          // Asked for again after the rest, as long as it is wanted.
          isQueueOld = true;
        })
        .finally(() => {
          running -= 1;
          run();
        });
    }
  }

  function want(asker: object, requests: readonly JobRequest[], schemas: ModelSchemas) {
    const before = askers.get(asker);
    if (before?.requests === requests && before.schemas === schemas) return;
    for (const [id, model] of schemas) {
      if (model.state !== "loading") groups.setSchema(id, model.state === "ready" ? model.schema : null);
    }
    const rows = new Set(requests.map((request) => groups.add(request)));
    for (const row of rows) if (!before?.rows.has(row)) row.wanted += 1;
    for (const row of before?.rows ?? []) {
      if (rows.has(row)) continue;
      row.wanted -= 1;
      if (row.wanted === 0) groups.remove(row);
    }
    if (requests.length === 0) askers.delete(asker);
    else askers.set(asker, { requests, schemas, rows });
    const isSame = before?.rows.size === rows.size && [...rows].every((row) => before.rows.has(row));
    if (isSame && before?.schemas === schemas) return;
    isQueueOld = true;
    tell();
    run();
  }

  const groupsOf = (requests: readonly JobRequest[]) =>
    new Set(requests.flatMap((request) => groups.rows.get(rowKeyOf(request))?.group ?? []));

  function isPriced(request: JobRequest): boolean {
    const row = groups.rows.get(rowKeyOf(request));
    const price = row && groups.priceOf(row);
    return price !== undefined && !(price instanceof Error);
  }

  function of(request: JobRequest): RowPrice {
    const row = groups.rows.get(rowKeyOf(request));
    const price = row && groups.priceOf(row);
    if (price instanceof Error) return { state: "failed", error: price };
    if (price) return { state: "priced", ...price };
    const expectedMicroUsd = dependence.expectedMicroUsd(request);
    return { state: "pricing", ...(expectedMicroUsd === undefined ? {} : { expectedMicroUsd }) };
  }

  return {
    want,
    of,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    version: () => version,

    progress(requests: readonly JobRequest[]): PriceProgress {
      const shown = [...groupsOf(requests)];
      const loading = new Set(requests.flatMap(({ model }) => (groups.schemaOf(model) === undefined ? model : [])));
      const waiting = loading.size + shown.filter((group) => groups.needOf(group) !== undefined).length;
      const told = shown.flatMap((group) => toldAtMsOf(group) ?? []);
      return {
        priced: requests.filter(isPriced).length,
        total: requests.length,
        estimates: shown.reduce((sum, group) => sum + group.told.size, 0),
        waiting,
        secondsLeft: waiting === 0 ? undefined : Math.ceil(waiting / REQUESTS_PER_SECOND),
        askedAtMs: told.length === 0 ? undefined : told.reduce((a, b) => Math.min(a, b)),
        trouble: waiting === 0 ? undefined : trouble,
      };
    },

    refresh(requests: readonly JobRequest[]) {
      for (const group of groupsOf(requests)) groups.renew(group);
      isQueueOld = true;
      tell();
      run();
    },

    /**
     * Asks for what is not known yet of some rows, again for prices older than a minute (of many, a part), and checks what
     * each group of two rows and more assumes. Resolves to how many rows have another price then, or none any more. Rejects
     * with the `ApiError` of the first estimate that fails for good.
     */
    async check(requests: readonly JobRequest[], schemas: ModelSchemas): Promise<{ changed: number }> {
      const asker = {};
      want(asker, requests, schemas);
      const before = requests.map(of);
      try {
        await askAgain(requests);
        for (;;) {
          const rows = [...groupsOf(requests)].flatMap((group) => {
            const need = groups.needOf(group);
            const row = need === undefined ? groups.rowToCheckIn(group) : groups.rowToAsk(group);
            return row ?? [];
          });
          if (rows.length === 0) break;
          await askAll(rows);
        }
        return { changed: requests.filter((request, at) => !isSamePrice(of(request), before[at])).length };
      } finally {
        want(asker, [], schemas);
        run();
      }
    },
  };

  async function askAgain(requests: readonly JobRequest[]) {
    const limitMs = Date.now() - PRICE_FRESH_MS;
    const stale = [...groupsOf(requests)]
      .flatMap((group) => ({ group, atMs: toldAtMsOf(group) ?? Number.POSITIVE_INFINITY }))
      .filter(({ atMs }) => atMs < limitMs)
      .sort((a, b) => a.atMs - b.atMs)
      .map(({ group }) => group);
    const priceIn = (group: PriceGroup) => [...group.told.values()][0]?.priceMicroUsd;
    const some = stale.slice(0, MOST_AGAIN).map((group) => ({ group, before: priceIn(group) }));
    for (const { group } of some) group.isOld = true;
    await askAll(some.flatMap(({ group }) => groups.rowToAsk(group) ?? []));
    const changed = new Set(some.flatMap(({ group, before }) => (priceIn(group) === before ? [] : group.model)));
    for (const group of stale.slice(MOST_AGAIN)) group.isOld ||= changed.has(group.model);
  }

  async function askAll(rows: readonly PriceRow[]) {
    const left = [...rows];
    const worker = async () => {
      for (let row = left.shift(); row; row = left.shift()) await ask(row);
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker)).catch((error: unknown) => {
      left.length = 0;
      throw error;
    });
  }
}

const isSamePrice = (now: RowPrice, before: RowPrice | undefined) =>
  before?.state !== "priced" || (now.state === "priced" && now.priceMicroUsd === before.priceMicroUsd);
