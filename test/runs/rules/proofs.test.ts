import { describe, expect, test } from "vitest";
import { asApiError, NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import { readJob } from "#api/jobs.ts";
import { readError } from "#api/read-error.ts";
import { tryParseJson } from "#lib/read.ts";
import { eventOfError, eventOfHostMemory, findClaim, fitsNamedJob, matchJobs } from "#runs/rules/proofs.ts";
import fc from "../../setup/fc.ts";
import { makeIntent } from "../../setup/make-intent.ts";

const refused = (status: number, text = "", hostReason?: string) =>
  readError(status, text, new Headers(hostReason === undefined ? {} : { "x-safelight-relay": hostReason }));
const listed = (requestId: string, payload?: object) =>
  readJob({ request_id: requestId, model: "lumen-2", status: "queued", ...(payload && { payload }) });
const error = (message: string) => JSON.stringify({ error: { message } });

// spec 7
describe("the outcome of one POST", () => {
  test.each([400, 401, 402, 403, 404, 405, 410, 413, 415, 422])("%i with a JSON object is final", (status) => {
    expect(eventOfError(refused(status, error("no")), "relay").kind).toBe("refused");
  });
  test("429 in the service's form may be tried again, with a plain body after reading the list", () => {
    for (const body of [error("Slow down."), '{"error":"Slow down."}']) {
      expect(eventOfError(refused(429, body), "stream")).toMatchObject({
        kind: "refused-for-now",
        readListFirst: false,
      });
      expect(eventOfError(refused(429, body), "plain")).toMatchObject({ kind: "refused-for-now", readListFirst: true });
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
    expect(eventOfError(refused(429, text), "stream")).toMatchObject({ kind: "answer-lost" });
  });
  test.each([
    [502, "All endpoints failed for lumen-2 after retries."],
    [503, "Model routing is temporarily unavailable. Try again."],
    [503, "Authentication is temporarily unavailable."],
    [503, "Rate limit exceeded."],
  ])("%i in the service's own words is tried again after reading the list", (status, words) => {
    expect(eventOfError(refused(status, error(words)), "relay")).toMatchObject({
      kind: "refused-for-now",
      readListFirst: true,
    });
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
    expect(eventOfError(refused(status, text), "relay")).toMatchObject({ kind: "answer-lost", refusal: { status } });
  });
  // M9
  test.each(['{"request_id":"job-1","sta', '{"request_id":"t-1","error":{"mess', "{{ template }}", "<html>"])(
    "%s, which cannot be read, says nothing of a charge",
    (excerpt) => {
      const unreadable = new UnreadableAnswerError({ status: 200, excerpt, reason: "cut" });
      expect(eventOfError(unreadable, "relay")).toEqual({
        kind: "answer-lost",
        refusal: { status: 200, message: "" },
        possibleJob: undefined,
        isHostDone: false,
      });
    },
  );
  test("only a JSON object with a final 4xx status is a final refusal", () => {
    const isObject = (text: string) => /^\s*\{/.test(text) && tryParseJson(text) !== undefined;
    const body = fc.oneof(fc.string(), fc.json(), fc.constant(error("no")), fc.constant(`<html>${error("no")}</html>`));
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), body, (status, text) => {
        const { kind } = eventOfError(refused(status, text), "relay");
        const isFinal = status >= 400 && status < 500 && ![408, 409, 421, 425, 429, 499].includes(status);
        expect(kind === "refused").toBe(isFinal && isObject(text));
      }),
    );
    fc.assert(fc.property(fc.anything(), (thrown) => eventOfError(asApiError(thrown), "plain").kind === "answer-lost"));
    expect(eventOfError(new NoAnswerError(), "relay").kind).toBe("answer-lost");
  });
});

describe("what the host says became of an attempt", () => {
  const HOUR_MS = 3_600_000;
  const NOW_MS = 100 * HOUR_MS;
  const asked = (sentAtMs: number) =>
    eventOfHostMemory(refused(410, error("words"), "never_sent"), makeIntent({ sentAtMs }), NOW_MS);

  test("'never sent' counts for 20 hours after the attempt", () => {
    expect(asked(NOW_MS - 19 * HOUR_MS)).toMatchObject({ kind: "refused-for-now" });
    expect(asked(NOW_MS - 1_000)).toMatchObject({ kind: "refused-for-now" });
    for (const hours of [20, 24, 30, 24 * 30]) {
      expect(asked(NOW_MS - hours * HOUR_MS)).toMatchObject({ kind: "answer-lost", isHostDone: true });
    }
  });

  test("'never sent' does not count for a row from a clock that was far ahead", () => {
    expect(asked(NOW_MS + 24 * HOUR_MS)).toMatchObject({ kind: "answer-lost" });
  });
});

describe("an answer of the studio's own host", () => {
  test.each(["store_unavailable", "other_memory", "not_allowed", "unreachable"])(
    "%s counts only once the host knows of no earlier delivery",
    (reason) => {
      expect(eventOfError(refused(503, error("words"), reason), "relay")).toMatchObject({
        kind: "answer-lost",
        isHostDone: false,
        hostRefusal: { hostReason: reason },
      });
    },
  );
  test.each(["outcome_unknown", "redirect", "intent_reused"])("%s leaves the outcome open", (reason) => {
    expect(eventOfError(refused(409, error("words"), reason), "relay")).toMatchObject({
      kind: "answer-lost",
      isHostDone: true,
    });
  });
  test("an attempt that never left it may be made again", () => {
    expect(eventOfError(refused(410, error("words"), "never_sent"), "relay")).toMatchObject({
      kind: "refused-for-now",
    });
  });
  test("without a host a service's header of that name means nothing", () => {
    expect(eventOfError(refused(502, error("words"), "never_sent"), "stream").kind).toBe("answer-lost");
    expect(eventOfError(refused(409, error("words"), "store_unavailable"), "plain").kind).toBe("answer-lost");
  });
});

describe("the jobs of the list that can be those of a run", () => {
  const idsOf = (claimed: string[], baseline: string[] = []) => {
    const jobs = [listed("theirs", { prompt: "a lamp" }), listed("ours")];
    const { ours } = matchJobs(jobs, makeIntent(), { ids: new Set(baseline), afterSeconds: 0 }, new Set(claimed));
    return ours.map(({ requestId }) => requestId);
  };

  test("a job of another run, though it echoes the same prompt, does not stand in the way of one that echoes nothing", () => {
    expect(idsOf([])).toEqual(["theirs"]);
    expect(idsOf(["theirs"])).toEqual(["ours"]);
  });

  test("nor does one that was listed before the run was sent", () => {
    expect(idsOf([], ["theirs"])).toEqual(["ours"]);
  });
});

describe("what a poll of the list lets an intent take", () => {
  const job = listed("ours", { prompt: "a lamp" });
  const certain = { ours: [job], certain: true, foreignSeen: false, isGuess: false };
  const likely = { ...certain, certain: false };
  const late = { waitedMs: 120_000, mayArrive: false };
  const isSure = (...args: Parameters<typeof findClaim>) => findClaim(...args)?.isSure;

  test("one that repeats what was sent at any time, and a likely one not while the attempt may still leave its host", () => {
    expect(isSure(certain, makeIntent(), { waitedMs: 0, mayArrive: true })).toBe(true);
    expect(isSure(likely, makeIntent(), { waitedMs: 0, mayArrive: true })).toBeUndefined();
    expect(isSure(likely, makeIntent(), { waitedMs: 0, mayArrive: false })).toBe(true);
  });

  test("a likely one is not certain beside others, or where other clients use the key", () => {
    expect(isSure({ ...likely, ours: [job, job] }, makeIntent(), late)).toBe(false);
    expect(isSure({ ...likely, foreignSeen: true }, makeIntent(), late)).toBe(false);
    expect(isSure(likely, makeIntent({ shared: true }), late)).toBe(false);
  });

  test("one that may have been there before only after the time in which a list shows every job", () => {
    expect(isSure({ ...likely, isGuess: true }, makeIntent(), { ...late, waitedMs: 119_999 })).toBeUndefined();
    expect(isSure({ ...likely, isGuess: true }, makeIntent(), late)).toBe(true);
    expect(findClaim({ ...certain, ours: [] }, makeIntent(), late)).toBeUndefined();
  });
});

describe("the record of an id that an answer named", () => {
  const named = { id: "ours", needsEcho: false };
  const intent = makeIntent({ listedAfterSeconds: 1_700_000_000 });
  const record = (changes: object) => readJob({ request_id: "ours", model: "lumen-2", status: "queued", ...changes });

  test("is the intent's, unless it has another model and another prompt, or is older than the baseline", () => {
    expect(fitsNamedJob(record({}), intent, named)).toBe(true);
    expect(fitsNamedJob(record({ payload: { prompt: "a chair" } }), intent, named)).toBe(true);
    expect(fitsNamedJob(record({ payload: { prompt: "a chair" }, model: "other" }), intent, named)).toBe(false);
    expect(fitsNamedJob(record({ created_at: 1_700_000_000 }), intent, named)).toBe(false);
  });

  test("must repeat what was sent where the answer spoke of an error", () => {
    expect(fitsNamedJob(record({}), intent, { ...named, needsEcho: true })).toBe(false);
    expect(fitsNamedJob(record({ payload: { prompt: "a lamp" } }), intent, { ...named, needsEcho: true })).toBe(true);
  });
});
