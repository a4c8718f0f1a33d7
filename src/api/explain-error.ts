import { isRecord } from "#lib/read.ts";
import { definiteRefusal, saysInactive } from "#runs/rules/answers.ts";
import { NoAnswerError, RefusedError, StreamedError, UnreadableAnswerError, UnusableIdError } from "./api-error.ts";
import {
  chargeAfterRefusal,
  MESSAGE_NOT_CHARGED,
  NOT_CHARGED,
  REQUEST_CHARGE,
  type RequestCharge,
  SEND_AGAIN_TWICE,
} from "./charge-words.ts";

interface HostRow {
  title: string;
  nextStep: string;
  retryable?: boolean;
  /** The request had left the host, so what it may cost may have been charged. */
  hadLeft?: boolean;
}

/** It names no setting, because the host's own words do, where one is the reason. */
const ALLOW_IT = "Check the URL, or ask your administrator to allow it.";

/** Why the Safelight server answered in the service’s place (`src/host/relay/relay-refusal.ts`). */
const HOST_ROWS: Record<string, HostRow> = {
  redirect: {
    title: "The URL redirects elsewhere",
    nextStep: "Check the URL on Connect.",
    hadLeft: true,
  },
  outcome_unknown: {
    title: "No response from the service",
    nextStep: "Try again.",
    retryable: true,
    hadLeft: true,
  },
  intent_reused: {
    title: "This request ID was already used",
    nextStep: "Reload the page, then try again.",
    hadLeft: true,
  },
  never_sent: { title: "Not sent", nextStep: "Try again.", retryable: true },
  other_memory: {
    title: "The Safelight server has changed",
    nextStep: "Reload the page, then try again.",
  },
  store_unavailable: {
    title: "The Safelight server can’t save its records",
    nextStep: "Try again in a moment, or contact your administrator.",
    retryable: true,
  },
  not_allowed: { title: "This URL is not allowed", nextStep: ALLOW_IT },
  private_address: { title: "This URL is not public", nextStep: ALLOW_IT },
  not_same_origin: {
    title: "Safelight was opened at the wrong URL",
    nextStep: "Open Safelight at its own URL.",
  },
  unreachable: {
    title: "Couldn’t reach the service",
    nextStep: "Check the URL, and that the service is running. Then try again.",
    retryable: true,
  },
  // Whoever holds the key is asked for it anew: the page goes to Connect by itself.
  no_session: {
    title: "Enter the key again",
    nextStep: "Enter it on Connect. If you have just entered it, allow cookies for this site.",
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
    title: "Sign in to Safelight again",
    nextStep: "Reload the page and sign in. Your drafts are saved.",
  },
  too_slow: { title: "Sending timed out", nextStep: "Try again.", retryable: true },
  too_large: { title: "Too large to send", nextStep: "Make the request smaller, then try again." },
};

const OTHER: HostRow = {
  title: "The Safelight server didn’t send this request",
  nextStep: "Check the URL, including its path.",
};

/** With this word the host repeats the service's first answer, so the body is the service's own. */
const FIRST_ANSWER = "first_answer";

/** Further words of the host: the first is no refusal, the others are explained by `OTHER`. */
const OTHER_WORDS = [FIRST_ANSWER, "not_a_target", "wrong_method", "malformed"];

/** Whether a word is one of those with which the host says why it answered. */
export function isHostReason(word: string): boolean {
  return OTHER_WORDS.includes(word) || Object.hasOwn(HOST_ROWS, word);
}

/** Whether the Safelight server itself answered. */
const isOfHost = ({ hostReason }: RefusedError) => hostReason !== undefined && hostReason !== FIRST_ANSWER;

/**
 * Explains a response of the Safelight server, in its own words. Undefined for a response of the service. Only the header
 * that the host sets distinguishes the two: a service may write anything into a body.
 */
function explainHostAnswer(error: RefusedError, operation: string): Explained | undefined {
  const { hostReason, message } = error;
  if (hostReason === undefined || !isOfHost(error)) return undefined;
  const row = Object.hasOwn(HOST_ROWS, hostReason) ? (HOST_ROWS[hostReason] ?? OTHER) : OTHER;
  const { title, nextStep, retryable = false } = row;
  const unknown = row.hadLeft ? unknownCharge(operation) : undefined;
  return { title, body: message, charged: "no", nextStep, retryable, ...unknown };
}

/** What is said of an operation that costs money where it is not known whether it was charged. */
const UNKNOWN_CHARGE = {
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

/** The entry of `UNKNOWN_CHARGE` for an operation; undefined for one that costs nothing. */
const unknownCharge = (operation: string) =>
  operation === "submit" || operation === "text" ? UNKNOWN_CHARGE[operation] : undefined;

/** What was being done when it went wrong. */
export type Operation = "read" | "estimate" | "submit" | "upload" | "delete" | "text" | "connect";

export interface Explanation {
  /** What happened, in a few words. */
  title: string;
  /** What happened, in a sentence; the service's own words where it gave some. */
  body: string;
  /** `unknown` where the service may have taken the request without its response reaching this page. */
  charged: RequestCharge;
  /** `charged` as a sentence. Empty of what costs nothing anyway: a word about money would only worry. */
  chargedText: string;
  /** What to do now. */
  nextStep: string;
  /** Whether the same request may succeed later, so that a "Try again" makes sense. */
  retryable: boolean;
}

type Explained = Omit<Explanation, "chargedText">;

/**
 * Explains any error of a request: what happened, whether anything was charged, what to do. Each row of spec 7 has words
 * of its own here. An error of another kind gets general words.
 */
export function explainError(error: unknown, operation: Operation): Explanation {
  const explained = explain(error, operation);
  return { ...explained, chargedText: mayCost(operation) ? chargeText(explained.charged, error, operation) : "" };
}

function chargeText(charged: RequestCharge, error: unknown, operation: Operation): string {
  if (charged !== "no") return REQUEST_CHARGE[charged];
  const proof = error instanceof RefusedError && !isOfHost(error) ? "rejected" : "unsent";
  return (operation === "submit" ? NOT_CHARGED : MESSAGE_NOT_CHARGED)[proof];
}

function explain(error: unknown, operation: Operation): Explained {
  if (error instanceof RefusedError) return explainRefusal(error, operation);
  if (error instanceof NoAnswerError) return explainNoAnswer(error, operation);
  if (error instanceof UnreadableAnswerError) return explainUnreadable(error, operation);
  if (error instanceof StreamedError) {
    return {
      title: "The response ended with an error",
      body: error.message,
      charged: "unknown",
      nextStep: `The partial response is saved. ${SEND_AGAIN_TWICE}`,
      retryable: true,
    };
  }
  if (error instanceof UnusableIdError) {
    const body = `${error.message} No request was made.`;
    return { title: "This ID can’t be used", body, charged: "no", nextStep: "Check the ID.", retryable: false };
  }
  return {
    title: "Something went wrong in Safelight",
    body: error instanceof Error && error.message !== "" ? error.message : "No reason was given.",
    charged: operation === "submit" || operation === "text" ? "unknown" : "no",
    nextStep: "Try again. If it happens again, reload the page.",
    retryable: true,
  };
}

const NO_ANSWER_BODY =
  "The browser gives no reason. The URL may be wrong, the network may be down, or the service may not allow requests from web pages.";

function explainNoAnswer(error: NoAnswerError, operation: Operation): Explained {
  const title = error.timedOut ? "The service didn’t respond in time" : "No response from the service";
  if (operation === "submit") {
    return {
      title,
      body: "The request was sent, but no response arrived. The service may have started the job.",
      ...UNKNOWN_CHARGE.submit,
    };
  }
  if (operation === "text") {
    return {
      title,
      body: "The request was sent, but the response didn’t arrive in full. The service may have processed it.",
      ...UNKNOWN_CHARGE.text,
    };
  }
  const body = error.timedOut ? "It may be busy, or the connection may be slow." : NO_ANSWER_BODY;
  const what = operation === "connect" ? "the URL and your connection" : "your connection";
  const nextStep = `Check ${what}, then try again.`;
  return { title, body, charged: "no", nextStep, retryable: true };
}

function explainUnreadable(error: UnreadableAnswerError, operation: Operation): Explained {
  const title = operation === "estimate" ? "Price unknown" : "Unreadable response";
  if (operation === "submit") {
    return { title, body: error.message, ...UNKNOWN_CHARGE.submit };
  }
  return {
    title,
    body: error.message,
    charged: operation === "text" ? "unknown" : "no",
    nextStep: afterUnreadable(operation),
    retryable: true,
  };
}

function afterUnreadable(operation: Operation): string {
  if (operation === "text") return UNKNOWN_CHARGE.text.nextStep;
  return operation === "connect"
    ? "Check that this is the URL of the service, and not of a web page."
    : "Try again. If it happens again, check the URLs in Settings.";
}

interface Row {
  matches: (error: RefusedError, operation: Operation) => boolean;
  title: string;
  nextStep: string;
  retryable?: boolean;
  /** Shown before the service's own words. */
  lead?: string;
}

const mayCost = (operation: Operation) => operation === "submit" || operation === "text";
const isDefinite = (error: RefusedError) => definiteRefusal(error) !== undefined;
const RETRY_LATER = "Wait a moment, then try again.";
/** Statuses of a request that was cut or misdirected on its way. */
const NOT_THROUGH = new Set([408, 421, 425, 499]);
/** Whether a file host rejected a file: the service answers in JSON, a file host in XML or without a body. */
const isOfFileHost = ({ status, body }: RefusedError) =>
  status >= 400 && status < 500 && status !== 429 && !NOT_THROUGH.has(status) && !isRecord(body);
/** Whether a text endpoint rejects its model. It does so in plain text, and before anything else (in-the-wild 3). */
const isNoSuchModel = ({ status, body }: RefusedError) =>
  status === 404 && typeof body === "string" && /^no (endpoints?|matching)\b[^<]* for model\b/i.test(body);
/** Whether a body is text, such as a gateway's page: then it says nothing about providers and routing. */
const isPage = ({ body }: RefusedError) => typeof body === "string";

/** The rows of spec 7, in order of precision: the first that matches explains. */
const ROWS: Row[] = [
  {
    matches: (error, operation) => operation === "upload" && isOfFileHost(error),
    title: "The file host rejected the file",
    lead: "An upload URL works for one file type, and only for a short time.",
    nextStep: "Choose the file again to get a new upload URL.",
    retryable: true,
  },
  {
    matches: ({ status }) => status === 400 || status === 422,
    title: "Request rejected",
    nextStep: "Edit the request and try again.",
  },
  {
    matches: ({ status }) => status === 401,
    title: "API key rejected",
    lead: "The API key is missing, invalid or revoked.",
    nextStep: "Check the key and connect again.",
  },
  {
    // Not in the specification; services of this family send it.
    matches: ({ status }) => status === 402,
    title: "Not enough credit",
    lead: "Your organization’s balance is too low.",
    nextStep: "Add credit to the organization, then try again.",
  },
  {
    matches: ({ status, message }) => status === 403 && /group|vip|pool/i.test(message),
    title: "No access to this resource pool",
    lead: "Your organization can’t use this pool.",
    nextStep: "Remove the pool from the model ID, then try again.",
  },
  {
    matches: ({ status }) => status === 403,
    title: "Access denied",
    nextStep: "Ask an administrator of your organization for access.",
  },
  {
    matches: saysInactive,
    title: "This model is currently inactive",
    nextStep: "Choose another model, or try again later.",
  },
  {
    matches: ({ status, message }) => status === 404 && /no endpoint for model/i.test(message),
    title: "Wrong place for this model",
    lead: "Generation models run in Create, text models in Playground.",
    nextStep: "Open this model there, or choose another one.",
  },
  {
    matches: ({ status, message }) => status === 404 && /no (endpoints for model|matching .* for model)/i.test(message),
    title: "This model is not available",
    nextStep: "Choose another model.",
  },
  {
    matches: ({ status }, operation) =>
      status === 404 && (operation === "submit" || operation === "estimate" || operation === "text"),
    title: "Model not found",
    nextStep: "Choose another model.",
  },
  {
    matches: ({ status }, operation) => status === 404 && operation === "connect",
    title: "No service at this URL",
    nextStep: "Check the URL, including its path.",
  },
  {
    matches: ({ status }) => status === 404,
    title: "Not found",
    lead: "It doesn’t exist, or it belongs to another key.",
    nextStep: "Check the ID, and that you are connected with the right key.",
  },
  {
    matches: ({ status }) => status === 405,
    title: "Wrong URL for this request",
    nextStep: "Check that the queue URL and the inference URL are not swapped.",
  },
  {
    matches: ({ status }) => status === 429,
    title: "Too many requests",
    lead: "Your organization or key has reached its rate limit.",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    matches: (error, operation) => error.status === 502 && (mayCost(operation) ? isDefinite(error) : !isPage(error)),
    title: "All providers of this model failed",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    matches: (error, operation) => error.status === 503 && (mayCost(operation) ? isDefinite(error) : !isPage(error)),
    title: "Temporarily unavailable",
    lead: "The service can’t check keys or reach its models right now.",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    // Any other response that does not prove a rejection.
    matches: (error, operation) => operation === "submit" && !isDefinite(error),
    title: "Service error during the request",
    ...UNKNOWN_CHARGE.submit,
  },
  {
    // A text may have been written and charged before the response got lost.
    matches: (error, operation) => operation === "text" && !isDefinite(error),
    title: "Service error during the response",
    ...UNKNOWN_CHARGE.text,
  },
  {
    matches: ({ status }) => NOT_THROUGH.has(status),
    title: "Request failed",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    matches: ({ status }) => status >= 500,
    title: "Service error",
    nextStep: RETRY_LATER,
    retryable: true,
  },
];

const FALLBACK: Row = {
  matches: () => true,
  title: "Provider error",
  nextStep: "Edit the request and try again.",
};

/** Explains a response that is not 2xx: the Safelight server’s own, or by its row of spec 7. */
function explainRefusal(error: RefusedError, operation: Operation): Explained {
  const byHost = explainHostAnswer(error, operation);
  if (byHost) return byHost;
  const row = ROWS.find((candidate) => candidate.matches(error, operation)) ?? FALLBACK;
  const serviceWords = asSentence(error.message);
  // A response that proves no rejection may be a gateway’s, whatever its status: then it is no diagnosis by the service.
  const isKnown = isDefinite(error) || (operation === "text" && isNoSuchModel(error));
  const unknown = isKnown ? undefined : unknownCharge(operation);
  const { title, lead, nextStep, retryable = false } = row;
  return {
    title,
    body: lead === undefined || unknown ? serviceWords : `${lead} The service says: ${serviceWords}`,
    charged: operation === "submit" ? chargeAfterRefusal(error.status) : "no",
    nextStep,
    retryable,
    ...unknown,
  };
}

/** Words that somebody else wrote, with a full stop; empty where there are none. */
export function asSentence(message: string): string {
  const trimmed = message.trim();
  return trimmed === "" || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
