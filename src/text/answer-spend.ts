import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "#api/api-error.ts";
import { MESSAGE_NOT_CHARGED } from "#api/charge-words.ts";
import type { Api } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import type { TextEvent } from "#api/text/text-types.ts";
import { useApi } from "#connection/client.ts";
import { useConnection } from "#connection/connection-store.ts";
import { dollarFormat, formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import { randomId } from "#lib/random-id.ts";
import { asLooseNumber, asNumber, isRecord, type JsonRecord } from "#lib/read.ts";
import { dayStart } from "#lib/time.ts";
import { type LedgerLine, type LedgerTokens, ledgerChange, ledgerId, ledgerRows } from "#runs/ledger/ledger.ts";
import { readProjects } from "#runs/ledger/projects.ts";
import {
  CAP_WORDS,
  checkStoredLimits,
  limitsKey,
  projectsKey,
  readLimits,
  readProjectCap,
  readReservations,
  reservationReads,
  reservationsChange,
  reservationsKey,
} from "#runs/ledger/spend-limits.ts";
import {
  type BrokenCap,
  findExceededLimit,
  type Reservations,
  withoutOpenReservation,
  withReservation,
} from "#runs/rules/limits.ts";
import { openRows } from "#storage/database.ts";
import type { RowStore, StoredRow } from "#storage/rows.ts";
import { measure, NO_FACTS, OverLimitError, type ResponseFacts, type StoredError } from "./answer.ts";
import { estimateTokens, type TextClient, useTextClient } from "./answer-request.ts";
import { DEFAULT_MAX_TOKENS } from "./conversations/conversation.ts";
import { outputLimit } from "./text-model-facts.ts";
import { textModelQueries } from "./text-model-queries.ts";

// What responses of text models cost: a ledger line from the moment a request is sent, settled when its response ends.

/** Resolves to a model's entry in the catalogue; to undefined where there is none or it cannot be read. */
export type ModelEntry = (model: string) => Promise<JsonRecord | undefined>;

/** One request to a text endpoint that may cost. */
interface ResponseOrder {
  answerId: string;
  model: string;
  atMs: number;
  projectId: string | undefined;
  /** The most that it may cost; undefined where no price or no length is known. */
  mostMicroUsd: MicroUsd | undefined;
}

/** How a request ended, as far as money is concerned. */
type ResponseEnd =
  | { how: "counted"; amountMicroUsd: MicroUsd; tokens: LedgerTokens }
  | { how: "no-list-price"; tokens: LedgerTokens }
  | { how: "no-count" }
  /** Refused with certainty: nothing was charged. */
  | { how: "refused" }
  /** Stopped, cut off or failed on the way: it may have been charged. */
  | { how: "broken-off" };

interface Spend {
  accountId: string;
  /** The project under whose limit the responses are counted; undefined for none. */
  projectId: string | undefined;
  entryOf: ModelEntry;
}

/**
 * A client that enters each request in the ledger: as open before it is sent, and settled when it ends. A page that is
 * closed in between leaves the open line. A request that a limit refuses is not sent: its stream throws
 * `OverLimitError`. A ledger that cannot be written stops a response only where a limit is set, or may be set.
 */
export function spendingClient(client: TextClient, spend: Spend): TextClient {
  return {
    stream: (endpoint, body, options) => recordSpend(client.stream(endpoint, body, options), body, spend),
  };
}

async function* recordSpend(
  events: AsyncGenerator<TextEvent>,
  body: JsonRecord,
  spend: Spend,
): AsyncGenerator<TextEvent> {
  const model = typeof body.model === "string" ? body.model : "";
  let order: ResponseOrder | undefined;
  let facts = NO_FACTS;
  let last: TextEvent | undefined;
  let waitsToRetry = false;
  try {
    for await (const event of events) {
      // The client sends a request only when the event after `request` is asked for. So the line is written first, and
      // nothing is sent if `openOrder` throws. A retry after a refusal belongs to the same response.
      if (event.kind === "request" && order === undefined) order = await openOrder(body, model, spend);
      if (event.kind === "request" || event.kind === "retry") waitsToRetry = event.kind === "retry";
      if (event.kind === "usage") facts = measure(facts, event);
      last = event;
      yield event;
    }
  } finally {
    if (order) {
      // Ended while it waited to retry: the service refused every attempt, and none is under way.
      const end: ResponseEnd = waitsToRetry ? { how: "refused" } : await classifyEnd(last, facts, model, spend);
      await settleInTime(order, end, spend);
    }
  }
}

/** Writes the open line of a request. Throws `OverLimitError` where a limit refuses it or cannot be checked. */
async function openOrder(
  body: JsonRecord,
  model: string,
  { accountId, projectId, entryOf }: Spend,
): Promise<ResponseOrder> {
  const entry = await inTime(entryOf(model));
  const most = maxResponseMicroUsd(entry, {
    input: bodyTokens(body),
    output: maxOutputTokens(body),
    times: responseCount(body),
  });
  const order: ResponseOrder = { answerId: randomId(), model, atMs: Date.now(), projectId, mostMicroUsd: most };
  const opening = openRows().then((rows) => openResponse(rows, accountId, order));
  const limitLookup = openRows().then((rows) => hasLimit(rows, accountId, projectId));
  const isLimited = await inTime(limitLookup).catch(() => undefined);
  const written = opening.then((broken) => ({ broken }));
  // Where it is unknown whether a limit is set, there may be one: the order must be in the ledger, which checks it.
  const mustBeWritten = isLimited !== false;
  const outcome = await inTime(written, mustBeWritten ? LEDGER_PATIENCE_MS : PATIENCE_MS).catch(() => undefined);
  if (outcome?.broken) throw new OverLimitError(limitWords({ ...outcome.broken, mostMicroUsd: most }));
  if (outcome === undefined && mustBeWritten) {
    void releaseLate(opening, order, accountId);
    throw new OverLimitError(UNCHECKED);
  }
  return order;
}

/** Releases the reservation of an order that was written only after its response was given up. */
async function releaseLate(opening: Promise<BrokenCap | undefined>, order: ResponseOrder, accountId: string) {
  try {
    if ((await opening) === undefined) await settleResponse(await openRows(), accountId, order, { how: "refused" });
  } catch {
    // Not written at all, so there is nothing to release.
  }
}

const UNCHECKED: StoredError = {
  title: "Not sent: couldn’t check your limits",
  body: "This browser couldn’t use its storage, where your spending is counted.",
  chargedText: MESSAGE_NOT_CHARGED.unsent,
  nextStep: "Reload this tab and send the message again. If it happens again, free some disk space.",
};

/** Writes the end into the ledger. After `PATIENCE_MS` the response no longer waits, and the write goes on. */
async function settleInTime(order: ResponseOrder, end: ResponseEnd, { accountId }: Spend): Promise<void> {
  const settling = openRows().then((rows) => settleResponse(rows, accountId, order, end));
  await inTime(settling.catch(() => {}));
}

async function classifyEnd(
  last: TextEvent | undefined,
  facts: ResponseFacts,
  model: string,
  { entryOf }: Spend,
): Promise<ResponseEnd> {
  if (last?.kind === "error") return { how: isNotCharged(last.error) ? "refused" : "broken-off" };
  if (last?.kind !== "end" || last.how !== "complete") return { how: "broken-off" };
  const { inputTokens: input, outputTokens: output } = facts;
  if (input === undefined || output === undefined) return { how: "no-count" };
  const tokens = { input, output };
  const entry = await inTime(entryOf(model));
  const amountMicroUsd = responseMicroUsd(facts, entry && readTextPrice(entry));
  return amountMicroUsd === undefined ? { how: "no-list-price", tokens } : { how: "counted", amountMicroUsd, tokens };
}

/** Decided as for the message beside the response, so that the ledger and the message agree. */
const isNotCharged = (error: ApiError) => explainError(error, "text").charged === "no";

/** How long a response waits for the catalogue or the ledger. */
const PATIENCE_MS = 3000;
/** How long it waits for the ledger where a limit depends on it: long enough for a slow disk. */
const LEDGER_PATIENCE_MS = 15_000;

/** Resolves as `promise` does, or with undefined after `patienceMs`. Rejects as the promise does. */
export async function inTime<T>(promise: Promise<T>, patienceMs = PATIENCE_MS): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Stands for an unknown cost. It is more than nothing, so that a limit that is reached refuses the response. */
const UNKNOWN_COST_MICRO_USD: MicroUsd = 1;

/**
 * Writes the open line of a response and reserves the most that it may cost, in one transaction over all tabs. Resolves
 * to the limit that it would break: then nothing was written, and nothing may be sent. Rejects with a `StorageError`
 * when nothing could be written.
 */
async function openResponse(rows: RowStore, accountId: string, order: ResponseOrder): Promise<BrokenCap | undefined> {
  const { answerId, atMs, mostMicroUsd } = order;
  const projectCap = await readProjectCap(rows, accountId, order.projectId);
  const key = ledgerId.answer(accountId, answerId);
  return rows.edit<BrokenCap | undefined>(
    { store: "ledger", key, reads: reservationReads(accountId) },
    (current, stored) => {
      // Without a limit a response waits for this write only a while: this one comes after the response was settled.
      if (current !== undefined) return { changes: [], result: undefined };
      const { reservations, broken } = checkStoredLimits(
        stored,
        mostMicroUsd ?? UNKNOWN_COST_MICRO_USD,
        atMs,
        projectCap,
      );
      if (broken) return { changes: [], result: broken };
      const line = ledgerChange(accountId, ledgerLine(accountId, order, { kind: "unconfirmed", evidence: "sent" }));
      return { changes: [line, ...reservationChanges(accountId, order, reservations)], result: undefined };
    },
  );
}

function reservationChanges(accountId: string, order: ResponseOrder, reservations: Reservations) {
  const added = createReservation(order);
  return added ? [reservationsChange(accountId, withReservation(reservations, added))] : [];
}

/** What is reserved while a response is under way: no charge is known, and the amount is the most that it may cost. */
function createReservation({ answerId, atMs, mostMicroUsd, projectId }: ResponseOrder) {
  if (mostMicroUsd === undefined) return undefined;
  const project = projectId === undefined ? {} : { projectId };
  return {
    intentId: answerId,
    atMs,
    amountMicroUsd: mostMicroUsd,
    requestId: undefined,
    ...project,
    isBound: true as const,
  };
}

/**
 * Settles a response: its ledger line, and its reservation under the limits. A line that is settled already stays as it
 * is. If the cost stays unknown, the most that the response may have cost stays reserved. Rejects with a `StorageError`
 * when nothing could be written; then the line stays open.
 */
async function settleResponse(
  rows: RowStore,
  accountId: string,
  order: ResponseOrder,
  end: ResponseEnd,
): Promise<void> {
  const key = ledgerId.answer(accountId, order.answerId);
  const reads = [{ store: "settings" as const, key: reservationsKey(accountId) }];
  await rows.edit({ store: "ledger", key, reads }, (current, [reserved]) => {
    const line = current && ledgerRows.read(current.body, current);
    if (line && line.evidence !== "sent") return { changes: [], result: undefined };
    // The person may have moved the line to another project meanwhile.
    const movedOrder = line ? { ...order, projectId: line.projectId } : order;
    const reservations = readReservations(reserved);
    const settled = settleReservation(reservations, movedOrder, end);
    return {
      changes: [
        ledgerChange(accountId, ledgerLine(accountId, movedOrder, settledFacts(end))),
        ...(settled === reservations ? [] : [reservationsChange(accountId, settled)]),
      ],
      result: undefined,
    };
  });
}

function settleReservation(reservations: Reservations, order: ResponseOrder, end: ResponseEnd): Reservations {
  const { answerId, atMs, projectId } = order;
  if (end.how === "refused") return withoutOpenReservation(reservations, answerId);
  if (end.how !== "counted") return reservations;
  return withReservation(withoutOpenReservation(reservations, answerId), {
    intentId: answerId,
    requestId: answerId,
    atMs,
    amountMicroUsd: end.amountMicroUsd,
    ...(projectId === undefined ? {} : { projectId }),
  });
}

type LineFacts = Pick<LedgerLine, "kind" | "evidence"> & Partial<Pick<LedgerLine, "amountMicroUsd" | "tokens">>;

function settledFacts(end: ResponseEnd): LineFacts {
  if (end.how === "refused") return { kind: "not-charged", evidence: "refused", amountMicroUsd: 0 };
  if (end.how === "broken-off") return { kind: "unconfirmed", evidence: "broken-off" };
  const { how, ...known } = end;
  return { kind: "charged", evidence: how, ...known };
}

function ledgerLine(accountId: string, order: ResponseOrder, facts: LineFacts): LedgerLine {
  const { answerId, atMs, model, projectId, mostMicroUsd } = order;
  const isKnown = facts.amountMicroUsd !== undefined;
  return {
    id: ledgerId.answer(accountId, answerId),
    atMs,
    model,
    requestId: undefined,
    intentId: undefined,
    answerId,
    amountMicroUsd: undefined,
    ...facts,
    ...(projectId === undefined ? {} : { projectId }),
    ...(isKnown || mostMicroUsd === undefined ? {} : { mostMicroUsd }),
  };
}

/** Whether a limit is set that counts responses of this project. Rejects where the database cannot be read. */
async function hasLimit(rows: RowStore, accountId: string, projectId: string | undefined): Promise<boolean> {
  const [stored, list] = await Promise.all([
    rows.get("settings", limitsKey(accountId)),
    rows.get("settings", projectsKey(accountId)),
  ]);
  const { perRunMicroUsd, perDayMicroUsd } = readLimits(stored);
  const project = readProjects(list).projects.find(({ id }) => id === projectId);
  return [perRunMicroUsd, perDayMicroUsd, project?.capMicroUsd].some((cap) => cap !== undefined);
}

/**
 * The limit that responses would break together, for a warning before they are sent. Reserves nothing. `most`: what each
 * response may cost at most; undefined where that is not known. Rejects where the database cannot be read.
 */
export async function findBrokenLimit(
  rows: RowStore,
  accountId: string,
  responses: { most: readonly (MicroUsd | undefined)[]; projectId: string | undefined; nowMs: number },
): Promise<(BrokenCap & { mostMicroUsd: MicroUsd | undefined }) | undefined> {
  const [reserved, stored, projectCap] = await Promise.all([
    rows.get("settings", reservationsKey(accountId)),
    rows.get("settings", limitsKey(accountId)),
    readProjectCap(rows, accountId, responses.projectId),
  ]);
  return findBrokenLimitInRows({ reserved, stored }, projectCap, responses);
}

function findBrokenLimitInRows(
  { reserved, stored }: Record<"reserved" | "stored", StoredRow | undefined>,
  projectCap: Parameters<typeof findExceededLimit>[4],
  { most, nowMs }: { most: readonly (MicroUsd | undefined)[]; nowMs: number },
): (BrokenCap & { mostMicroUsd: MicroUsd | undefined }) | undefined {
  const limits = readLimits(stored);
  // The limit per run applies to each response, the other limits to their sum.
  for (const cost of most) {
    const { perRunMicroUsd } = limits;
    const overByMicroUsd = (cost ?? UNKNOWN_COST_MICRO_USD) - (perRunMicroUsd ?? Number.POSITIVE_INFINITY);
    if (overByMicroUsd > 0) return { cap: "run", overByMicroUsd, mostMicroUsd: cost };
  }
  const total = most.reduce<MicroUsd>((sum, cost) => sum + (cost ?? UNKNOWN_COST_MICRO_USD), 0);
  const sharedLimits = { ...limits, perRunMicroUsd: undefined };
  const broken = findExceededLimit(sharedLimits, readReservations(reserved), total, dayStart(nowMs), projectCap);
  return broken && { ...broken, mostMicroUsd: most.includes(undefined) ? undefined : total };
}

/** Tokens of a request and of its response at most. `times`: how many responses the request asks for. */
interface ResponseSize {
  input: number;
  output: number | undefined;
  times?: number;
}

/**
 * The most that a response may cost by the list price, in whole micro-USD. Undefined where the catalogue gives no price,
 * or neither the request nor the catalogue limits the response. `input` is an estimate.
 */
export function maxResponseMicroUsd(entry: JsonRecord | undefined, { input, output, times = 1 }: ResponseSize) {
  const price = entry && readTextPrice(entry);
  const longest = output ?? (entry && outputLimit(entry));
  if (price === undefined || longest === undefined) return undefined;
  return maxMicroUsd({ inputTokens: input, outputTokens: longest * times }, price);
}

/** Tokens of a picture that is sent along: no service counts more for a picture of a usual size. */
const PICTURE_TOKENS = 1600;
/** A longer text without a space is a file in Base64. */
const MAX_WORD_LENGTH = 4000;

/** The estimated tokens of all texts and pictures in a request body. */
function bodyTokens(value: unknown): number {
  if (typeof value === "string") {
    const isFile = value.length > MAX_WORD_LENGTH && !/\s/.test(value);
    return isFile ? PICTURE_TOKENS : estimateTokens(value);
  }
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, field) => sum + bodyTokens(field), 0);
}

function maxOutputTokens(body: JsonRecord): number | undefined {
  // Only the responses endpoint has `input`. It has no default: the model's own limit applies.
  if (Object.hasOwn(body, "input")) return asNumber(body.max_output_tokens);
  return asNumber(body.max_tokens) ?? DEFAULT_MAX_TOKENS;
}

/** How many responses a request may be charged for: `n` are returned, and `best_of` are generated. */
const responseCount = ({ n, best_of }: JsonRecord) => Math.max(1, asNumber(n) ?? 1, asNumber(best_of) ?? 1);

/** Says which limit a message would break, by how much, and where the limit can be changed. */
export function limitWords({
  cap,
  overByMicroUsd,
  mostMicroUsd: most,
}: BrokenCap & { mostMicroUsd: MicroUsd | undefined }): StoredError {
  const limit = CAP_WORDS[cap];
  const body =
    most === undefined
      ? `The price of this message is unknown, and your ${limit} leaves no room for it.`
      : `The response could cost up to ${formatMicroUsd(most)}, which is ${formatMicroUsd(overByMicroUsd)} more than your ${limit} allows.`;
  return {
    title: `Not sent: over your ${limit}`,
    body,
    chargedText: MESSAGE_NOT_CHARGED.unsent,
    nextStep: `Change the limit on Spend${most === undefined ? "" : ", or choose a less expensive model or lower Max tokens"}.`,
  };
}

/** US dollars for one token. */
interface TextPrice {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

/** The price in an entry of /v1/models, in the shapes that services use; undefined where there is none (spec 4.2). */
export function readTextPrice(raw: JsonRecord): TextPrice | undefined {
  const pricing = Array.isArray(raw.pricing) ? raw.pricing[0] : raw.pricing;
  if (!isRecord(pricing)) return undefined;
  const input = readTokenPrice(pricing.prompt ?? pricing.input);
  const output = readTokenPrice(pricing.completion ?? pricing.output);
  if (input === undefined || output === undefined) return undefined;
  const cacheRead = readTokenPrice(pricing.cache_read ?? pricing.input_cache_read);
  const cacheWrite = readTokenPrice(pricing.cache_write ?? pricing.input_cache_write);
  return {
    input,
    output,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** US dollars for one token. A larger number is probably a price for a million tokens, so it is not used. */
function readTokenPrice(value: unknown): number | undefined {
  const number = asLooseNumber(value);
  return number !== undefined && number >= 0 && number < 0.01 ? number : undefined;
}

/**
 * What a response cost in US dollars, by the token counts that the service gave. Undefined where a count or the price of
 * a part that was used is missing: the sum would be too low.
 */
export function responseCost(facts: ResponseFacts, price: TextPrice | undefined): number | undefined {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = facts;
  if (price === undefined || inputTokens === undefined || outputTokens === undefined) return undefined;
  if (cachedTokens > 0 && price.cacheRead === undefined) return undefined;
  if (cacheWriteTokens > 0 && price.cacheWrite === undefined) return undefined;
  return (
    (inputTokens - cachedTokens - cacheWriteTokens) * price.input +
    cachedTokens * (price.cacheRead ?? 0) +
    cacheWriteTokens * (price.cacheWrite ?? 0) +
    outputTokens * price.output
  );
}

/** `responseCost` in whole micro-USD, rounded up once, as a bill does. Undefined as there. */
function responseMicroUsd(facts: ResponseFacts, price: TextPrice | undefined): MicroUsd | undefined {
  const cost = responseCost(facts, price);
  return cost === undefined ? undefined : roundedUp(cost);
}

/** The most that these tokens may cost, in whole micro-USD: all of the input at the dearest rate. */
function maxMicroUsd(
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
  { input, output, cacheWrite = 0 }: TextPrice,
): MicroUsd {
  return roundedUp(inputTokens * Math.max(input, cacheWrite) + outputTokens * output);
}

/** A millionth of a micro-USD is subtracted first: prices are not that exact, so it is the error of a float. */
const roundedUp = (dollars: number) => Math.max(0, Math.ceil(dollars * 1e6 - 1e-6));

/** "$3.00 in, $15.00 out per 1M tokens". */
export function priceWords({ input, output }: TextPrice): string {
  return `${formatDollars(input * 1e6)} in, ${formatDollars(output * 1e6)} out per 1M tokens`;
}

/** Dollars with at least two decimals and two significant digits: `$0.00032`, `$0.14`. */
export function formatDollars(value: number): string {
  const decimals = value === 0 ? 2 : Math.min(9, Math.max(2, 1 - Math.floor(Math.log10(value))));
  return dollarFormat(decimals, decimals).format(value);
}

/** Finds entries of the text catalogue, in the cache where that is fresh. A catalogue that fails to load has none. */
export function getModelCatalogue(api: Api, queryClient: QueryClient): ModelEntry {
  return async (model) => {
    const models = await queryClient.fetchQuery({ ...textModelQueries(api).all(), retry: false }).catch(() => []);
    return models.find(({ id }) => id === model)?.raw;
  };
}

/**
 * The text endpoints of the current connection for requests outside of a conversation. Each request is in the ledger.
 */
export function useSpendingClient(): (projectId: string | undefined) => TextClient {
  const client = useTextClient();
  const accountId = useConnection()?.accountId ?? "";
  const entryOf = getModelCatalogue(useApi(), useQueryClient());
  return (projectId) => spendingClient(client, { accountId, projectId, entryOf });
}
