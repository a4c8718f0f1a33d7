import { useCallback, useEffect, useRef, useState } from "react";
import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { createApi } from "#api/create-api.ts";
import { explainError } from "#api/explain-error.ts";
import { isTransient, retryDelayMs } from "#api/retry-policy.ts";
import { fetchOfOpened, type Ticketed } from "#connection/connection-store.ts";
import { isServedByHost } from "#connection/relay.ts";
import { abortableDelay } from "#lib/delay.ts";

// Connect checks a key against both addresses of a service: which addresses answer, and the words for what went wrong.

/** The two halves of a service. */
export type Half = "queue" | "inference";

export type Checks = Record<Half, CheckState>;

/** The state of the check of one model list, and the address that is checked. */
export type CheckState = { address: string } & (
  | { phase: "running" }
  | { phase: "ok"; count: number; tookMs: number }
  | { phase: "waiting"; error: unknown; retryInMs: number }
  | { phase: "failed"; error: unknown }
);

/** The possible addresses of each half, the likeliest first. Those to check are at least one for each half. */
export type CandidateAddresses = Record<Half, readonly string[]>;

/** Gives the key to its holder for two addresses. Rejects where the holder refuses one of them. */
type Open = (addresses: Record<Half, string>) => Promise<Ticketed>;

export function isBusy({ phase }: CheckState): boolean {
  return phase === "running" || phase === "waiting";
}

/**
 * Checks a key against both model lists at once (spec 5.2), at each candidate in turn until one answers like the
 * service. `start` resolves with the last states; undefined if it was stopped. A new start, or leaving the screen,
 * stops it.
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

/** Asks pairs of candidates until both halves have answered, or none is left. The last pair is the result. */
async function search(candidates: CandidateAddresses, open: Open, { signal, onState }: Search): Promise<Checks> {
  const index: Record<Half, number> = { queue: 0, inference: 0 };
  const addressOf = (half: Half) => candidates[half][index[half]] ?? candidates[half][0] ?? "";
  let checks: Checks = {
    queue: { phase: "running", address: addressOf("queue") },
    inference: { phase: "running", address: addressOf("inference") },
  };
  /** The most specific failure of each half, which is shown where no address answers. */
  const failures: Partial<Record<Half, CheckState & { phase: "failed" }>> = {};
  const report = (half: Half, state: CheckState) => {
    checks = { ...checks, [half]: state };
    onState(checks);
  };
  for (let isOver = false; !isOver && !signal.aborted; ) {
    onState(checks);
    const pair = { queue: addressOf("queue"), inference: addressOf("inference") };
    const opened = await openBoth(pair, open, signal);
    await Promise.all(
      (["queue", "inference"] as const).map(async (half) => {
        if (checks[half].phase === "ok") return;
        const address = pair[half];
        const refusal = opened.refusals[half];
        if (refusal !== undefined || !opened.ticketed) report(half, { phase: "failed", address, error: refusal });
        else
          await runCheck({
            ...createAsks(opened.ticketed)[half],
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
      if (specificity(state.error) > specificity(failures[half]?.error)) failures[half] = state;
      const next = nextCandidate(candidates[half], index[half], state.error);
      if (next === undefined) report(half, failures[half] ?? state);
      else {
        index[half] = next;
        isOver = false;
        checks = { ...checks, [half]: { phase: "running", address: addressOf(half) } };
      }
    }
  }
  return checks;
}

function createAsks(opened: Ticketed) {
  const { queueBaseUrl, inferenceBaseUrl } = opened.connection;
  const api = createApi({ queueBaseUrl, inferenceBaseUrl, fetch: fetchOfOpened(opened) });
  return {
    queue: { ask: (signal: AbortSignal) => api.listModelIds(signal) as Promise<readonly unknown[]> },
    inference: { ask: (signal: AbortSignal) => api.listTextModels(signal) as Promise<readonly unknown[]> },
  };
}

/**
 * Gives the key to its holder for both addresses. If the Safelight server allows only one of them, it gets the key for
 * that one, with an address on the same origin in place of the other, so that the allowed one can be used.
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
  const isAddressRefused = both.error instanceof RefusedError && both.error.hostReason === "not_allowed";
  if (!isAddressRefused || queueOrigin === textOrigin) return neither;
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

/**
 * The index of the next candidate worth asking, or undefined. A host that did not answer is not asked again. Where the
 * service refused the key, no other candidate is asked.
 */
function nextCandidate(candidates: readonly string[], index: number, error: unknown): number | undefined {
  if (error instanceof RefusedError) {
    if (error.status === 401 || error.status === 402 || error.status === 429 || error.status >= 500) {
      return error.hostReason === undefined ? undefined : nextOtherHost(candidates, index);
    }
    if (error.hostReason !== undefined) return nextOtherHost(candidates, index);
  } else if (error instanceof NoAnswerError) return nextOtherHost(candidates, index);
  return index + 1 < candidates.length ? index + 1 : undefined;
}

function nextOtherHost(candidates: readonly string[], index: number): number | undefined {
  const origin = originOf(candidates[index] ?? "");
  const next = candidates.findIndex((candidate, other) => other > index && originOf(candidate) !== origin);
  return next >= 0 ? next : undefined;
}

/** How specific a failure is, from 0 for none to 7. A response about the key tells more than an unknown page does. */
function specificity(error: unknown): number {
  if (error === undefined) return 0;
  if (error instanceof UnreadableAnswerError) return /^\s*</.test(error.excerpt) ? 4 : 5;
  if (!(error instanceof RefusedError)) return 1;
  if (error.status === 401 || error.status >= 429) return 7;
  return { 403: 6, 405: 3 }[error.status] ?? 2;
}

/** Attempts of one check. */
const MAX_FAILURES = 6;

/**
 * Asks one model list until it answers. A service that is busy or temporarily unavailable is asked again with backoff
 * (spec 5.5, spec 7 rule 1). Any other response, a refusal of the Safelight server, and no response end the check.
 * Failures are reported through `onState`.
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
      if (!canRetry(error) || failures >= MAX_FAILURES) {
        onState({ phase: "failed", address, error });
        return;
      }
      const retryInMs = retryDelayMs(failures - 1, error);
      onState({ phase: "waiting", address, error, retryInMs });
      await abortableDelay(retryInMs, signal).catch(() => {});
    }
  }
}

function canRetry(error: unknown): boolean {
  return error instanceof RefusedError && error.hostReason === undefined && isTransient(error);
}

/** What a press on the button beside a problem does. */
export type Offer =
  | { kind: "swap" }
  /** `base`: an address on the offered host. The person gave it (`use`), or it is a guess. */
  | { kind: "use" | "guess"; host: string; base: string };

export interface CheckWords {
  title: string;
  body: string;
  nextStep: string;
  offer?: Offer | undefined;
}

const ADDRESS_NAMES: Record<Half, string> = { queue: "queue URL", inference: "inference URL" };

/** Explains a failed or waiting check for this screen: what happened and what to do. */
export function explainCheck(
  half: Half,
  { address, error }: CheckState & { error: unknown },
  checks: Checks,
): CheckWords {
  const { title, body, nextStep } = explainError(error, "connect");
  const offer = offerOtherHost(half, address, checks);
  const asked = `${address}${half === "queue" ? "/apikey/models" : "/v1/models"}`;
  if (error instanceof UnreadableAnswerError) return explainUnreadable(half, address, error, offer);
  if (error instanceof NoAnswerError && !isServedByHost()) return explainNoAnswer(error, body, nextStep);
  if (!(error instanceof RefusedError)) return { title, body, nextStep };
  if (error.hostReason !== undefined) return explainHostRefusal(error, address, { title, body, nextStep });
  if (error.status === 404 && looksSwapped(checks)) {
    const nextStep = "Enter the URL that ends in /queue as the queue URL.";
    return { title: "The two URLs may be swapped", body: "", nextStep, offer: { kind: "swap" } };
  }
  if (error.status === 404) {
    const end =
      half === "queue"
        ? "Queue URLs usually end in /api/v1/queue."
        : "The inference URL is the part before /v1/models.";
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

function explainUnreadable(
  half: Half,
  address: string,
  error: UnreadableAnswerError,
  offer: Offer | undefined,
): CheckWords {
  if (/^\s*</.test(error.excerpt)) {
    const body = /\bdocs?\b|developer/.test(address) ? "It may be the URL of the docs." : "";
    const title = "This URL returns a web page, not a list of models";
    if (offer) return { title, body, nextStep: hostWords(half), offer };
    return {
      title,
      body,
      nextStep: "Copy a curl example from the service’s docs and paste it.",
      offer: guessApiHost(address),
    };
  }
  if (!/list of models/.test(error.message)) {
    const nextStep = "Check the URL, then try again.";
    return { title: "Unreadable response", body: error.message, nextStep, offer };
  }
  const body = "The URL returns JSON without a list of models.";
  return {
    title: "Unreadable response",
    body,
    nextStep: `Check that this is the ${ADDRESS_NAMES[half]}.`,
    offer,
  };
}

/** For a page without a host of its own: the browser does not tell why no response came. */
function explainNoAnswer(error: NoAnswerError, body: string, nextStep: string): CheckWords {
  const title = error.timedOut ? "The service didn’t respond in time" : "No response from the service";
  const open =
    "If the URL is right, the service may not allow requests from web pages (CORS). Run Safelight with its own server instead.";
  return { title, body, nextStep: error.timedOut ? nextStep : `${nextStep} ${open}` };
}

/** Whether both checks failed, and only the inference address ends like a queue address. */
function looksSwapped({ queue, inference }: Checks): boolean {
  const isQueue = ({ address }: CheckState) => /\/queue\/*$/.test(address);
  return queue.phase === "failed" && inference.phase === "failed" && isQueue(inference) && !isQueue(queue);
}

function hostWords(half: Half): string {
  return `Use the host of the ${ADDRESS_NAMES[otherHalf(half)]}.`;
}

/** Why the host did not reach the address, by the error code of its socket. */
const CODES: readonly [code: RegExp, title: string, nextStep: string][] = [
  [/ENOTFOUND|EAI_/, "This host doesn’t exist", "Check the spelling of the host name."],
  [/ECONNREFUSED/, "Nothing responds at this URL", "Check the port, and that the service is running."],
  [
    /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO/,
    "The connection isn’t secure",
    "Check the service’s certificate, and whether the URL needs http or https.",
  ],
  [
    /ETIMEDOUT|no connection|EHOSTUNREACH|ENETUNREACH/,
    "The host isn’t responding",
    "Check the URL, and the network of the Safelight server.",
  ],
];

function explainHostRefusal(error: RefusedError, address: string, words: CheckWords): CheckWords {
  const { hostReason = "", message } = error;
  const { origin, protocol } = new URL(address, location.href);
  if (hostReason === "not_allowed" && protocol === "http:" && /https URLs only/.test(message)) {
    return { ...words, nextStep: `Use https://, or ${setting(origin)}` };
  }
  if (/SAFELIGHT_UPSTREAMS/.test(message)) return { ...words, nextStep: `Check the URL, or ${setting(origin)}` };
  if (hostReason === "redirect") {
    return { ...words, nextStep: "Open the URL in a browser, see where it leads, and enter that URL." };
  }
  if (hostReason !== "unreachable") return words;
  const [, title = words.title, nextStep = words.nextStep] = CODES.find(([code]) => code.test(message)) ?? [];
  return { ...words, title, nextStep };
}

function setting(origin: string): string {
  return `ask your administrator to add ${origin} to SAFELIGHT_UPSTREAMS and restart the Safelight server.`;
}

/** Offers the host of the other half, if that half answered and is on another host. */
function offerOtherHost(half: Half, address: string, checks: Checks): Offer | undefined {
  const other = checks[otherHalf(half)];
  const [url, otherUrl] = [new URL(address, location.href), new URL(other.address, location.href)];
  return other.phase === "ok" && url.origin !== otherUrl.origin
    ? { kind: "use", host: otherUrl.host, base: other.address }
    : undefined;
}

/** Offers `api.example.com` for the docs at `docs.example.com`. Nothing is sent there before a press of Connect. */
function guessApiHost(address: string): Offer | undefined {
  const { protocol, host } = new URL(address, location.href);
  const name = /^(?:docs?|developers?|console|www|platform|help|app)\.((?:[^.]+\.)+[^.]+)$/.exec(host)?.[1];
  return name === undefined ? undefined : { kind: "guess", host: `api.${name}`, base: `${protocol}//api.${name}` };
}

function otherHalf(half: Half): Half {
  return half === "queue" ? "inference" : "queue";
}
