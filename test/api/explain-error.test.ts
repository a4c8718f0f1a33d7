import { describe, expect, it } from "vitest";
import { NoAnswerError, RefusedError, StreamedError, UnreadableAnswerError, UnusableIdError } from "#api/api-error.ts";
import { type Explanation, explainError, type Operation } from "#api/explain-error.ts";
import fc from "../setup/fc.ts";

const OPERATIONS: Operation[] = ["read", "estimate", "submit", "upload", "delete", "text", "connect"];

function refused(status: number, message = "Said so", hasEnvelope = true) {
  const body = hasEnvelope ? { error: { message } } : message;
  return new RefusedError({ status, message, hasEnvelope, body });
}

/** An answer of the studio's own host. */
function byHost(status: number, hostReason: string) {
  const type = `relay_${hostReason}`;
  return new RefusedError({ status, message: "Said so.", type, hasEnvelope: true, hostReason });
}

/** One row each of the table in spec 7, and what services send beyond it. */
const ROWS: [string, RefusedError, Operation, string, Explanation["charged"], boolean][] = [
  ["400 malformed or no model", refused(400, "model is missing"), "submit", "Request rejected", "no", false],
  ["400 on an estimate", refused(400), "estimate", "Request rejected", "no", false],
  ["401", refused(401), "read", "API key rejected", "no", false],
  ["401 while connecting", refused(401), "connect", "API key rejected", "no", false],
  [
    "502 of a gateway on a text",
    refused(502, "Bad Gateway"),
    "text",
    "Service error during the response",
    "unknown",
    true,
  ],
  ["500 on a text", refused(500), "text", "Service error during the response", "unknown", true],
  ["402, not in the specification", refused(402), "submit", "Not enough credit", "no", false],
  [
    "403 pool",
    refused(403, "This group requires VIP access"),
    "submit",
    "No access to this resource pool",
    "no",
    false,
  ],
  [
    "403 signed upload",
    refused(403, "SignatureDoesNotMatch", false),
    "upload",
    "The file host rejected the file",
    "no",
    true,
  ],
  ["403 of another kind", refused(403, "you do not have access"), "read", "Access denied", "no", false],
  [
    "404 no serving endpoint",
    refused(404, "No endpoints for model m"),
    "text",
    "This model is not available",
    "no",
    false,
  ],
  [
    "404 unknown model, in plain text",
    refused(404, "No matching target server found for model m", false),
    "text",
    "This model is not available",
    "no",
    false,
  ],
  ["403 page of a firewall on a text", refused(403, "Blocked", false), "text", "Access denied", "unknown", true],
  ["403 page of a firewall on a submit", refused(403, "Blocked", false), "submit", "Access denied", "unknown", false],
  ["403 page of a firewall on a read", refused(403, "Blocked", false), "read", "Access denied", "no", false],
  ["429 page of a gateway on a submit", refused(429, "Slow", false), "submit", "Too many requests", "unknown", false],
  ["404 unknown model", refused(404, "model m does not exist"), "submit", "Model not found", "no", false],
  ["404 inactive", refused(404, "model m is inactive"), "submit", "This model is currently inactive", "no", false],
  [
    "404 wrong catalogue, from text",
    refused(404, "no endpoint for model"),
    "text",
    "Wrong place for this model",
    "no",
    false,
  ],
  [
    "404 wrong catalogue, from the queue",
    refused(404, "no endpoint for model"),
    "submit",
    "Wrong place for this model",
    "no",
    false,
  ],
  ["404 job", refused(404, "request not found"), "read", "Not found", "no", false],
  ["404 address", refused(404, "page not found", false), "connect", "No service at this URL", "no", false],
  ["405", refused(405), "connect", "Wrong URL for this request", "no", false],
  ["429 on a read", refused(429), "read", "Too many requests", "no", true],
  ["429 on a submit", refused(429), "submit", "Too many requests", "no", true],
  [
    "502 on a read",
    refused(502, "All endpoints failed for m"),
    "read",
    "All providers of this model failed",
    "no",
    true,
  ],
  [
    "502 on a submit",
    refused(502, "All endpoints failed for m"),
    "submit",
    "All providers of this model failed",
    "refunded",
    true,
  ],
  [
    "502 on a submit from a gateway",
    refused(502, "Bad Gateway", false),
    "submit",
    "Service error during the request",
    "unknown",
    false,
  ],
  ["503 while connecting", refused(503), "connect", "Temporarily unavailable", "no", true],
  [
    "502 on a submit in JSON that is not the service's",
    new RefusedError({ status: 502, message: "Bad Gateway", hasEnvelope: true, body: { error: "Bad Gateway" } }),
    "submit",
    "Service error during the request",
    "unknown",
    false,
  ],
  [
    "503 on a submit",
    refused(503, "Model routing is temporarily unavailable"),
    "submit",
    "Temporarily unavailable",
    "no",
    true,
  ],
  ["503 on a submit without a reason", refused(503), "submit", "Service error during the request", "unknown", false],
  [
    "503 on a submit in plain text",
    refused(503, "Upstream capacity temporarily exhausted", false),
    "submit",
    "Service error during the request",
    "unknown",
    false,
  ],
  ["500 on a submit", refused(500), "submit", "Service error during the request", "unknown", false],
  ["504 on a submit", refused(504), "submit", "Service error during the request", "unknown", false],
  ["408 on a submit", refused(408), "submit", "Service error during the request", "unknown", false],
  ["500 on a read", refused(500), "read", "Service error", "no", true],
  ["a provider's 400 passed through", refused(400, "malformed prompt"), "text", "Request rejected", "no", false],
  ["a provider's 4xx passed through", refused(451), "submit", "Provider error", "no", false],
];

// Spec 7.
describe("every error of the table has its own explanation", () => {
  it.each(ROWS)("%s", (_name, error, operation, title, charged, retryable) => {
    const explained = explainError(error, operation);
    expect(explained).toMatchObject({ title, charged, retryable });
    expect(explained.body).toContain(error.message);
  });
});

describe("an answer of the studio's own host", () => {
  it.each([
    ["not_allowed", "This URL is not allowed"],
    ["private_address", "This URL is not public"],
    ["not_same_origin", "Safelight was opened at the wrong URL"],
    ["unreachable", "Couldn’t reach the service"],
    ["never_sent", "Not sent"],
    ["other_memory", "The Safelight server has changed"],
    ["store_unavailable", "The Safelight server can’t save its records"],
    ["too_large", "Too large to send"],
    ["no_session", "Enter the key again"],
    ["too_many_sessions", "Too many connections in this browser"],
    ["not_a_service_request", "This request is not allowed"],
    ["not_a_target", "The Safelight server didn’t send this request"],
    ["of_a_later_version", "The Safelight server didn’t send this request"],
    ["constructor", "The Safelight server didn’t send this request"],
  ])("%s means that nothing was charged, in the host's words", (reason, title) => {
    for (const operation of OPERATIONS) {
      expect(explainError(byHost(403, reason), operation)).toMatchObject({ title, body: "Said so.", charged: "no" });
    }
  });

  it.each([
    ["redirect", "The URL redirects elsewhere"],
    ["outcome_unknown", "No response from the service"],
    ["intent_reused", "This request ID was already used"],
  ])("%s comes after the request had left, so a charge is possible", (reason, title) => {
    const explained = (operation: Operation) => explainError(byHost(504, reason), operation);
    expect(explained("read")).toMatchObject({ title, charged: "no" });
    expect(explained("connect")).toMatchObject({ title, charged: "no" });
    expect(explained("text")).toMatchObject({ title, charged: "unknown" });
    expect(explained("submit")).toMatchObject({ title, charged: "unknown", retryable: false });
    expect(explained("submit").nextStep).toContain("History");
  });

  it("that repeats the service's first answer is explained as the service's", () => {
    expect(explainError(byHost(401, "first_answer"), "submit").title).toBe("API key rejected");
  });

  it("is known by its header alone, and never by what a service writes", () => {
    const forged = new RefusedError({ status: 500, message: "x", type: "relay_not_allowed", hasEnvelope: true });
    expect(explainError(forged, "submit").charged).toBe("unknown");
  });
});

describe("a failure without an answer of the service", () => {
  it("leaves a submit in doubt and points to the history, never to sending again", () => {
    for (const error of [new NoAnswerError(), new NoAnswerError({ timedOut: true })]) {
      expect(explainError(error, "submit")).toMatchObject({ charged: "unknown", retryable: false });
      expect(explainError(error, "submit").nextStep).toContain("History");
    }
  });

  it("costs nothing on a read, and may be tried again", () => {
    expect(explainError(new NoAnswerError(), "read")).toMatchObject({
      title: "No response from the service",
      charged: "no",
      retryable: true,
    });
  });

  it("names no single cause for an address that does not answer", () => {
    const { body } = explainError(new NoAnswerError(), "connect");
    expect(body).toContain("gives no reason");
  });

  it("may be charged for text", () => {
    expect(explainError(new NoAnswerError(), "text").charged).toBe("unknown");
  });
});

describe("an error within an answer that had begun", () => {
  it("keeps the text, may be charged, and may be sent again", () => {
    const explained = explainError(new StreamedError({ message: "Overloaded" }), "text");
    expect(explained).toMatchObject({ body: "Overloaded", charged: "unknown", retryable: true });
    expect(explained.nextStep).toContain("charged twice");
  });
});

describe("an answer that cannot be read", () => {
  const error = new UnreadableAnswerError({ status: 200, excerpt: "<html>", reason: "The response is not JSON." });

  it("of a submit means a job may run", () => {
    expect(explainError(error, "submit")).toMatchObject({ charged: "unknown", retryable: false });
  });

  it("of an estimate means the price is unknown", () => {
    expect(explainError(error, "estimate")).toMatchObject({ title: "Price unknown", charged: "no" });
  });
});

describe("every explanation", () => {
  it("is in whole sentences without exclamation marks, for any status and operation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 400, max: 599 }),
        fc.constantFrom(...OPERATIONS),
        fc.boolean(),
        (status, operation, envelope) => {
          const explained = explainError(refused(status, "Said so", envelope), operation);
          const costs = operation === "submit" || operation === "text";
          expect(explained.chargedText !== "").toBe(costs);
          for (const text of [explained.body, explained.nextStep, ...(costs ? [explained.chargedText] : [])]) {
            expect(text).toMatch(/^[A-Z].*\.$/s);
            expect(text).not.toContain("!");
          }
        },
      ),
    );
  });

  it("leaves the charge unknown for a submit with an open outcome", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), (status) => {
        expect(explainError(refused(status, "x", false), "submit").charged).toBe("unknown");
      }),
    );
  });

  it("exists for foreign errors and for values that are no error", () => {
    expect(explainError(new Error("boom"), "read")).toMatchObject({ body: "boom", charged: "no" });
    expect(explainError("text", "submit").charged).toBe("unknown");
    expect(explainError(new UnusableIdError("This job ID can’t be used in a URL."), "read").body).toContain(
      "No request was made",
    );
  });
});
