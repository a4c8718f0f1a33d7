import { NoAnswerError, RefusedError, UnreadableAnswerError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { isServedByHost } from "#connection/relay.ts";
import type { CheckState, Checks, Half } from "./checks.ts";

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
