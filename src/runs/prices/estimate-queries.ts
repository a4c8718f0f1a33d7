// The price of one payload: as a query, for a submit that waits for it, and live for a form; and which parts of a payload move it.
import {
  keepPreviousData,
  type QueryClient,
  QueryObserver,
  type QueryState,
  queryOptions,
  useQuery,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Api } from "#api/create-api.ts";
import { isTransient } from "#api/retry-policy.ts";
import type { JobRequest } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { getConnection } from "#connection/connection-store.ts";
import { perConnection } from "#connection/per-connection.ts";
import type { MicroUsd } from "#lib/money.ts";
import { noteModelAnswer } from "#models/inactive-models.ts";
import { mediaAddresses } from "#schema-form/media-value.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import { getPollControl } from "../poll/poll-control.ts";
import { payloadKey, requestKey } from "../request-key.ts";

/**
 * What is known of the price of a request. `formerMicroUsd`: the price before the last change, of the same model. `isExact`: the
 * service reported the price for this very payload, else for another one that costs the same by the rule of price groups.
 */
export type Price =
  | { state: "pricing"; formerMicroUsd?: MicroUsd | undefined }
  | { state: "priced"; priceMicroUsd: MicroUsd; isExact: boolean }
  | { state: "failed"; error: Error };

/** A price older than this is asked for again before anything is spent on it. */
export const PRICE_FRESH_MS = 60_000;

/** Who asks for a price: a form or a submit, which do not wait for the request budget, or something that can. */
type Pace = "unpaced" | "paced";

/** The client that asks for prices, and the cache in which the answers are stored. */
export interface PriceAsker {
  api: Api;
  client: QueryClient;
}

/** The key of a price in the cache. */
export const estimateKey = ({ model, payload }: JobRequest) => ["estimate", model, payloadKey(payload)];

/** The service's final refusal to name a price, from a query's state; undefined where a later try may succeed. */
export const refusalIn = (state: Pick<QueryState, "error"> | undefined) =>
  state?.error && !isTransient(state.error) ? state.error : undefined;

/** The account of a client. Answers to it show which models are inactive for that account. */
const getAccountId = perConnection((_: Api) => getConnection()?.accountId ?? "");

/**
 * The price of one exact payload, in micro-USD. Nothing is charged (spec 4.1), so it is a query. One that was sent is never
 * aborted: a form that changes must not take the price away from what else waits for it. Rejects with an `ApiError`.
 */
export const estimateQueries = (api: Api) => ({
  price: (request: JobRequest, pace: Pace = "unpaced") => {
    const accountId = getAccountId(api);
    return queryOptions({
      queryKey: estimateKey(request),
      queryFn: async () => {
        const { sendPaced, sendUnpaced } = getPollControl(api);
        const send = pace === "paced" ? sendPaced : sendUnpaced;
        try {
          const { priceMicroUsd } = await send(() => api.estimate(request));
          noteModelAnswer(accountId, request.model, "estimate");
          return { request, priceMicroUsd };
        } catch (error) {
          noteModelAnswer(accountId, request.model, "estimate", error);
          throw error;
        }
      },
      staleTime: PRICE_FRESH_MS,
      gcTime: 5 * PRICE_FRESH_MS,
    });
  },
});

/**
 * The price of one payload, at most a minute old, for a run that waits for it. It is observed meanwhile: a form that goes on to
 * another payload would end the tries after a failure (React Query drops those of a query that nobody observes). Rejects with
 * the `ApiError` of the last of five tries.
 */
export async function fetchPrice({ api, client }: PriceAsker, request: JobRequest): Promise<MicroUsd> {
  const query = estimateQueries(api).price(request);
  const stop = new QueryObserver(client, { ...query, enabled: false }).subscribe(() => undefined);
  try {
    return (await client.fetchQuery(query)).priceMicroUsd;
  } finally {
    stop();
  }
}

/** How long a form must stay unchanged before its price is asked for. */
const REST_MS = 300;
/** This long after a change that leaves the expected price as it is, such as one of the prompt. */
const LONG_REST_MS = 2000;
const NO_REQUEST: JobRequest = { model: "", payload: {} };

/**
 * The live price of a request, for the Run button: asked for when the form rests, and the newest answer wins. Where only
 * words, seeds or images changed, the last price stays as the expected one and is asked for after a longer rest; a run asks
 * for the exact price in any case. `failed` says why the newest payload has no price.
 */
export function useEstimate(request: JobRequest | undefined, schema: FormSchema): { price: Price; retry: () => void } {
  const wanted = request ?? NO_REQUEST;
  const key = requestKey(wanted);
  const [rested, setRested] = useState(key);
  const isResting = rested === key;
  const query = useQuery({
    ...estimateQueries(useApi()).price(wanted),
    enabled: request !== undefined && isResting,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  // A price of another model is no hint for this one.
  const last = query.data?.request.model === wanted.model ? query.data : undefined;
  // After the newest payload was refused no price is expected, until one comes.
  const [wasRefused, setWasRefused] = useState(false);
  const isRefused = query.isError || (wasRefused && (query.isPending || query.isPlaceholderData));
  if (isRefused !== wasRefused) setWasRefused(isRefused);
  const isExpected = last !== undefined && !isRefused && costsTheSame(last.request, wanted, schema);
  const restMs = isExpected ? LONG_REST_MS : REST_MS;
  useEffect(() => {
    const wait = setTimeout(() => setRested(key), restMs);
    return () => clearTimeout(wait);
  }, [key, restMs]);

  const retry = () => void query.refetch();
  if (request !== undefined && isResting && !query.isFetching && query.error !== null) {
    return { price: { state: "failed", error: query.error }, retry };
  }
  const isExact = isResting && !query.isPlaceholderData && !query.isError && !(query.isFetching && query.isStale);
  if (last !== undefined && (isExact || isExpected)) {
    return { price: { state: "priced", priceMicroUsd: last.priceMicroUsd, isExact }, retry };
  }
  return { price: { state: "pricing", formerMicroUsd: last?.priceMicroUsd }, retry };
}

/** What the service applies of a parameter: what is sent, else its default. */
export const effectiveValue = (field: Field, payload: JobRequest["payload"]): unknown =>
  Object.hasOwn(payload, field.key) ? payload[field.key] : field.defaultValue;

/** Roles of the fields that set how many results there are, how large, or how long: they move the price. */
const SHAPE_ROLES: ReadonlySet<Role> = new Set<Role>([
  "count",
  "aspect-ratio",
  "size",
  "width",
  "height",
  "resolution",
  "duration",
]);
/** Roles of the fields that never move the price. */
const FREE_ROLES: ReadonlySet<Role> = new Set<Role>(["prompt", "negative-prompt", "seed"]);

/**
 * Whether a price stays the same whatever stands in this field: prices are flat per image, or per clip by resolution and
 * duration, never by words (spec 1).
 */
export function isFreeOfPrice(field: Field): boolean {
  if (field.role !== undefined && FREE_ROLES.has(field.role)) return true;
  if (field.kind === "media") return field.media === "image";
  return field.kind === "text" && field.suggestions.length === 0 && !isShape(field);
}

const isShape = ({ role }: Field) => role !== undefined && SHAPE_ROLES.has(role);

/** The parts of a request from which its price follows, as texts to compare. */
export interface PriceKeys {
  /** The key of the price group: the model, and all that moves the price, defaults filled in. */
  group: string;
  /** The numbers that are taken not to move the price. */
  numbers: string;
}

/**
 * The price keys of a request. Numbers that are no count, size or length of results do not move the price (spec 1). Of images
 * their number counts and not what they are. Without a schema every payload stands for itself.
 */
export function priceKeys(request: JobRequest, schema: FormSchema | undefined): PriceKeys {
  if (schema === undefined) return { group: requestKey(request), numbers: "" };
  const { model, payload } = request;
  const group = [JSON.stringify(model)];
  const numbers: string[] = [];
  const listed = new Set<string>();
  for (const field of schema.fields) {
    listed.add(field.key);
    const value = effectiveValue(field, payload);
    if (value === undefined || (value === null && (field.defaultValue ?? null) === null)) continue;
    const name = JSON.stringify(field.key);
    if (!isFreeOfPrice(field)) {
      const target = field.kind === "number" && !isShape(field) ? numbers : group;
      target.push(`${name}:${payloadKey(value)}`);
    } else if (field.kind === "media") {
      const files = mediaAddresses(value).filter((address) => address !== "").length;
      if (files > 0) group.push(`${name}:${files}`);
    }
  }
  for (const key of Object.keys(payload).sort()) {
    if (!listed.has(key)) group.push(`${JSON.stringify(key)}:${payloadKey(payload[key])}`);
  }
  return { group: group.join("\n"), numbers: numbers.join("\n") };
}

/** Whether two payloads of a model surely cost the same (spec 1). */
function costsTheSame(a: JobRequest, b: JobRequest, schema: FormSchema): boolean {
  const [keysOfA, keysOfB] = [priceKeys(a, schema), priceKeys(b, schema)];
  return keysOfA.group === keysOfB.group && keysOfA.numbers === keysOfB.numbers;
}
