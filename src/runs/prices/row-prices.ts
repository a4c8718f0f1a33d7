// The prices of many rows, for a batch or a price table. Rows that differ only in what does not move the price form a price
// group and share one estimate. `README.md` has the rule, and how it is checked.
import { hashKey, type Query, type QueryClient, type QueryState, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { abortableDelay } from "#lib/delay.ts";
import type { MicroUsd } from "#lib/money.ts";
import { sameJson } from "#lib/read.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { requestKey } from "../request-key.ts";
import {
  estimateKey,
  estimateQueries,
  PRICE_FRESH_MS,
  type Price,
  type PriceAsker,
  type PriceKeys,
  priceKeys,
  refusalIn,
} from "./estimate-queries.ts";

/** Requests of one model that cost the same by the rule of price groups, until the service says otherwise. */
interface PriceGroup {
  key: string;
  model: string;
  /** One request for each payload, in the order of the rows. */
  rows: readonly JobRequest[];
  /** The numbers of a request that do not move the price by the rule. Where they differ, one price for both is a guess. */
  getNumbers: (request: JobRequest) => string;
}

/** The keys of a request, made once: when one row of a list changes, those of the others are known. */
const knownKeys = new WeakMap<JobRequest, { schema: FormSchema | undefined; keys: PriceKeys }>();

function getPriceKeys(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
  const known = knownKeys.get(request);
  if (known !== undefined && known.schema === schema) return known.keys;
  const keys = priceKeys(request, schema);
  knownKeys.set(request, { schema, keys });
  return keys;
}

/**
 * The price groups of some requests, in their order. Requests whose model is still loading are in none; where a model cannot
 * be read, every payload is a group of its own. `countsNumbers`: numbers move the price, so that nothing is a guess.
 */
export function priceGroups(
  requests: readonly JobRequest[],
  schemas: ModelSchemas,
  countsNumbers = false,
): PriceGroup[] {
  const groups = new Map<string, { model: string; schema: FormSchema | undefined; rows: Map<string, JobRequest> }>();
  for (const request of requests) {
    const model = schemas.get(request.model);
    if (model === undefined || model.state === "loading") continue;
    const schema = model.state === "ready" ? model.schema : undefined;
    const { group: baseKey, numbers } = getPriceKeys(request, schema);
    const key = countsNumbers ? `${baseKey}\n${numbers}` : baseKey;
    const group = groups.get(key) ?? { model: request.model, schema, rows: new Map() };
    groups.set(key, group);
    const rowKey = requestKey(request);
    if (!group.rows.has(rowKey)) group.rows.set(rowKey, request);
  }
  return [...groups].map(([key, { model, schema, rows }]) => ({
    key,
    model,
    rows: [...rows.values()],
    getNumbers: (request) => getPriceKeys(request, schema).numbers,
  }));
}

/** The last result of `rowsToCheck` for each group, with what it was made from. */
const knownChecks = new WeakMap<PriceGroup, { base: JobRequest; count: number; rows: readonly JobRequest[] }>();

/**
 * The rows whose own prices check a group: as few of `priceable` as cover every parameter that differs from `base`, whose price
 * is known, and of those the ones that differ most. `priceable`: the rows of the group that the service does not refuse. Empty
 * where nothing differs.
 */
function rowsToCheck(group: PriceGroup, base: JobRequest, priceable: readonly JobRequest[]): readonly JobRequest[] {
  const known = knownChecks.get(group);
  if (known?.base === base && known.count === priceable.length && known.rows.every((row) => priceable.includes(row)))
    return known.rows;
  const candidates = priceable.map((row) => ({ row, keys: changedKeys(base.payload, row.payload) }));
  const uncovered = new Set(candidates.flatMap(({ keys }) => keys));
  const rows: JobRequest[] = [];
  while (uncovered.size > 0) {
    let best: { index: number; count: number; totalDistance: number } | undefined;
    candidates.forEach(({ row: { payload }, keys }, index) => {
      const covered = keys.filter((key) => uncovered.has(key));
      if (covered.length === 0 || covered.length < (best?.count ?? 0)) return;
      const totalDistance = covered.reduce((sum, key) => sum + distance(base.payload[key], payload[key]), 0);
      if (!best || covered.length > best.count || totalDistance > best.totalDistance)
        best = { index, count: covered.length, totalDistance };
    });
    const chosen = best && candidates[best.index];
    if (!chosen) break;
    rows.push(chosen.row);
    for (const key of chosen.keys) uncovered.delete(key);
  }
  knownChecks.set(group, { base, count: priceable.length, rows });
  return rows;
}

/** The top-level keys in which two payloads differ. */
function changedKeys(a: JobRequest["payload"], b: JobRequest["payload"]): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !sameJson(a[key], b[key]));
}

/** How far two values are apart. The farther they are, the likelier their prices differ. */
function distance(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b);
  if (typeof a === "string" || typeof b === "string") return 1 + Math.abs(textLength(a) - textLength(b));
  return 1;
}
const textLength = (value: unknown) => (typeof value === "string" ? value.length : 0);

/** How many prices of some rows are known, and what is still to be asked for. */
export interface PriceProgress {
  /** Rows with a price, of all rows. */
  priced: number;
  total: number;
  /** How many estimates the shown prices come from. */
  estimates: number;
  /** How many estimates are still to be made. */
  waiting: number;
  /** How long the waiting estimates take within the request budget; undefined while none waits. */
  secondsLeft: number | undefined;
  /** When the oldest of the shown prices came, Unix ms; undefined while none is. */
  askedAtMs: number | undefined;
  /** Why prices are late: the service was busy, or did not answer. It is asked again without a press. */
  trouble: Error | undefined;
}

/** A price that the service reported for a request. */
interface ReportedPrice {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
}
/** The state of a price in the cache; undefined where it was never asked for. */
type PriceState = QueryState<ReportedPrice> | undefined;

/** Requests under way at once: enough to use the budget, and so few that polls wait for little. */
const MAX_AT_ONCE = 3;
/** The requests a second that the budget of the connection allows (`poll/poll-control.ts`). */
const REQUESTS_PER_SECOND = 2;
/** A group of at least this many rows is checked while drafting. A smaller one is checked before its rows are agreed to. */
const MIN_EARLY_CHECK = 6;
/** At most this many old prices are asked for again before a run. Where one of them has changed, so are all of its model. */
const MAX_RENEWED = 12;
/**
 * How long the cache has the price of a row that nothing observes. Two thousand rows take 17 minutes, so all of them are there at
 * the end. A shown row whose price was dropped is asked for again.
 */
const CACHED_MS = 60 * 60_000;
/** Refusals that are about the key or the model: no other payload fares better (spec 7). */
const ABOUT_MODEL = new Set([401, 403, 404]);

/** How often one row may be asked for: once for its group and once for itself. A clock that was set back may need one more. */
const MAX_ASKS = 3;

/** Groups are entries of the query cache, too: the last price that came for one of their rows. No query fetches them. */
const GROUPS = "price-group";
const cacheKey = (priced: JobRequest | PriceGroup) =>
  "payload" in priced ? estimateKey(priced) : [GROUPS, priced.key];
const rowQuery = (api: Api, row: JobRequest) => ({ ...estimateQueries(api).price(row, "paced"), gcTime: CACHED_MS });

/** Whether a query of the cache holds a price. */
const holdsPrice = ({ queryKey: [kind] }: Query) => kind === GROUPS || kind === "estimate";

const hashes = new WeakMap<JobRequest | PriceGroup, string>();

/** The cache's hash of a row or group. Thousands are looked up at once, so each hash is made once. */
function cacheHash(priced: JobRequest | PriceGroup): string {
  const hash = hashes.get(priced) ?? hashKey(cacheKey(priced));
  hashes.set(priced, hash);
  return hash;
}

const getPriceState = (client: QueryClient, priced: JobRequest | PriceGroup): PriceState =>
  client.getQueryCache().get<ReportedPrice>(cacheHash(priced))?.state;

const isAboutModel = (error: unknown) => error instanceof RefusedError && ABOUT_MODEL.has(error.status);
/** Whether there is a price, of whatever age, that was not invalidated. */
const isValid = (state: PriceState) => state?.data !== undefined && !state.isInvalidated;

/** What the cache knows of a group. */
interface GroupFacts {
  group: PriceGroup;
  /** The last price that came for a row of the group. That row may have been edited since. */
  reported: ReportedPrice | undefined;
  reportedAtMs: number;
  /** The group has no price yet, or its price is to be asked for anew. */
  isOpen: boolean;
  /** The states of the rows, in the order of the group. */
  rows: readonly PriceState[];
  /** The rows whose own prices check the group. */
  checks: readonly JobRequest[];
  /** Each of `checks` has a valid price. */
  isChecked: boolean;
  /** Rows differ in numbers, among themselves or from the request whose price is known. */
  isGuess: boolean;
  /** A row has another price than the group, so that each row is priced by itself. */
  isWrong: boolean;
  /** The service's refusal that is about the model or the key; undefined where there is none. */
  modelError: Error | undefined;
}

function readGroupFacts(client: QueryClient, groups: readonly PriceGroup[]): GroupFacts[] {
  const modelErrors = new Map<string, Error>();
  const facts = groups.map((group) => {
    const state = getPriceState(client, group);
    const { data: reported, dataUpdatedAt: reportedAtMs = 0 } = state ?? {};
    const rows = group.rows.map((row) => getPriceState(client, row));
    let isOpen = !isValid(state);
    let isWrong = false;
    for (const row of rows) {
      const refusal = refusalIn(row);
      if (refusal && isAboutModel(refusal)) modelErrors.set(group.model, refusal);
      if (!reported || !isValid(row) || row?.data?.priceMicroUsd === reported.priceMicroUsd) continue;
      // Prices may have changed between the two: then the older one is asked for anew before anything follows.
      const laterMs = (row?.dataUpdatedAt ?? 0) - reportedAtMs;
      if (Math.abs(laterMs) <= PRICE_FRESH_MS) isWrong = true;
      else if (laterMs > 0) isOpen = true;
    }
    const priceable = group.rows.filter((_, index) => !refusalIn(rows[index]));
    const checks = reported ? rowsToCheck(group, reported.request, priceable) : [];
    const isChecked = reported !== undefined && checks.every((row) => isValid(getPriceState(client, row)));
    const numbers = reported && group.getNumbers(reported.request);
    const isGuess = group.rows.some((row) => group.getNumbers(row) !== numbers);
    return { group, reported, reportedAtMs, isOpen, rows, checks, isChecked, isGuess, isWrong };
  });
  return facts.map((groupFacts) => ({ ...groupFacts, modelError: modelErrors.get(groupFacts.group.model) }));
}

/**
 * The row whose price becomes that of its group: the first that the service does not refuse. Where that row got no
 * answer, the next one is asked, and no further one.
 */
function rowForGroup(
  { group, isOpen, rows }: GroupFacts,
  gotNoAnswer: (row: JobRequest) => boolean,
): JobRequest | undefined {
  if (!isOpen) return undefined;
  const priceable = group.rows.filter((_, index) => !refusalIn(rows[index])).slice(0, 2);
  return priceable.find((row) => !gotNoAnswer(row));
}

/** The rows that are to be priced by themselves: all of a group that is wrong, else those that check it. */
function rowsByThemselves(facts: GroupFacts, isThorough: boolean): readonly JobRequest[] {
  const { group, reported, reportedAtMs, isOpen, rows, checks, isGuess, isWrong } = facts;
  if (reported === undefined || (isOpen && !isWrong)) return [];
  const isOutdated = (state: PriceState) =>
    state?.data?.priceMicroUsd !== reported.priceMicroUsd &&
    (state?.dataUpdatedAt ?? 0) < reportedAtMs - PRICE_FRESH_MS;
  const isMissing = (state: PriceState) => !refusalIn(state) && (!isValid(state) || (!isWrong && isOutdated(state)));
  const needsCheck = isThorough || isGuess || group.rows.length >= MIN_EARLY_CHECK;
  // A row whose own price was invalidated is asked for anew, also where the group is not checked.
  return group.rows.filter(
    (row, index) => isMissing(rows[index]) && (isWrong || rows[index]?.data || (needsCheck && checks.includes(row))),
  );
}

/** What the cache knows of the prices of some groups. */
export function readPrices(client: QueryClient, groups: readonly PriceGroup[]) {
  const facts = readGroupFacts(client, groups);
  const positions = new Map(
    facts.flatMap((groupFacts) =>
      groupFacts.group.rows.map((row, index) => [requestKey(row), { groupFacts, index }] as const),
    ),
  );

  /** The price that is shown of a row, the request that it was reported for, and when that was. */
  function shownPrice(
    { group, reported, reportedAtMs, isOpen, isChecked, isWrong, modelError }: GroupFacts,
    row: JobRequest,
    rowState: PriceState,
  ): { price: Price; from?: JobRequest; atMs?: number } {
    const refusal = refusalIn(rowState);
    if (refusal) return { price: { state: "failed", error: refusal } };
    if (rowState?.data && (isValid(rowState) || !modelError)) {
      const { priceMicroUsd } = rowState.data;
      return { price: { state: "priced", priceMicroUsd, isExact: true }, from: row, atMs: rowState.dataUpdatedAt };
    }
    const isSure =
      reported !== undefined && (isChecked || group.getNumbers(row) === group.getNumbers(reported.request));
    if (isSure && !isWrong && !(isOpen && modelError)) {
      const { priceMicroUsd, request } = reported;
      return { price: { state: "priced", priceMicroUsd, isExact: false }, from: request, atMs: reportedAtMs };
    }
    return { price: modelError ? { state: "failed", error: modelError } : { state: "pricing" } };
  }

  /** The price of a request; `pricing` where it is in no group. */
  function of(request: JobRequest): Price {
    const found = positions.get(requestKey(request));
    if (!found) return { state: "pricing" };
    const { groupFacts, index } = found;
    return shownPrice(groupFacts, request, groupFacts.rows[index]).price;
  }

  function progress(requests: readonly JobRequest[], schemas: ModelSchemas): PriceProgress {
    const loading = new Set(requests.flatMap(({ model }) => (schemas.get(model)?.state === "loading" ? model : [])));
    const openCounts = facts.map((groupFacts) => {
      if (groupFacts.modelError) return 0;
      return rowForGroup(groupFacts, () => false) ? 1 : rowsByThemselves(groupFacts, false).length;
    });
    const waiting = openCounts.reduce((sum, count) => sum + count, loading.size);
    const shown = facts.flatMap((groupFacts) =>
      groupFacts.group.rows.map((row, index) => shownPrice(groupFacts, row, groupFacts.rows[index])),
    );
    const sources = new Set(shown.flatMap(({ from }) => (from ? requestKey(from) : [])));
    const times = shown.flatMap(({ atMs }) => atMs ?? []);
    const failures = facts.flatMap(({ rows }) => rows.flatMap((row) => row?.fetchFailureReason ?? []));
    return {
      priced: requests.filter((request) => of(request).state === "priced").length,
      total: requests.length,
      estimates: sources.size,
      waiting,
      secondsLeft: waiting === 0 ? undefined : Math.ceil(waiting / REQUESTS_PER_SECOND),
      askedAtMs: times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)),
      trouble: waiting === 0 ? undefined : failures.find(isTransient),
    };
  }

  return { of, progress };
}

/**
 * Asks for all that is not known of the prices of some groups: one estimate for each group, then the rows that check it,
 * then each row of a group that is wrong. `isThorough`: every group is checked. Resolves once nothing is open, or with the
 * next answer after `signal` aborts. What the service refuses is in the cache. Rejects with the `ApiError` of an estimate that
 * got no answer in five tries: at once where it is thorough, else when all others were asked for.
 */
export async function askPrices(
  asker: PriceAsker,
  groups: readonly PriceGroup[],
  { isThorough = false, signal }: { isThorough?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const { client } = asker;
  // The cache drops the price of a row that nothing observes, and can ask for it again. That of a group has no query.
  client.setQueryDefaults([GROUPS], { gcTime: Number.POSITIVE_INFINITY });
  const running = new Map<string, Promise<unknown>>();
  const unanswered = new Map<string, unknown>();
  const asks = new Map<string, number>();
  const gotNoAnswer = (row: JobRequest) => unanswered.has(requestKey(row));
  const isFree = (row: JobRequest) =>
    !running.has(requestKey(row)) && !gotNoAnswer(row) && (asks.get(requestKey(row)) ?? 0) < MAX_ASKS;

  /** The row to ask for next: for a group without a price first, then for itself. */
  function nextRow(): { row: JobRequest; group?: PriceGroup } | undefined {
    const facts = readGroupFacts(client, groups).filter(({ modelError }) => modelError === undefined);
    for (const groupFacts of facts) {
      const row = rowForGroup(groupFacts, gotNoAnswer);
      if (row && isFree(row)) return { row, group: groupFacts.group };
    }
    for (const groupFacts of facts) {
      const row = rowsByThemselves(groupFacts, isThorough).find(isFree);
      if (row) return { row };
    }
    return undefined;
  }
  while (!signal?.aborted && !(isThorough && unanswered.size > 0)) {
    const ask = running.size < MAX_AT_ONCE ? nextRow() : undefined;
    if (ask) {
      const key = requestKey(ask.row);
      asks.set(key, (asks.get(key) ?? 0) + 1);
      const asking = askRow(asker, ask.row, ask.group)
        .catch((error: unknown) => unanswered.set(key, error))
        .finally(() => running.delete(key));
      running.set(key, asking);
    } else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  if (unanswered.size > 0 && !signal?.aborted) throw [...unanswered.values()][0];
}

/**
 * Asks for the price of a row, unless one of the last minute is known. It becomes the price of `group` as well, where that is
 * given. Resolves once there is a price or a refusal. Rejects with an `ApiError` where waiting may help.
 */
async function askRow({ api, client }: PriceAsker, row: JobRequest, group?: PriceGroup): Promise<void> {
  try {
    const reported = await client.fetchQuery(rowQuery(api, row));
    if (group === undefined) return;
    const updatedAt = getPriceState(client, row)?.dataUpdatedAt;
    client.setQueryData<ReportedPrice>(cacheKey(group), reported, updatedAt === undefined ? {} : { updatedAt });
  } catch (error) {
    if (isTransient(error)) throw error;
    // The service refuses this row now, so an older price that came from it counts no more for the group.
    if (group) markOld(client, [group]);
  }
}

/** Makes all that is known of some groups old, refusals too, so that it is asked for anew. Prices stay until new ones come. */
export function renewPrices({ client }: PriceAsker, groups: readonly PriceGroup[]): void {
  const all = withRows(groups);
  const isOfGroups = isAmong(all);
  void client.resetQueries({
    predicate: (query) => isIdle(query) && refusalIn(query.state) !== undefined && isOfGroups(query),
  });
  markOld(client, all);
}

/** Drops refusals about a model or the key that are older than a minute, so that the model is asked about again. */
export function forgetModelErrors({ client }: PriceAsker, groups: readonly PriceGroup[]): void {
  const limitMs = Date.now() - PRICE_FRESH_MS;
  const isOfGroups = isAmong(withRows(groups));
  const isOld = ({ state }: Query) => isAboutModel(state.error) && state.errorUpdatedAt < limitMs;
  void client.resetQueries({ predicate: (query) => isIdle(query) && isOld(query) && isOfGroups(query) });
}

/** Marks the prices of rows and groups as old: they stay in the cache, and are asked for anew. */
function markOld(client: QueryClient, all: readonly (JobRequest | PriceGroup)[]): void {
  void client.invalidateQueries({ predicate: isAmong(all), refetchType: "none" });
}

const isIdle = ({ state }: Query) => state.fetchStatus === "idle";
const withRows = (groups: readonly PriceGroup[]) => groups.flatMap((group) => [group, ...group.rows]);

/** Returns a test for the cache entries of some rows and groups. */
function isAmong(all: readonly (JobRequest | PriceGroup)[]): (query: Query) => boolean {
  const known = new Set(all.map(cacheHash));
  return ({ queryHash }) => known.has(queryHash);
}

/**
 * Checks the prices of some rows before they are agreed to: asks for those that are not known, asks again for those older than
 * a minute (of many, only a part), and checks every group. `changed`: how many rows have another price than `shown`, or none.
 * Rejects with the `ApiError` of the first estimate that got no answer in five tries.
 */
export async function checkPrices(
  asker: PriceAsker,
  groups: readonly PriceGroup[],
  shown: (row: JobRequest) => Price,
  requests: readonly JobRequest[],
): Promise<{ changed: number }> {
  const { client } = asker;
  const shownBefore = requests.map(shown);
  forgetModelErrors(asker, groups);
  const limitMs = Date.now() - PRICE_FRESH_MS;
  const oldPrices = readGroupFacts(client, groups)
    .flatMap(({ group, reported, rows }) => [
      // A group and the row that its price came from are asked for together.
      {
        priced: group,
        parts: reported ? [group, reported.request] : [group],
        model: group.model,
        state: getPriceState(client, group),
      },
      ...group.rows
        .map((row, index) => ({ priced: row, parts: [row], model: row.model, state: rows[index] }))
        .filter(({ priced }) => reported === undefined || requestKey(priced) !== requestKey(reported.request)),
    ])
    .filter(({ state }) => state?.data !== undefined && state.dataUpdatedAt < limitMs)
    .sort((a, b) => (a.state?.dataUpdatedAt ?? 0) - (b.state?.dataUpdatedAt ?? 0));
  const [oldest, others] = [oldPrices.slice(0, MAX_RENEWED), oldPrices.slice(MAX_RENEWED)];
  const markAll = (all: typeof oldPrices) => {
    const parts: (JobRequest | PriceGroup)[] = all.flatMap((old) => old.parts);
    markOld(client, parts);
  };
  markAll(oldest);
  await askPrices(asker, groups, { isThorough: true });
  // What is still marked as old was refused.
  const isChanged = ({ priced, state }: (typeof oldPrices)[number]) => {
    const newState = getPriceState(client, priced);
    return !isValid(newState) || newState?.data?.priceMicroUsd !== state?.data?.priceMicroUsd;
  };
  const changedModels = new Set(oldest.filter(isChanged).map(({ model }) => model));
  markAll(others.filter(({ model }) => changedModels.has(model)));
  await askPrices(asker, groups, { isThorough: true });
  const checked = readPrices(client, groups);
  return { changed: requests.filter((request, index) => !isSamePrice(checked.of(request), shownBefore[index])).length };
}

/** Whether a price is still what was shown. Where none was shown, nothing can have changed. */
const isSamePrice = (price: Price, shown: Price | undefined) =>
  shown?.state !== "priced" || (price.state === "priced" && price.priceMicroUsd === shown.priceMicroUsd);

export interface RowPrices {
  /** The price of a request; `pricing` where it is not among the rows. */
  of(request: JobRequest): Price;
  progress: PriceProgress;
  /**
   * Checks the prices of these requests before they are agreed to (`checkPrices`). `changed`: how many of them have another
   * price than was shown, or none any more. Rejects with the `ApiError` of the first estimate that got no answer in five tries.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** How often `keepAsking` looks for what is to be asked again, because it got no answer or was found to be wrong meanwhile. */
const LOOK_AGAIN_MS = 30_000;
/** Prices that arrive within this time are shown by one render. */
const RENDER_PAUSE_MS = 100;

/**
 * The prices of many rows, live: rows that differ only in what does not move the price share one estimate. The array may
 * be another one with each render. `countsNumbers`: numbers move the price, too.
 */
export function useRowPrices(requests: readonly JobRequest[], schemas: ModelSchemas, countsNumbers = false): RowPrices {
  const api = useApi();
  const client = useQueryClient();
  const rows = useSameRows(requests);
  const groups = useMemo(() => priceGroups(rows, schemas, countsNumbers), [rows, schemas, countsNumbers]);
  const asker = useMemo((): PriceAsker => ({ api, client }), [api, client]);
  const [starts, start] = useReducer((count: number) => count + 1, 0);
  const changes = usePriceChanges(client, start);
  useEffect(() => {
    // `starts` is a dependency alone: each change of it begins the asking anew.
    void starts;
    const abort = new AbortController();
    void keepAsking(asker, groups, abort.signal);
    return () => abort.abort();
  }, [asker, groups, starts]);

  return useMemo(() => {
    // `changes` is a dependency alone: the cache has new prices.
    void changes;
    const { of, progress } = readPrices(client, groups);
    let read: PriceProgress | undefined;
    return {
      of,
      get progress() {
        read ??= progress(rows, schemas);
        return read;
      },
      check: (some) => checkPrices(asker, priceGroups(some, schemas, countsNumbers), of, some).finally(start),
      refresh: () => {
        renewPrices(asker, groups);
        start();
      },
    };
  }, [client, asker, groups, rows, schemas, countsNumbers, changes]);
}

/** Counts up when a price in the cache has changed, whoever asked for it; `onDropped`: the cache keeps one no longer. */
function usePriceChanges(client: QueryClient, onDropped: () => void): number {
  const [changes, note] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Prices may have come between the render and this subscription.
    note();
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if ((type !== "updated" && type !== "removed") || !holdsPrice(query)) return;
      if (type === "removed") onDropped();
      timer ??= setTimeout(() => {
        timer = undefined;
        note();
      }, RENDER_PAUSE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, onDropped]);
  return changes;
}

/** Asks for what is missing of the prices of some groups, every half minute, until `signal` aborts. */
async function keepAsking(asker: PriceAsker, groups: readonly PriceGroup[], signal: AbortSignal): Promise<void> {
  forgetModelErrors(asker, groups);
  while (!signal.aborted) {
    // What got no answer is shown with the prices, and is asked for again in the next round.
    await askPrices(asker, groups, { signal }).catch(() => undefined);
    await abortableDelay(LOOK_AGAIN_MS, signal).catch(() => undefined);
  }
}

/** Returns the same array as long as the requests in it are equal, so that memos outlive a new array. */
function useSameRows(requests: readonly JobRequest[]): readonly JobRequest[] {
  const [rows, setRows] = useState(requests);
  const isSame =
    rows === requests ||
    (rows.length === requests.length &&
      requests.every((request, index) => {
        const row = rows[index];
        return row === request || (row !== undefined && requestKey(row) === requestKey(request));
      }));
  if (!isSame) setRows(requests);
  return isSame ? rows : requests;
}
