import { useCallback, useEffect, useRef, useState } from "react";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { fetchOfOpened, type Ticketed } from "#connection/connection-store.ts";
import { isServedByHost } from "#connection/relay.ts";
import { abortableDelay } from "#lib/delay.ts";

/** The two halves of a service. */
export type Half = "queue" | "inference";

export type Checks = Record<Half, CheckState>;

/** How a check of one catalogue stands, and of which address. Times in ms. */
export type CheckState = { address: string } & (
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown }
);

/** The addresses at which each half may be, the likeliest first. No list is empty. */
export type CandidateAddresses = Record<Half, readonly string[]>;

/** Gives the key away for two addresses. Rejects where whoever holds keys refuses one of them. */
type Open = (addresses: Record<Half, string>) => Promise<Ticketed>;

export function isBusy({ phase }: CheckState): boolean {
  return phase === "running" || phase === "waiting";
}

/**
 * Checks a key, which its holder has by now, against both catalogues at once (spec 5.2), at each place in turn until one
 * answers like the service. Starting again, or leaving, ends what is under way. `start` resolves with the last states.
 */
export function useChecks() {
  const [checks, setChecks] = useState<Checks | null>(null);
  const controller = useRef<AbortController | null>(null);

  const stop = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    setChecks(null);
  }, []);

  const start = useCallback(async (candidates: CandidateAddresses, open: Open): Promise<Checks | undefined> => {
    controller.current?.abort();
    controller.current = new AbortController();
    const { signal } = controller.current;
    const checks = await search(candidates, open, { signal, onState: (state) => !signal.aborted && setChecks(state) });
    return signal.aborted ? undefined : checks;
  }, []);

  useEffect(() => () => controller.current?.abort(), []);
  return { checks, start, stop };
}

interface Search {
  signal: AbortSignal;
  onState: (checks: Checks) => void;
}

/** Asks pairs of candidates until both halves have answered, or there is no other place. The pair asked last is the one found. */
async function search(candidates: CandidateAddresses, open: Open, { signal, onState }: Search): Promise<Checks> {
  const at: Record<Half, number> = { queue: 0, inference: 0 };
  const place = (half: Half) => candidates[half][at[half]] ?? candidates[half][0] ?? "";
  let checks: Checks = {
    queue: { phase: "running", address: place("queue") },
    inference: { phase: "running", address: place("inference") },
  };
  /** What is said where no place answers: of all the failures the most specific one. */
  const failures: Partial<Record<Half, CheckState & { phase: "failed" }>> = {};
  const report = (half: Half, state: CheckState) => {
    checks = { ...checks, [half]: state };
    onState(checks);
  };
  for (let isOver = false; !isOver && !signal.aborted; ) {
    onState(checks);
    const pair = { queue: place("queue"), inference: place("inference") };
    const opened = await openBoth(pair, open, signal);
    await Promise.all(
      (["queue", "inference"] as const).map(async (half) => {
        if (checks[half].phase === "ok") return;
        const address = pair[half];
        const refusal = opened.refusals[half];
        if (refusal !== undefined || !opened.ticketed) report(half, { phase: "failed", address, error: refusal });
        else
          await runCheck({
            ...asksOf(opened.ticketed)[half],
            address,
            onState: (state) => report(half, state),
            signal,
          });
      }),
    );
    isOver = true;
    for (const half of ["queue", "inference"] as const) {
      const state = checks[half];
      if (state.phase !== "failed") continue;
      if (rank(state.error) > rank(failures[half]?.error)) failures[half] = state;
      const next = nextPlace(candidates[half], at[half], state.error);
      if (next === undefined) report(half, failures[half] ?? state);
      else {
        at[half] = next;
        isOver = false;
        checks = { ...checks, [half]: { phase: "running", address: place(half) } };
      }
    }
  }
  return checks;
}

function asksOf(opened: Ticketed) {
  const { queueBaseUrl, inferenceBaseUrl } = opened.connection;
  const api = createApi({ queueBaseUrl, inferenceBaseUrl, fetch: fetchOfOpened(opened) });
  return {
    queue: { ask: (signal: AbortSignal) => api.listModelIds(signal) as Promise<readonly unknown[]> },
    inference: { ask: (signal: AbortSignal) => api.listTextModels(signal) as Promise<readonly unknown[]> },
  };
}

/**
 * The key is given away for both addresses. Where the host goes to one of them only, it gets the key for that one, with
 * an address on the same host in the place of the other, so that the one that works can be used.
 */
async function openBoth(pair: Record<Half, string>, open: Open, signal: AbortSignal) {
  const attempt = async (addresses: Record<Half, string>) =>
    (signal.aborted ? Promise.reject(signal.reason) : open(addresses)).then(
      (ticketed) => ({ ticketed, error: undefined }),
      (error: unknown) => ({ ticketed: undefined, error }),
    );
  const both = await attempt(pair);
  if (both.ticketed) return { ticketed: both.ticketed, refusals: {} as Partial<Record<Half, unknown>> };
  const neither = { ticketed: undefined, refusals: { queue: both.error, inference: both.error } };
  const [queueOrigin, textOrigin] = [originOf(pair.queue), originOf(pair.inference)];
  const isOfAddress = both.error instanceof RefusedError && both.error.hostReason === "not_allowed";
  if (!isOfAddress || queueOrigin === textOrigin) return neither;
  const queue = await attempt({ queue: pair.queue, inference: queueOrigin });
  if (queue.ticketed) return { ticketed: queue.ticketed, refusals: { inference: both.error } };
  const text = await attempt({ queue: `${textOrigin}/api/v1/queue`, inference: pair.inference });
  return {
    ticketed: text.ticketed,
    refusals: { queue: queue.error, ...(text.ticketed ? {} : { inference: text.error }) },
  };
}

function originOf(address: string): string {
  return new URL(address, location.href).origin;
}

/** The next place worth asking, or undefined. A host that gives no answer is not asked again, and a key that is refused nowhere. */
function nextPlace(candidates: readonly string[], at: number, error: unknown): number | undefined {
  if (error instanceof RefusedError) {
    if (error.status === 401 || error.status === 402 || error.status === 429 || error.status >= 500) {
      return otherHost(candidates, at, error.hostReason !== undefined);
    }
    if (error.hostReason !== undefined) return otherHost(candidates, at, true);
  } else if (error instanceof NoAnswerError) return otherHost(candidates, at, true);
  return at + 1 < candidates.length ? at + 1 : undefined;
}

function otherHost(candidates: readonly string[], at: number, isOfHost: boolean): number | undefined {
  const here = originOf(candidates[at] ?? "");
  const next = candidates.findIndex((place, index) => index > at && originOf(place) !== here);
  return isOfHost && next >= 0 ? next : undefined;
}

/** How specific a failure is: a service that knows the key or the path more than a page that knows neither. */
function rank(error: unknown): number {
  if (error === undefined) return 0;
  if (error instanceof UnreadableAnswerError) return /^\s*</.test(error.excerpt) ? 4 : 5;
  if (!(error instanceof RefusedError)) return 1;
  if (error.status === 401 || error.status >= 429) return 7;
  return { 403: 6, 405: 3 }[error.status] ?? 2;
}

const MAX_FAILURES = 6;

/**
 * Asks one catalogue until it answers. A service that answers that it is busy or temporarily unavailable is asked again
 * with backoff (spec 5.5, spec 7 rule 1); any other answer, a refusal of the studio's own host, and no answer at all end
 * the check. Never rejects.
 */
async function runCheck({
  ask,
  address,
  onState,
  signal,
}: {
  ask: (signal: AbortSignal) => Promise<readonly unknown[]>;
  address: string;
  onState: (state: CheckState) => void;
  signal: AbortSignal;
}): Promise<void> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    onState({ phase: "running", address });
    const startedAt = performance.now();
    try {
      const { length } = await ask(signal);
      onState({ phase: "ok", address, count: length, tookMs: Math.round(performance.now() - startedAt) });
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!mayPass(error) || failures >= MAX_FAILURES) {
        onState({ phase: "failed", address, error });
        return;
      }
      const retryInMs = retryDelayMs(failures - 1, error);
      onState({ phase: "waiting", address, error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
}

function mayPass(error: unknown): boolean {
  return error instanceof RefusedError && error.hostReason === undefined && isTransient(error);
}

/** What a press on the button beside a problem does. */
export type Offer =
  | { kind: "swap" }
  /** `base` is an address on the host that is offered: one that the person gave, or a guess. */
  | { kind: "use" | "guess"; host: string; base: string };

export interface CheckWords {
  title: string;
  body: string;
  nextStep: string;
  offer?: Offer | undefined;
}

const NAME: Record<Half, string> = { queue: "queue address", inference: "inference address" };

/** Why a check did not end well, in words for this screen: what happened and what to do. `error` may be anything. */
export function explainCheck(
  half: Half,
  { address, error }: CheckState & { error: unknown },
  checks: Checks,
): CheckWords {
  const { title, body, nextStep } = explainError(error, "connect");
  const offer = offerFor(half, address, checks);
  const asked = `${address}${half === "queue" ? "/apikey/models" : "/v1/models"}`;
  if (error instanceof UnreadableAnswerError) return unreadable(half, address, error, offer);
  if (error instanceof NoAnswerError && !isServedByHost()) return direct(error, body, nextStep);
  if (!(error instanceof RefusedError)) return { title, body, nextStep };
  if (error.hostReason !== undefined) return byHost(error, address, { title, body, nextStep });
  if (error.status === 404 && looksSwapped(checks)) {
    const nextStep = "Put the address that ends in /queue into “Queue address”.";
    return { title: "The two addresses may be swapped", body: "", nextStep, offer: { kind: "swap" } };
  }
  if (error.status === 404) {
    const end =
      half === "queue"
        ? "Queue addresses usually end in /api/v1/queue."
        : "The inference address is the part before /v1/models.";
    return {
      title,
      body: `${asked} was not found.`,
      nextStep: offer ? hostWords(half) : `Check the path. ${end}`,
      offer,
    };
  }
  if (error.status === 405) {
    const isSwapped = checks.queue.phase === "failed" && checks.inference.phase === "failed";
    if (isSwapped) return { title, body, nextStep, offer: { kind: "swap" } };
    return { title, body, nextStep: offer ? hostWords(half) : nextStep, offer };
  }
  return { title, body, nextStep };
}

function unreadable(half: Half, address: string, error: UnreadableAnswerError, offer: Offer | undefined): CheckWords {
  if (/^\s*</.test(error.excerpt)) {
    const body = /\bdocs?\b|developer/.test(address) ? "It may be the address of the docs." : "";
    const title = "This address returns a web page, not a list of models.";
    if (offer) return { title, body, nextStep: hostWords(half), offer };
    return {
      title,
      body,
      nextStep: "Copy a curl example from the service’s docs and paste it.",
      offer: guessFor(address),
    };
  }
  if (!/list of models/.test(error.message)) {
    const nextStep = "Check the address, then try again.";
    return { title: "The response cannot be read", body: error.message, nextStep, offer };
  }
  const body = "The address returns JSON without a list of models.";
  return { title: "The response cannot be read", body, nextStep: `Check that this is the ${NAME[half]}.`, offer };
}

/** A page without a host cannot see why a browser gives no answer. */
function direct(error: NoAnswerError, body: string, nextStep: string): CheckWords {
  const title = error.timedOut ? "The service did not respond in time" : "No response from the service";
  const open =
    "If the address is right, the service may not allow requests from web pages (CORS). Run the studio with its own server then.";
  return { title, body, nextStep: error.timedOut ? nextStep : `${nextStep} ${open}` };
}

/** Neither half answers, and the queue's usual end stands in the other field. */
function looksSwapped({ queue, inference }: Checks): boolean {
  const isQueue = ({ address }: CheckState) => /\/queue\/*$/.test(address);
  return queue.phase === "failed" && inference.phase === "failed" && isQueue(inference) && !isQueue(queue);
}

function hostWords(half: Half): string {
  return `Use the host of the ${NAME[otherHalf(half)]}.`;
}

/** Why the host did not reach the address, by the code of its socket. */
const CODES: readonly [RegExp, string, string][] = [
  [/ENOTFOUND|EAI_/, "This host does not exist", "Check the spelling of the host name."],
  [/ECONNREFUSED/, "Nothing responds at this address", "Check the port, and that the service is running."],
  [
    /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO/,
    "The connection is not secure",
    "Check whether the address needs http or https, and the certificate of the service.",
  ],
  [
    /ETIMEDOUT|no connection|EHOSTUNREACH|ENETUNREACH/,
    "The host does not respond",
    "Check the address, and the network of the studio’s server.",
  ],
];

function byHost(error: RefusedError, address: string, words: CheckWords): CheckWords {
  const { hostReason = "", message } = error;
  const { origin, protocol } = new URL(address, location.href);
  if (hostReason === "not_allowed" && protocol === "http:" && /https addresses only/.test(message)) {
    return { ...words, nextStep: `Use https://, or ${setting(origin)}` };
  }
  if (/SAFELIGHT_UPSTREAMS/.test(message)) return { ...words, nextStep: `Check the address, or ${setting(origin)}` };
  if (hostReason === "redirect") {
    return { ...words, nextStep: "Open the address in a browser, see where it leads, and enter that address." };
  }
  if (hostReason !== "unreachable") return words;
  const [, title = words.title, nextStep = words.nextStep] = CODES.find(([code]) => code.test(message)) ?? [];
  return { ...words, title, nextStep };
}

function setting(origin: string): string {
  return `ask the administrator of this studio to add ${origin} to SAFELIGHT_UPSTREAMS and restart it.`;
}

/** The host of the other half, where that one answered and is another. */
function offerFor(half: Half, address: string, checks: Checks): Offer | undefined {
  const other = checks[otherHalf(half)];
  const [own, its] = [new URL(address, location.href), new URL(other.address, location.href)];
  return other.phase === "ok" && own.origin !== its.origin
    ? { kind: "use", host: its.host, base: other.address }
    : undefined;
}

/** Docs often stand beside the service. Nothing is sent there before the person presses Connect. */
function guessFor(address: string): Offer | undefined {
  const { protocol, host } = new URL(address, location.href);
  const name = /^(?:docs?|developers?|console|www|platform|help|app)\.((?:[^.]+\.)+[^.]+)$/.exec(host)?.[1];
  return name === undefined ? undefined : { kind: "guess", host: `api.${name}`, base: `${protocol}//api.${name}` };
}

function otherHalf(half: Half): Half {
  return half === "queue" ? "inference" : "queue";
}
