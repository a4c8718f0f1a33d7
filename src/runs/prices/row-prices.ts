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

/** Requests that cost the same by the rule of prices, until the service says otherwise. */
interface PriceGroup {
  key: string;
  model: string;
  /** One request for each payload, in the order of the rows. */
  rows: readonly JobRequest[];
  /** The numbers of a request that by the specification do not count. Where they differ, one price for both is a guess. */
  numbersOf: (request: JobRequest) => string;
}

/** A list of rows changes one by one: the keys of the others are known. */
const knownKeys = new WeakMap<JobRequest, { schema: FormSchema | undefined; keys: PriceKeys }>();

function keysOf(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
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
    const { group: rest, numbers } = keysOf(request, schema);
    const key = countsNumbers ? `${rest}\n${numbers}` : rest;
    const group = groups.get(key) ?? { model: request.model, schema, rows: new Map() };
    groups.set(key, group);
    const row = requestKey(request);
    if (!group.rows.has(row)) group.rows.set(row, request);
  }
  return [...groups].map(([key, { model, schema, rows }]) => ({
    key,
    model,
    rows: [...rows.values()],
    numbersOf: (request) => keysOf(request, schema).numbers,
  }));
}

const knownChecks = new WeakMap<PriceGroup, { base: JobRequest; count: number; rows: readonly JobRequest[] }>();

/**
 * The rows that show whether a group is right: as few of `able` as cover every parameter that differs from `base`, whose price
 * is known, and of those the ones that differ by most. `able` are the rows of the group that the service does not refuse.
 * Empty where nothing differs.
 */
function rowsToCheck(group: PriceGroup, base: JobRequest, able: readonly JobRequest[]): readonly JobRequest[] {
  const known = knownChecks.get(group);
  if (known?.base === base && known.count === able.length && known.rows.every((row) => able.includes(row)))
    return known.rows;
  const candidates = able.map((row) => ({ row, keys: changedKeys(base.payload, row.payload) }));
  const open = new Set(candidates.flatMap(({ keys }) => keys));
  const rows: JobRequest[] = [];
  while (open.size > 0) {
    let best: { at: number; count: number; far: number } | undefined;
    candidates.forEach(({ row: { payload }, keys }, at) => {
      const own = keys.filter((key) => open.has(key));
      if (own.length === 0 || own.length < (best?.count ?? 0)) return;
      const far = own.reduce((sum, key) => sum + distance(base.payload[key], payload[key]), 0);
      if (!best || own.length > best.count || far > best.far) best = { at, count: own.length, far };
    });
    const chosen = best && candidates[best.at];
    if (!chosen) break;
    rows.push(chosen.row);
    for (const key of chosen.keys) open.delete(key);
  }
  knownChecks.set(group, { base, count: able.length, rows });
  return rows;
}

/** The top-level keys in which two payloads differ. */
function changedKeys(a: JobRequest["payload"], b: JobRequest["payload"]): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => !sameJson(a[key], b[key]));
}

/** How far two values are apart: the farther, the likelier the price is another. */
function distance(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b);
  if (typeof a === "string" || typeof b === "string") return 1 + Math.abs(lengthOf(a) - lengthOf(b));
  return 1;
}
const lengthOf = (value: unknown) => (typeof value === "string" ? value.length : 0);

/** How far the prices of some rows are. */
export interface PriceProgress {
  /** Rows with a price, of all rows. */
  priced: number;
  total: number;
  /** Estimates that the shown prices rest on. */
  estimates: number;
  /** Estimates that are still to be made. */
  waiting: number;
  /** How long that takes within the request budget; undefined while nothing waits. */
  secondsLeft: number | undefined;
  /** When the oldest of the shown prices came, Unix ms; undefined while none is. */
  askedAtMs: number | undefined;
  /** Why nothing comes for a moment: the service was busy, or did not answer. It is asked again by itself. */
  trouble: Error | undefined;
}

/** A price that the service reported for a request. */
interface ReportedPrice {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
}
type State = QueryState<ReportedPrice> | undefined;

/** Requests under way at once: enough to use the budget, and so few that polls wait for little. */
const MAX_AT_ONCE = 3;
/** The requests a second that the budget of the connection allows (`poll/poll-control.ts`). */
const REQUESTS_PER_SECOND = 2;
/** The fewest rows of a group that is checked while drafting; every other one is before it is agreed to. */
const CHECKED_EARLY = 6;
/** The most old prices that are asked for again before a run: of a model where one of them has changed, all. */
const MAX_AGAIN = 12;
/** Two thousand rows take 17 minutes. The price of a row that is dropped after this long and still shown is asked for again. */
const CACHED_MS = 60 * 60_000;
/** Refusals that are about the key or the model: no other payload fares better (spec 7). */
const ABOUT_MODEL = new Set([401, 403, 404]);

/** A row is asked for its group, and for itself. More often only where the clock of the device was set back. */
const MAX_ASKS = 3;

const GROUPS = "price-group";
const keyOf = (of: JobRequest | PriceGroup) => ("payload" in of ? estimateKey(of) : [GROUPS, of.key]);
const rowQuery = (api: Api, row: JobRequest) => ({ ...estimateQueries(api).price(row, "paced"), gcTime: CACHED_MS });

/** Whether a query of the cache holds a price. */
const holdsPrice = ({ queryKey: [kind] }: Query) => kind === GROUPS || kind === "estimate";

const hashes = new WeakMap<JobRequest | PriceGroup, string>();

/** The hash of a key. Thousands are looked up at once, so that of each is made once. */
function hashOf(of: JobRequest | PriceGroup): string {
  const hash = hashes.get(of) ?? hashKey(keyOf(of));
  hashes.set(of, hash);
  return hash;
}

const stateOf = (client: QueryClient, of: JobRequest | PriceGroup): State =>
  client.getQueryCache().get<ReportedPrice>(hashOf(of))?.state;

const isAboutModel = (error: unknown) => error instanceof RefusedError && ABOUT_MODEL.has(error.status);
/** There is a price, of whatever age, and it was not invalidated. */
const isValid = (state: State) => state?.data !== undefined && !state.isInvalidated;

/** What the cache knows of a group. */
interface GroupFacts {
  group: PriceGroup;
  /** The price that a row of it has, perhaps one that was edited since. */
  reported: ReportedPrice | undefined;
  reportedAtMs: number;
  /** There is no price yet, or it is to be asked for anew. */
  isOpen: boolean;
  /** The states of the rows, in the order of the group. */
  rows: readonly State[];
  /** The rows that show whether the group is right, and whether all of them were asked. */
  checks: readonly JobRequest[];
  isChecked: boolean;
  /** Rows differ in numbers, among themselves or from the request whose price is known. */
  isGuess: boolean;
  /** A row has another price: each is priced by itself. */
  isWrong: boolean;
  /** What the service said of the model or the key. */
  modelError: Error | undefined;
}

function factsOf(client: QueryClient, groups: readonly PriceGroup[]): GroupFacts[] {
  const modelErrors = new Map<string, Error>();
  const facts = groups.map((group) => {
    const state = stateOf(client, group);
    const { data: reported, dataUpdatedAt: reportedAtMs = 0 } = state ?? {};
    const rows = group.rows.map((row) => stateOf(client, row));
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
    const able = group.rows.filter((_, at) => !refusalIn(rows[at]));
    const checks = reported ? rowsToCheck(group, reported.request, able) : [];
    const isChecked = reported !== undefined && checks.every((row) => isValid(stateOf(client, row)));
    const numbers = reported && group.numbersOf(reported.request);
    const isGuess = group.rows.some((row) => group.numbersOf(row) !== numbers);
    return { group, reported, reportedAtMs, isOpen, rows, checks, isChecked, isGuess, isWrong };
  });
  return facts.map((one) => ({ ...one, modelError: modelErrors.get(one.group.model) }));
}

/**
 * The row whose price becomes that of its group: the first that the service does not refuse. Where that one got no answer the
 * next has its turn, once.
 */
function rowForGroup(
  { group, isOpen, rows }: GroupFacts,
  gotNoAnswer: (row: JobRequest) => boolean,
): JobRequest | undefined {
  if (!isOpen) return undefined;
  const able = group.rows.filter((_, at) => !refusalIn(rows[at])).slice(0, 2);
  return able.find((row) => !gotNoAnswer(row));
}

/** The rows that are to be priced by themselves: all of a group that is wrong, else those that check it. */
function rowsByThemselves(facts: GroupFacts, isThorough: boolean): readonly JobRequest[] {
  const { group, reported, reportedAtMs, isOpen, rows, checks, isGuess, isWrong } = facts;
  if (reported === undefined || (isOpen && !isWrong)) return [];
  const isOutdated = (state: State) =>
    state?.data?.priceMicroUsd !== reported.priceMicroUsd &&
    (state?.dataUpdatedAt ?? 0) < reportedAtMs - PRICE_FRESH_MS;
  const isMissing = (state: State) => !refusalIn(state) && (!isValid(state) || (!isWrong && isOutdated(state)));
  const needsCheck = isThorough || isGuess || group.rows.length >= CHECKED_EARLY;
  // What has a price and lost its validity is asked for anew, also where nothing is checked.
  return group.rows.filter(
    (row, at) => isMissing(rows[at]) && (isWrong || rows[at]?.data || (needsCheck && checks.includes(row))),
  );
}

/** What the cache knows of the prices of some groups. */
export function readPrices(client: QueryClient, groups: readonly PriceGroup[]) {
  const facts = factsOf(client, groups);
  const positions = new Map(
    facts.flatMap((one) => one.group.rows.map((row, at) => [requestKey(row), { one, at }] as const)),
  );

  /** The price that is shown of a row, and where it comes from. */
  function shown(one: GroupFacts, row: JobRequest, own: State): { price: Price; from?: JobRequest; atMs?: number } {
    const { group, reported, reportedAtMs, isOpen, isChecked, isWrong, modelError } = one;
    const refusal = refusalIn(own);
    if (refusal) return { price: { state: "failed", error: refusal } };
    if (own?.data && (isValid(own) || !modelError)) {
      const { priceMicroUsd } = own.data;
      return { price: { state: "priced", priceMicroUsd, isExact: true }, from: row, atMs: own.dataUpdatedAt };
    }
    const isSure = reported !== undefined && (isChecked || group.numbersOf(row) === group.numbersOf(reported.request));
    if (isSure && !isWrong && !(isOpen && modelError)) {
      const { priceMicroUsd, request } = reported;
      return { price: { state: "priced", priceMicroUsd, isExact: false }, from: request, atMs: reportedAtMs };
    }
    return { price: modelError ? { state: "failed", error: modelError } : { state: "pricing" } };
  }

  /** The price of a request; `pricing` where it is in no group. */
  function of(request: JobRequest): Price {
    const place = positions.get(requestKey(request));
    return place ? shown(place.one, request, place.one.rows[place.at]).price : { state: "pricing" };
  }

  function progress(requests: readonly JobRequest[], schemas: ModelSchemas): PriceProgress {
    const loading = new Set(requests.flatMap(({ model }) => (schemas.get(model)?.state === "loading" ? model : [])));
    const asked = facts.map((one) => {
      if (one.modelError) return 0;
      return rowForGroup(one, () => false) ? 1 : rowsByThemselves(one, false).length;
    });
    const waiting = asked.reduce((sum, count) => sum + count, loading.size);
    const rows = facts.flatMap((one) => one.group.rows.map((row, at) => shown(one, row, one.rows[at])));
    const from = new Set(rows.flatMap((row) => (row.from ? requestKey(row.from) : [])));
    const atMs = rows.flatMap((row) => row.atMs ?? []);
    const failures = facts.flatMap((one) => one.rows.flatMap((row) => row?.fetchFailureReason ?? []));
    return {
      priced: requests.filter((request) => of(request).state === "priced").length,
      total: requests.length,
      estimates: from.size,
      waiting,
      secondsLeft: waiting === 0 ? undefined : Math.ceil(waiting / REQUESTS_PER_SECOND),
      askedAtMs: atMs.length === 0 ? undefined : atMs.reduce((a, b) => Math.min(a, b)),
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
  // The rows drop theirs one by one, and each group has only this one.
  client.setQueryDefaults([GROUPS], { gcTime: Number.POSITIVE_INFINITY });
  const running = new Map<string, Promise<unknown>>();
  const unanswered = new Map<string, unknown>();
  const asks = new Map<string, number>();
  const gotNoAnswer = (row: JobRequest) => unanswered.has(requestKey(row));
  const isFree = (row: JobRequest) =>
    !running.has(requestKey(row)) && !gotNoAnswer(row) && (asks.get(requestKey(row)) ?? 0) < MAX_ASKS;

  /** Groups without a price come first. */
  function next(): { row: JobRequest; group?: PriceGroup } | undefined {
    const facts = factsOf(client, groups).filter(({ modelError }) => modelError === undefined);
    for (const one of facts) {
      const row = rowForGroup(one, gotNoAnswer);
      if (row && isFree(row)) return { row, group: one.group };
    }
    for (const one of facts) {
      const row = rowsByThemselves(one, isThorough).find(isFree);
      if (row) return { row };
    }
    return undefined;
  }
  while (!signal?.aborted && !(isThorough && unanswered.size > 0)) {
    const ask = running.size < MAX_AT_ONCE ? next() : undefined;
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
 * Asks for the price of a row, where it is older than a minute anew; of its group, too, where that is given. Resolves once
 * there is a price or a refusal. Rejects with an `ApiError` where waiting may help.
 */
async function askRow({ api, client }: PriceAsker, row: JobRequest, group?: PriceGroup): Promise<void> {
  try {
    const reported = await client.fetchQuery(rowQuery(api, row));
    if (group === undefined) return;
    const updatedAt = stateOf(client, row)?.dataUpdatedAt;
    client.setQueryData<ReportedPrice>(keyOf(group), reported, updatedAt === undefined ? {} : { updatedAt });
  } catch (error) {
    if (isTransient(error)) throw error;
    // An older price of the group is no price of what the service refuses now.
    if (group) markOld(client, [group]);
  }
}

/** All that is known of some groups is asked for anew, refusals too. Prices stay until the new ones are there. */
export function renewPrices({ client }: PriceAsker, groups: readonly PriceGroup[]): void {
  const all = withRows(groups);
  const isOf = isAmong(all);
  void client.resetQueries({
    predicate: (query) => isIdle(query) && refusalIn(query.state) !== undefined && isOf(query),
  });
  markOld(client, all);
}

/** What the service said of a model holds for a minute: then whatever begins to ask asks again. */
export function forgetModelErrors({ client }: PriceAsker, groups: readonly PriceGroup[]): void {
  const limitMs = Date.now() - PRICE_FRESH_MS;
  const isOf = isAmong(withRows(groups));
  const isOld = ({ state }: Query) => isAboutModel(state.error) && state.errorUpdatedAt < limitMs;
  void client.resetQueries({ predicate: (query) => isIdle(query) && isOld(query) && isOf(query) });
}

/** What is known stays, and is asked for anew. */
function markOld(client: QueryClient, all: readonly (JobRequest | PriceGroup)[]): void {
  void client.invalidateQueries({ predicate: isAmong(all), refetchType: "none" });
}

const isIdle = ({ state }: Query) => state.fetchStatus === "idle";
const withRows = (groups: readonly PriceGroup[]) => groups.flatMap((group) => [group, ...group.rows]);

function isAmong(all: readonly (JobRequest | PriceGroup)[]): (query: Query) => boolean {
  const known = new Set(all.map(hashOf));
  return ({ queryHash }) => known.has(queryHash);
}

/**
 * What has to hold before some rows are agreed to: asks for what is not known, again for prices older than a minute (of
 * many, a part), and checks every group. Resolves to how many rows have another price than is `shown`, or none any more.
 * Rejects with the `ApiError` of the first estimate that got no answer in five tries.
 */
export async function checkPrices(
  asker: PriceAsker,
  groups: readonly PriceGroup[],
  shown: (row: JobRequest) => Price,
  requests: readonly JobRequest[],
): Promise<{ changed: number }> {
  const { client } = asker;
  const before = requests.map(shown);
  forgetModelErrors(asker, groups);
  const limitMs = Date.now() - PRICE_FRESH_MS;
  const old = factsOf(client, groups)
    .flatMap(({ group, reported, rows }) => [
      // The row whose price is that of the group goes with it.
      {
        of: group,
        parts: reported ? [group, reported.request] : [group],
        model: group.model,
        state: stateOf(client, group),
      },
      ...group.rows
        .map((row, at) => ({ of: row, parts: [row], model: row.model, state: rows[at] }))
        .filter(({ of }) => reported === undefined || requestKey(of) !== requestKey(reported.request)),
    ])
    .filter(({ state }) => state?.data !== undefined && state.dataUpdatedAt < limitMs)
    .sort((a, b) => (a.state?.dataUpdatedAt ?? 0) - (b.state?.dataUpdatedAt ?? 0));
  const [some, others] = [old.slice(0, MAX_AGAIN), old.slice(MAX_AGAIN)];
  const markAll = (all: typeof old) => {
    const parts: (JobRequest | PriceGroup)[] = all.flatMap((one) => one.parts);
    markOld(client, parts);
  };
  markAll(some);
  await askPrices(asker, groups, { isThorough: true });
  // What is still marked as old was refused.
  const isChanged = ({ of, state }: (typeof old)[number]) => {
    const now = stateOf(client, of);
    return !isValid(now) || now?.data?.priceMicroUsd !== state?.data?.priceMicroUsd;
  };
  const changed = new Set(some.filter(isChanged).map(({ model }) => model));
  markAll(others.filter(({ model }) => changed.has(model)));
  await askPrices(asker, groups, { isThorough: true });
  const now = readPrices(client, groups);
  return { changed: requests.filter((request, at) => !isSamePrice(now.of(request), before[at])).length };
}

const isSamePrice = (now: Price, before: Price | undefined) =>
  before?.state !== "priced" || (now.state === "priced" && now.priceMicroUsd === before.priceMicroUsd);

export interface RowPrices {
  /** Never throws; of a request that is not among the rows it is `pricing`. */
  of(request: JobRequest): Price;
  progress: PriceProgress;
  /**
   * What has to hold before these requests are agreed to (`checkPrices`). `changed`: how many of them have another price than
   * was shown, or none any more. Rejects with the `ApiError` of the first estimate that got no answer in five tries.
   */
  check(requests: readonly JobRequest[]): Promise<{ changed: number }>;
  /** Asks for all prices again. */
  refresh(): void;
}

/** How often it is looked whether something is to be asked for: what got no answer, or was found to be wrong meanwhile. */
const REST_MS = 30_000;
/** Answers that come together are shown together. */
const TOGETHER_MS = 100;

/**
 * The prices of many rows, live: rows that differ only in what does not move the price share one estimate. The rows may be
 * another list with each render. `countsNumbers`: numbers move the price, too.
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
    // Read for its change alone.
    void starts;
    const abort = new AbortController();
    void keepAsking(asker, groups, abort.signal);
    return () => abort.abort();
  }, [asker, groups, starts]);

  return useMemo(() => {
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
    // Prices that came since it was read.
    note();
    const stop = client.getQueryCache().subscribe(({ type, query }) => {
      if ((type !== "updated" && type !== "removed") || !holdsPrice(query)) return;
      if (type === "removed") onDropped();
      timer ??= setTimeout(() => {
        timer = undefined;
        note();
      }, TOGETHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, onDropped]);
  return changes;
}

async function keepAsking(asker: PriceAsker, groups: readonly PriceGroup[], signal: AbortSignal): Promise<void> {
  forgetModelErrors(asker, groups);
  while (!signal.aborted) {
    // What got no answer is shown by the prices, and has its next turn.
    await askPrices(asker, groups, { signal }).catch(() => undefined);
    await abortableDelay(REST_MS, signal).catch(() => undefined);
  }
}

/** The same list as long as it asks for the same. */
function useSameRows(requests: readonly JobRequest[]): readonly JobRequest[] {
  const [rows, setRows] = useState(requests);
  const isSame =
    rows === requests ||
    (rows.length === requests.length &&
      requests.every((request, at) => {
        const row = rows[at];
        return row === request || (row !== undefined && requestKey(row) === requestKey(request));
      }));
  if (!isSame) setRows(requests);
  return isSame ? rows : requests;
}
