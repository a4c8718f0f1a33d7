import type { RefusedError } from "./api-error.ts";
import { SEND_AGAIN_TWICE } from "./charge-words.ts";

/** What `explainError` gives, for an answer of the host. */
interface HostExplanation {
  title: string;
  body: string;
  charged: "no" | "unknown";
  nextStep: string;
  retryable: boolean;
}

interface HostRow {
  title: string;
  nextStep: string;
  retryable?: boolean;
  /** The request had left the host, so what it may cost may have been charged. */
  hadLeft?: boolean;
}

/** The host's own words name the setting, where one is the reason. */
const ALLOW_IT = "Check the address, or ask the administrator of this studio to allow it.";

/** Why the studio's own host answered in the service's place (`src/host/relay/relay-refusal.ts`). */
const ROWS: Record<string, HostRow> = {
  redirect: {
    title: "The address redirects elsewhere",
    nextStep: "Check the address on Connect.",
    hadLeft: true,
  },
  outcome_unknown: {
    title: "No reply from the service",
    nextStep: "Try again.",
    retryable: true,
    hadLeft: true,
  },
  intent_reused: {
    title: "This request was already used",
    nextStep: "Reload the page, then try again.",
    hadLeft: true,
  },
  never_sent: { title: "Not sent", nextStep: "Try again.", retryable: true },
  other_memory: {
    title: "The studio’s server has changed",
    nextStep: "Reload the page, then try again.",
  },
  store_unavailable: {
    title: "The studio’s server cannot accept runs",
    nextStep: "Try again when that is fixed.",
    retryable: true,
  },
  not_allowed: { title: "This address is not allowed here", nextStep: ALLOW_IT },
  private_address: { title: "This address is not public", nextStep: ALLOW_IT },
  not_same_origin: {
    title: "The studio was opened at the wrong address",
    nextStep: "Open the studio at its own address.",
  },
  unreachable: {
    title: "Could not reach the service",
    nextStep: "Check the address, and that the service is running. Then try again.",
    retryable: true,
  },
  // Whoever holds the key is asked for it anew: the page goes to Connect by itself.
  no_session: {
    title: "Enter the key again",
    nextStep: "Enter it on Connect. If you have just entered it, allow cookies for this studio.",
  },
  too_many_sessions: {
    title: "Too many connections in this browser",
    nextStep: "Disconnect one of them in Settings, then try again.",
  },
  not_a_service_request: {
    title: "This request is not allowed",
    nextStep: "Reload the page, then try again.",
  },
  access_required: {
    title: "Sign in to this studio again",
    nextStep: "Reload the page and sign in. Drafts are kept.",
  },
  too_slow: { title: "Sending took too long", nextStep: "Try again.", retryable: true },
  too_large: { title: "Too large to send", nextStep: "Make the request smaller, then try again." },
};

const OTHER: HostRow = {
  title: "The studio’s server did not send this request",
  nextStep: "Check the address, including its path.",
};

/** The host repeats the service's first answer: the words are the service's then. */
const FIRST_ANSWER = "first_answer";

/** Words of the host that need no row of their own. */
const OTHER_WORDS = [FIRST_ANSWER, "not_a_target", "wrong_method", "malformed"];

/** Whether a word is one of those with which the host says why it answered. */
export function isHostReason(word: string): boolean {
  return OTHER_WORDS.includes(word) || Object.hasOwn(ROWS, word);
}

/**
 * Explains an answer of the studio's own host, in its own words. Undefined for an answer of the service. Only the header
 * that the host sets distinguishes the two: a service may write anything into a body.
 */
export function explainHostAnswer(
  { hostReason, message }: RefusedError,
  operation: string,
): HostExplanation | undefined {
  if (hostReason === undefined || hostReason === FIRST_ANSWER) return undefined;
  const row = Object.hasOwn(ROWS, hostReason) ? (ROWS[hostReason] ?? OTHER) : OTHER;
  const { title, nextStep, retryable = false } = row;
  const unknown = row.hadLeft ? unknownCharge(operation) : undefined;
  return { title, body: message, charged: "no", nextStep, retryable, ...unknown };
}

/** What is said of an operation that costs money where it is not known whether it was charged. */
export const UNKNOWN_CHARGE = {
  submit: {
    charged: "unknown",
    nextStep: "Look for the job in History before you run it again.",
    retryable: false,
  },
  text: {
    charged: "unknown",
    nextStep: SEND_AGAIN_TWICE,
    retryable: true,
  },
} as const;

/** The same by the name of an operation; undefined for one that costs nothing. */
export const unknownCharge = (operation: string) =>
  operation === "submit" || operation === "text" ? UNKNOWN_CHARGE[operation] : undefined;
