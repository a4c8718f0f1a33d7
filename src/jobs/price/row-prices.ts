import { hashKey, type Query, type QueryClient, type QueryState, queryOptions } from "@tanstack/react-query";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import { payloadKey, requestKey } from "../request-key.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";
import { estimateQueries, PRICE_FRESH_MS, type Price } from "./estimate-queries.ts";
import { type PriceGroup, rowsToCheck } from "./price-groups.ts";

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
  /** When the oldest of the shown prices was told, Unix ms; undefined while none is. */
  askedAtMs: number | undefined;
  /** Why nothing comes for a moment: the service was busy, or did not answer. It is asked again by itself. */
  trouble: Error | undefined;
}

interface Told {
  request: JobRequest;
  priceMicroUsd: MicroUsd;
}
type State = QueryState<Told> | undefined;

/** Whose prices are asked for, and what is called after each answer. */
export interface PriceAsker {
  api: Api;
  client: QueryClient;
  onAnswer?: () => void;
}

/** Requests under way at once: enough to use the budget, and so few that polls wait for little. */
const MOST_AT_ONCE = 3;
/** As the budget of the connection allows it (`poll/request-budget.ts`). */
const REQUESTS_PER_SECOND = 2;
/** A group of so many rows is checked while drafting, every other one before it is agreed to. */
const CHECKED_EARLY = 6;
/** So many old prices are asked for again before a run: of a model where one of them has changed, all. */
const MOST_AGAIN = 12;
/** Refusals that are about the key or the model: no other payload fares better (spec 7). */
const ABOUT_MODEL = new Set([401, 403, 404]);

/**
 * The price of a group: that of its first row that the service does not refuse. Rejects with the last refusal where it
 * refuses all, and at once where that is about the model.
 */
const groupQuery = (api: Api, group: PriceGroup) =>
  queryOptions({
    queryKey: groupKey(group),
    queryFn: async ({ client }): Promise<Told> => {
      let refusal: unknown = new Error("No row is left to be priced.");
      for (const row of group.rows) {
        const known = refusalIn(stateOf(client, row));
        if (known) refusal = known;
        else {
          try {
            return await client.fetchQuery({ ...rowQuery(api, row), retry: false });
          } catch (error) {
            if (isTransient(error) || isAboutModel(error)) throw error;
            refusal = error;
          }
        }
      }
      throw refusal;
    },
    staleTime: PRICE_FRESH_MS,
    gcTime: 5 * PRICE_FRESH_MS,
  });

export type PriceQuery = ReturnType<typeof groupQuery> | ReturnType<typeof rowQuery>;

const groupKey = ({ key }: PriceGroup) => ["price-group", key];
const rowKey = ({ model, payload }: JobRequest) => ["estimate", model, payloadKey(payload)];
const rowQuery = (api: Api, row: JobRequest) => estimateQueries(api).price(row, "paced");

const hashes = new WeakMap<JobRequest | PriceGroup, string>();

/** What the cache holds under a key. Thousands are looked up at once, so the name of each key is made once. */
function stateOf(client: QueryClient, of: JobRequest | PriceGroup): State {
  const hash = hashes.get(of) ?? hashKey("payload" in of ? rowKey(of) : groupKey(of));
  hashes.set(of, hash);
  return client.getQueryCache().get<Told>(hash)?.state;
}

const isAboutModel = (error: unknown) => error instanceof RefusedError && ABOUT_MODEL.has(error.status);
/** Why there is no price, where waiting does not change that. */
const refusalIn = (state: State) => (state?.error && !isTransient(state.error) ? state.error : undefined);
/** A price that is not to be asked for anew. */
const isKnown = (state: State) => state?.data !== undefined && !state.isInvalidated;

/** What is known of a group. */
interface GroupFacts {
  group: PriceGroup;
  state: State;
  told: Told | undefined;
  /** By row, in the order of the group. */
  rows: readonly State[];
  /** A row has another price than the group: each is priced by itself. */
  isWrong: boolean;
  /** What the service said of the model, for this group or for another one. */
  modelError: Error | undefined;
}

function factsOf(client: QueryClient, groups: readonly PriceGroup[]): GroupFacts[] {
  const modelErrors = new Map<string, Error>();
  const facts = groups.map((group) => {
    const state = stateOf(client, group);
    const refusal = refusalIn(state);
    if (refusal && isAboutModel(refusal)) modelErrors.set(group.model, refusal);
    const told = refusal ? undefined : state?.data;
    const rows = group.rows.map((row) => stateOf(client, row));
    const isWrong = rows.some((row) => isKnown(row) && told && row?.data?.priceMicroUsd !== told.priceMicroUsd);
    return { group, state, told, rows, isWrong };
  });
  return facts.map((one) => ({ ...one, modelError: modelErrors.get(one.group.model) }));
}

/** Whether a group is to be asked for its price. */
function needsPrice({ state, told, rows, modelError }: GroupFacts): boolean {
  if (modelError || (told && isKnown(state))) return false;
  return rows.some((row) => !refusalIn(row));
}

/** The rows of a group that are to be priced by themselves: all where it is wrong, else those that check it. */
function rowsToAsk({ group, told, rows, isWrong, modelError }: GroupFacts, isThorough: boolean): readonly JobRequest[] {
  if (told === undefined || modelError) return [];
  const isOpen = (state: State) => !isKnown(state) && !refusalIn(state);
  if (isWrong) return group.rows.filter((_, at) => isOpen(rows[at]));
  const asked = group.rows.filter((_, at) => rows[at]?.data && isOpen(rows[at]));
  if (!isThorough && !group.isGuess && group.rows.length < CHECKED_EARLY) return asked;
  const open = new Set(group.rows.filter((_, at) => isOpen(rows[at])));
  return [...new Set([...asked, ...rowsToCheck(group, told.request).filter((row) => open.has(row))])];
}

/** What the cache knows of the prices of some groups. Never throws. */
export function readPrices(client: QueryClient, groups: readonly PriceGroup[]) {
  const facts = factsOf(client, groups);
  const places = new Map(
    facts.flatMap((one) => one.group.rows.map((row, at) => [requestKey(row), { one, at }] as const)),
  );

  /** Of a request that is in none of the groups it is `pricing`. */
  function of(request: JobRequest): Price {
    const place = places.get(requestKey(request));
    if (!place) return { state: "pricing" };
    const { told, state, rows, isWrong, modelError } = place.one;
    const own = rows[place.at];
    const refusal = refusalIn(own);
    if (refusal) return { state: "failed", error: refusal };
    if (own?.data) return { state: "priced", priceMicroUsd: own.data.priceMicroUsd, isExact: true };
    if (told && !isWrong) return { state: "priced", priceMicroUsd: told.priceMicroUsd, isExact: false };
    const error = modelError ?? (needsPrice(place.one) ? undefined : refusalIn(state));
    return error && !told ? { state: "failed", error } : { state: "pricing" };
  }

  function progress(requests: readonly JobRequest[], schemas: ModelSchemas): PriceProgress {
    const loading = new Set(requests.flatMap(({ model }) => (schemas.get(model)?.state === "loading" ? model : [])));
    const asking = facts.reduce((sum, one) => sum + (needsPrice(one) ? 1 : rowsToAsk(one, false).length), 0);
    const waiting = loading.size + asking;
    const states = facts.flatMap(({ state, rows }) => [state, ...rows]);
    const estimates = new Set(
      facts.flatMap(({ group, told, rows }) => [
        ...(told ? [requestKey(told.request)] : []),
        ...group.rows.flatMap((row, at) => (rows[at]?.data ? requestKey(row) : [])),
      ]),
    );
    const atMs = facts.flatMap(({ told, state, rows, isWrong }) =>
      isWrong ? rows.flatMap((row) => row?.dataUpdatedAt || []) : ((told && state?.dataUpdatedAt) ?? []),
    );
    const troubles = states.flatMap((state) => state?.fetchFailureReason ?? []);
    return {
      priced: requests.filter((request) => of(request).state === "priced").length,
      total: requests.length,
      estimates: estimates.size,
      waiting,
      secondsLeft: waiting === 0 ? undefined : Math.ceil(waiting / REQUESTS_PER_SECOND),
      askedAtMs: atMs.length === 0 ? undefined : atMs.reduce((a, b) => Math.min(a, b)),
      trouble: waiting === 0 ? undefined : troubles.find(isTransient),
    };
  }

  return { of, progress };
}

/** The queries in the cache that hold the prices of some groups, and those that are asked for next. */
export function observedQueries(api: Api, client: QueryClient, groups: readonly PriceGroup[]): PriceQuery[] {
  return factsOf(client, groups).flatMap((facts) => {
    const { group, state, told, rows, isWrong } = facts;
    const known = group.rows.filter((row, at) => rows[at] && (isWrong || row !== told?.request));
    const own = [...new Set([...known, ...rowsToAsk(facts, false)])].map((row) => rowQuery(api, row));
    return state ? [groupQuery(api, group), ...own] : own;
  });
}

/**
 * Asks for all that is not known of the prices of some groups: one estimate for each group, then the rows that check it,
 * then each row of a group that is wrong. `isThorough`: every group is checked. Resolves once nothing is open, or once
 * `signal` aborts. What the service refuses is in the cache. Rejects with the `ApiError` of an estimate that got no answer
 * in five tries: at once where it is thorough, else when all others were asked for.
 */
export async function askPrices(
  asker: PriceAsker,
  groups: readonly PriceGroup[],
  { isThorough = false, signal }: { isThorough?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const { api, client } = asker;
  const options = { isStrict: isThorough, signal };
  const failedModels = new Set<string>();
  const open = factsOf(client, groups).filter(needsPrice);
  await each(open, options, async ({ group }) => {
    if (failedModels.has(group.model)) return;
    const refusal = await ask(asker, groupQuery(api, group));
    if (isAboutModel(refusal)) failedModels.add(group.model);
  });
  while (!signal?.aborted) {
    const rows = factsOf(client, groups).flatMap((facts) => rowsToAsk(facts, isThorough));
    if (rows.length === 0) return;
    await each(rows, options, (row) => ask(asker, rowQuery(api, row)));
  }
}

/** Marks what is known of some groups as old, so that it is asked for anew. Prices stay until the new ones are there. */
export function forgetPrices({ client }: PriceAsker, groups: readonly PriceGroup[]): void {
  const keys = groups.flatMap((group) => [groupKey(group), ...group.rows.map(rowKey)]);
  const names = new Set(keys.map(hashKey));
  const isOf = ({ queryHash }: Query) => names.has(queryHash);
  void client.resetQueries({ predicate: (query) => isOf(query) && query.state.status === "error" });
  void client.invalidateQueries({ predicate: isOf, refetchType: "none" });
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
  const before = requests.map(shown);
  await askAgain(asker, groups);
  await askPrices(asker, groups, { isThorough: true });
  const now = readPrices(asker.client, groups);
  return { changed: requests.filter((request, at) => !isSamePrice(now.of(request), before[at])).length };
}

async function askAgain(asker: PriceAsker, groups: readonly PriceGroup[]): Promise<void> {
  const { api, client } = asker;
  const limitMs = Date.now() - PRICE_FRESH_MS;
  const used = factsOf(client, groups).flatMap(({ group, state, rows }) => [
    { model: group.model, state, query: groupQuery(api, group) },
    ...group.rows
      .map((row, at) => ({ model: group.model, state: rows[at], query: rowQuery(api, row) }))
      // The first is asked for with its group.
      .filter((_, at) => at !== rows.findIndex((row) => !refusalIn(row))),
  ]);
  const old = used
    .filter(({ state }) => state?.data !== undefined && state.dataUpdatedAt < limitMs)
    .sort((a, b) => (a.state?.dataUpdatedAt ?? 0) - (b.state?.dataUpdatedAt ?? 0));
  const changed = new Set<string>();
  await each(old.slice(0, MOST_AGAIN), { isStrict: true }, async ({ model, state, query }) => {
    await ask(asker, query);
    const now = client.getQueryState<Told>(query.queryKey);
    if (refusalIn(now) || now?.data?.priceMicroUsd !== state?.data?.priceMicroUsd) changed.add(model);
  });
  const others = old.slice(MOST_AGAIN).filter(({ model }) => changed.has(model));
  await each(others, { isStrict: true }, ({ query }) => ask(asker, query));
}

/** Asks for a price, where it is older than a minute anew. Resolves to why it was refused. Rejects where waiting may help. */
async function ask({ client, onAnswer }: PriceAsker, query: PriceQuery): Promise<Error | undefined> {
  try {
    await client.fetchQuery(query as ReturnType<typeof rowQuery>);
    return undefined;
  } catch (error) {
    if (isTransient(error) || !(error instanceof Error)) throw error;
    return error;
  } finally {
    onAnswer?.();
  }
}

/** Three at a time. An error ends it: a strict one at once, else all others have their turn first. */
async function each<Item>(
  items: readonly Item[],
  { isStrict, signal }: { isStrict: boolean; signal?: AbortSignal | undefined },
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const errors: unknown[] = [];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined && !signal?.aborted; item = left.shift()) {
      await act(item).catch((error: unknown) => errors.push(error));
      if (isStrict && errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: MOST_AT_ONCE }, worker));
  if (errors.length > 0) throw errors[0];
}

const isSamePrice = (now: Price, before: Price | undefined) =>
  before?.state !== "priced" || (now.state === "priced" && now.priceMicroUsd === before.priceMicroUsd);
