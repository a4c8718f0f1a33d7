import { describe, expect, test } from "vitest";
import { NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import { readError } from "#api/read-error.ts";
import type { SubmitEffects } from "#jobs/submit/effects.ts";
import { askHost, classifyError } from "#jobs/submit/outcome.ts";
import { tryParseJson } from "#lib/read.ts";
import fc from "../../setup/fc.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const refused = (status: number, text = "", hostReason?: string) =>
  readError(status, text, new Headers(hostReason === undefined ? {} : { "x-safelight-relay": hostReason }));
const error = (message: string) => JSON.stringify({ error: { message } });

// spec 7
describe("the outcome of one POST", () => {
  test.each([400, 401, 402, 403, 404, 405, 410, 413, 415, 422])("%i with a JSON object is final", (status) => {
    expect(classifyError(refused(status, error("no")), "relay").kind).toBe("rejected");
  });
  test("429 in the service's form may be tried again, with a plain body after reading the list", () => {
    for (const body of [error("Slow down."), '{"error":"Slow down."}']) {
      expect(classifyError(refused(429, body), "stream")).toMatchObject({ kind: "retry", readListFirst: false });
      expect(classifyError(refused(429, body), "plain")).toMatchObject({ kind: "retry", readListFirst: true });
    }
  });
  test.each([
    "",
    "Slow down.",
    "<html><body>Slow down.</body></html>",
    '{"message":"Slow down."}',
    '{"error":null}',
    '{"error":{}}',
  ])("429 with the body %j is unconfirmed, and not repeated", (text) => {
    expect(classifyError(refused(429, text), "stream")).toMatchObject({ kind: "unconfirmed" });
  });
  test.each([
    [502, "All endpoints failed for lumen-2 after retries."],
    [503, "Model routing is temporarily unavailable. Try again."],
    [503, "Authentication is temporarily unavailable."],
    [503, "Rate limit exceeded."],
  ])("%i in the service's own words is tried again after reading the list", (status, words) => {
    expect(classifyError(refused(status, error(words)), "relay")).toMatchObject({ kind: "retry", readListFirst: true });
  });
  // M8
  test.each([
    [502, '{"error":"Bad Gateway"}'],
    [502, error("Bad Gateway")],
    [502, '{"message":"All endpoints failed for lumen-2"}'],
    [503, error("Service Temporarily Unavailable")],
    [503, "<html><body>Routing unavailable</body></html>"],
    [500, error("All endpoints failed for lumen-2")],
    [504, ""],
    [408, error("Timeout")],
    [409, error("Conflict")],
    [302, ""],
  ])("%i %s leaves the outcome open and keeps the words", (status, text) => {
    expect(classifyError(refused(status, text), "relay")).toMatchObject({ kind: "unconfirmed", refusal: { status } });
  });
  // M9
  test.each(['{"request_id":"job-1","sta', '{"request_id":"t-1","error":{"mess', "{{ template }}", "<html>"])(
    "%s, which cannot be read, says nothing of a charge",
    (excerpt) => {
      const unreadable = new UnreadableAnswerError({ status: 200, excerpt, reason: "cut" });
      expect(classifyError(unreadable, "relay")).toEqual({
        kind: "unconfirmed",
        refusal: { status: 200, message: "" },
        possibleJob: undefined,
        hostSpoke: false,
      });
    },
  );
  test("only a JSON object with a final 4xx status is a final refusal", () => {
    const isObject = (text: string) => /^\s*\{/.test(text) && tryParseJson(text) !== undefined;
    const body = fc.oneof(fc.string(), fc.json(), fc.constant(error("no")), fc.constant(`<html>${error("no")}</html>`));
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, text) => {
        const { kind } = classifyError(refused(status, text), "relay");
        const isFinal = status >= 400 && status < 500 && ![408, 409, 421, 425, 429, 499].includes(status);
        expect(kind === "rejected").toBe(isFinal && isObject(text));
      }),
    );
    fc.assert(fc.property(fc.anything(), (thrown) => classifyError(thrown, "plain").kind === "unconfirmed"));
    expect(classifyError(new NoAnswerError(), "relay").kind).toBe("unconfirmed");
  });
});

describe("what the host says became of an attempt", () => {
  const HOUR_MS = 3_600_000;
  const NOW_MS = 100 * HOUR_MS;
  const asked = (sentAtMs: number) => {
    const withdraw = () => Promise.reject(refused(410, error("words"), "never_sent"));
    const fx = { nowMs: () => NOW_MS, api: { withdraw } } as unknown as SubmitEffects;
    return askHost(fx, makeIntent({ state: "unconfirmed", bodyKind: "relay", hostMemory: "memory", sentAtMs }));
  };

  test("'never sent' counts for 20 hours after the attempt", async () => {
    expect(await asked(NOW_MS - 19 * HOUR_MS)).toMatchObject({ kind: "retry" });
    expect(await asked(NOW_MS - 1_000)).toMatchObject({ kind: "retry" });
    for (const hours of [20, 24, 30, 24 * 30]) {
      expect(await asked(NOW_MS - hours * HOUR_MS)).toMatchObject({ kind: "unconfirmed", hostSpoke: true });
    }
  });

  test("'never sent' does not count for a row from a clock that was far ahead", async () => {
    expect(await asked(NOW_MS + 24 * HOUR_MS)).toMatchObject({ kind: "unconfirmed" });
  });
});

describe("an answer of the studio's own host", () => {
  test.each(["store_unavailable", "other_memory", "not_allowed", "unreachable"])(
    "%s counts only once the host knows of no earlier delivery",
    (reason) => {
      expect(classifyError(refused(503, error("words"), reason), "relay")).toMatchObject({
        kind: "unconfirmed",
        hostSpoke: false,
        hostRefusal: { hostReason: reason },
      });
    },
  );
  test.each(["outcome_unknown", "redirect", "intent_reused"])("%s leaves the outcome open", (reason) => {
    expect(classifyError(refused(409, error("words"), reason), "relay")).toMatchObject({
      kind: "unconfirmed",
      hostSpoke: true,
    });
  });
  test("an attempt that never left it may be made again", () => {
    expect(classifyError(refused(410, error("words"), "never_sent"), "relay")).toMatchObject({ kind: "retry" });
  });
  test("without a host a service's header of that name means nothing", () => {
    expect(classifyError(refused(502, error("words"), "never_sent"), "stream").kind).toBe("unconfirmed");
    expect(classifyError(refused(409, error("words"), "store_unavailable"), "plain").kind).toBe("unconfirmed");
  });
});
