import type { RefusedError } from "./api-error.ts";
import type { Doing, Explanation } from "./explain-error.ts";

type Refusal = Omit<Explanation, "chargedText">;

interface Row {
  matches: (error: RefusedError, doing: Doing) => boolean;
  title: string;
  nextStep: string;
  retryable?: boolean;
  charged?: Explanation["charged"];
  /** Said before the service's own words. */
  lead?: string;
}

/** The one answer of the relay's own that comes after the request had reached the service. */
const REDIRECT = "relay_redirect";
const RETRY_LATER = "Wait a moment, then try again.";

/** The rows of spec 7, in order of precision: the first that matches explains. */
const ROWS: Row[] = [
  {
    matches: ({ type }) => type === REDIRECT,
    title: "The address leads elsewhere",
    lead: "The service answered with a redirect, and this studio's own host follows none.",
    nextStep: "Check the address on Connect.",
  },
  {
    // The relay's other answers, before anything else: they say that nothing reached the service.
    matches: ({ type }) => type?.startsWith("relay_") === true,
    title: "The relay did not pass it on",
    lead: "The request stopped at this studio's own host and did not reach the service.",
    nextStep: "Check the address, or ask whoever runs this studio to allow it.",
    charged: "no",
  },
  {
    matches: ({ status }) => status === 400 || status === 422,
    title: "The request was refused",
    nextStep: "Change what it names, then try again.",
  },
  {
    matches: ({ status }) => status === 401,
    title: "The key was not accepted",
    lead: "The API key is missing, invalid or revoked.",
    nextStep: "Check the key and connect again.",
  },
  {
    // Not in the specification; services of this family send it.
    matches: ({ status }) => status === 402,
    title: "Not enough credit",
    lead: "The organization balance does not cover this.",
    nextStep: "Add credit to the organization, then try again.",
  },
  {
    matches: ({ status }, doing) => status === 403 && doing === "upload",
    title: "Storage refused the file",
    lead: "The signed upload takes exactly one Content-Type, and only for a short time.",
    nextStep: "Choose the file again. A new address is made for it.",
    retryable: true,
  },
  {
    matches: ({ status, message }) => status === 403 && /group|vip|pool/i.test(message),
    title: "This resource pool is not open to you",
    lead: "The organization may not use the pool that was asked for.",
    nextStep: "Drop the pool from the model id, then try again.",
  },
  {
    matches: ({ status }) => status === 403,
    title: "Access refused",
    nextStep: "Ask whoever manages the organization for access, or use something else.",
  },
  {
    matches: ({ status, message }) => status === 404 && /\binactive\b/i.test(message),
    title: "This model is inactive for now",
    nextStep: "Choose another model, or come back later.",
  },
  {
    matches: ({ status, message }) => status === 404 && /no endpoint for model/i.test(message),
    title: "This model belongs to the other catalogue",
    lead: "Generation models run in Create, text models in Playground.",
    nextStep: "Choose a model from the matching catalogue.",
  },
  {
    matches: ({ status, message }) => status === 404 && /no (endpoints for model|matching .* for model)/i.test(message),
    title: "Nothing serves this model",
    nextStep: "Choose another model.",
  },
  {
    matches: ({ status }, doing) => status === 404 && (doing === "submit" || doing === "estimate" || doing === "text"),
    title: "The service does not know this model",
    nextStep: "Choose another model.",
  },
  {
    matches: ({ status }, doing) => status === 404 && doing === "connect",
    title: "There is no such service at this address",
    nextStep: "Check the address, its path included.",
  },
  {
    matches: ({ status }) => status === 404,
    title: "Not found",
    lead: "The service does not know it, or it belongs to another key.",
    nextStep: "Check the id, and that you are connected with the right key.",
  },
  {
    matches: ({ status }) => status === 405,
    title: "The address does not take this kind of request",
    nextStep: "Check that the queue address and the inference address are not swapped.",
  },
  {
    matches: ({ status }) => status === 429,
    title: "Too many requests",
    lead: "The rate limit of the organization or of the key is reached.",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    matches: ({ status, hasEnvelope }, doing) => status === 502 && (hasEnvelope || doing !== "submit"),
    title: "Every provider of the model failed",
    lead: "The service tried the providers it has.",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    matches: ({ status, hasEnvelope }, doing) => status === 503 && (hasEnvelope || doing !== "submit"),
    title: "Temporarily unavailable",
    lead: "Authentication or routing is temporarily unavailable at the service.",
    nextStep: RETRY_LATER,
    retryable: true,
  },
  {
    // 408, 409, 421, 425 and every 5xx that is not the service's own refusal leave a submit in doubt.
    matches: ({ status }, doing) => doing === "submit" && (status >= 500 || [408, 409, 421, 425].includes(status)),
    title: "The service failed while it took the request",
    charged: "unknown",
    nextStep: "Look for the job in History before you run it again.",
  },
  {
    matches: ({ status }) => status >= 500,
    title: "The service failed",
    nextStep: RETRY_LATER,
    retryable: true,
  },
];

const FALLBACK: Row = {
  matches: () => true,
  title: "The provider refused the request",
  lead: "The provider's own answer is passed through.",
  nextStep: "Change the request, then try again.",
};

/** Explains an answer that is not 2xx by its row of spec 7. */
export function explainRefusal(error: RefusedError, doing: Doing): Refusal {
  const row = ROWS.find((candidate) => candidate.matches(error, doing)) ?? FALLBACK;
  const said = asSentence(error.message);
  const speaker = error.type?.startsWith("relay_") ? "The host" : "The service";
  return {
    title: row.title,
    body: row.lead === undefined ? said : `${row.lead} ${speaker} says: ${said}`,
    charged: row.charged ?? chargedFor(error, doing),
    nextStep: row.nextStep,
    retryable: row.retryable ?? false,
  };
}

/** Spec 7 rule 4: a rejected job is refunded exactly. A 502 comes after providers were tried, so a charge was made. */
function chargedFor({ status, type }: RefusedError, doing: Doing): Explanation["charged"] {
  if (type === REDIRECT) return doing === "submit" || doing === "text" ? "unknown" : "no";
  return doing === "submit" && status === 502 ? "refunded" : "no";
}

function asSentence(message: string): string {
  const trimmed = message.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
