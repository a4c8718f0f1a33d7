import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import { readError } from "#api/read-error.ts";
import type { Job, JobListParams } from "#api/types.ts";
import { listModelJobs } from "#jobs/submit/match-jobs.ts";
import { classifyError } from "#jobs/submit/outcome.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { openStory } from "./sim-story.ts";

describe("from the click to the answer, in virtual time", () => {
  // M1
  test("a job whose reply was lost is found within 10 s, with one POST", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream" });
    story.press();
    await story.pass(10);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered" });
    expect(story.world.witness.posts).toBe(1);
    expect((await story.ledger()).map(({ kind }) => kind)).toEqual(["charged"]);
  });

  // M3
  test("twenty clicks in one tick are one consent and one POST", async () => {
    const story = openStory();
    for (let click = 0; click < 20; click += 1) story.press();
    await story.pass(5);
    expect(story.world.witness.posts).toBe(1);
    expect(story.world.service.jobs).toHaveLength(1);
  });

  // M4
  test("one draft in two tabs makes one job, and the second tab says so", async () => {
    const story = openStory();
    const other = story.open();
    void Promise.all([story.tab.submissions.prepare("model-0"), other.submissions.prepare("model-0")]);
    await story.pass(1);
    story.press();
    story.press(other);
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    const states = [story.state(), other.submissions.states.getState()["model-0"]];
    expect(states.map((state) => state?.phase).sort()).toEqual(["accepted", "not-sent"]);
    const late = story.state().phase === "accepted" ? other : story.tab;
    story.press(late);
    await story.pass(5);
    expect(late.submissions.states.getState()["model-0"]).toMatchObject({ phase: "not-sent", reason: "already-sent" });
    expect(story.world.service.jobs).toHaveLength(1);
  });

  // M5
  test("after a crash mid-submit the next page finds the job and sends nothing", async () => {
    const story = openStory({ fates: ["hang"], body: "stream" });
    story.press();
    await story.pass(1.5);
    story.tab.crash();
    const next = story.open();
    await story.pass(15);
    expect(next.submissions.states.getState()["model-0"]).toMatchObject({ phase: "accepted", how: "recovered" });
    expect(story.world.witness.posts).toBe(1);
    expect(story.world.findings()).toEqual([]);
  });

  // M7
  test("after 503 with the service's error the list is read before each attempt", async () => {
    const story = openStory({ fates: ["503", "503", "none"] });
    story.press();
    await story.pass(30);
    expect(story.phases).toEqual(["sending", "retrying", "sending", "retrying", "sending", "accepted"]);
    expect(story.world.service.jobs).toHaveLength(1);
  });

  // M7
  test("502 and 503 end after five attempts", async () => {
    const story = openStory({ fates: ["503", "502", "503", "502", "503", "none"] });
    story.press();
    await story.pass(120);
    expect(story.state()).toMatchObject({ phase: "rejected", attempts: 5, refusal: { status: 503 } });
    expect(story.world.service.jobs).toHaveLength(0);
  });

  // M8
  test("after a gateway's 502 the job is found, and nothing is sent again", async () => {
    const story = openStory({ fates: ["gateway-after"] });
    story.press();
    await story.pass(10);
    expect(story.phases).toEqual(["sending", "unconfirmed", "accepted"]);
    expect(story.world.witness.posts).toBe(1);
  });

  // M9
  test("after an unreadable 200 the job is most likely charged, then found", async () => {
    const story = openStory({ fates: ["unreadable"], mostLagMs: 60_000 });
    story.press();
    await story.pass(3);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", surelyCharged: true, canSendAgain: false });
    await story.pass(100);
    expect(story.state()).toMatchObject({ phase: "accepted" });
  });

  // M10
  test("after many 429 there are six attempts at most, which can be stopped", async () => {
    const storm = openStory({ fates: Array.from({ length: 10 }, () => "429" as const) });
    storm.press();
    await storm.pass(120);
    expect(storm.world.witness.posts).toBe(6);
    expect(storm.state()).toMatchObject({ phase: "rejected", attempts: 6 });

    const stopped = openStory({ fates: ["429", "none"] });
    stopped.press();
    for (let tenth = 0; tenth < 100 && stopped.state().phase !== "retrying"; tenth += 1) await stopped.pass(0.1);
    expect(stopped.state().phase).toBe("retrying");
    stopped.tab.submissions.cancelRetry("model-0");
    await stopped.pass(120);
    expect(stopped.world.witness.posts).toBe(1);
    expect(stopped.state()).toMatchObject({ phase: "rejected" });
  });

  // M11
  test("a job is called absent only after 120 s and five successful polls", async () => {
    const story = openStory({ fates: ["lost-request"] });
    story.press();
    await story.pass(118);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: false });
    await story.pass(20);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
    expect((await story.ledger()).map(({ kind }) => kind)).toEqual(["absent"]);
    void story.tab.submissions.sendAgain("model-0");
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    expect(story.world.witness.posts).toBe(2);
  });

  // M12
  test("failed polls do not count: the outcome stays open while none succeeds", async () => {
    const story = openStory({ fates: ["lost-request"] });
    story.press();
    await story.pass(3);
    story.world.browser.settings.listFault = 1;
    await story.pass(600);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: false, pollFailed: true });
    story.world.browser.settings.listFault = 0;
    await story.pass(300);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
  });

  // M2 M13: another tab audits.
  test("with a clock set back an hour a duplicate is shown within 180 s", async () => {
    let twice = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const story = openStory({ seed, body: "plain", models: 2, fates: ["none", "lost-reply"] });
      story.press();
      await story.pass(20);
      const other = story.open();
      story.world.witness.noteGesture(other);
      other.submissions.submit({ model: "model-1", payload: { prompt: "b" } }, PRICE).catch(() => {});
      await story.pass(10);
      story.world.browser.wallOffsetMs -= 3_600_000;
      await story.pass(170);
      const reported = (await story.ledger()).filter(({ kind }) => kind === "charged" || kind === "possible-duplicate");
      expect(reported).toHaveLength(story.world.service.jobs.length);
      if (story.world.service.jobs.length === 3) twice += 1;
    }
    expect(twice).toBeGreaterThan(2);
  });

  // M13
  test("a clock that jumps by a day while an outcome is open changes nothing", async () => {
    for (const jump of [86_400_000, -86_400_000]) {
      const story = openStory({ fates: ["hang"], mostLagMs: 90_000 });
      story.press();
      await story.pass(100);
      story.world.browser.wallOffsetMs += jump;
      await story.pass(300);
      expect(story.state()).toMatchObject({ phase: "accepted" });
      expect(story.world.findings()).toEqual([]);
    }
  });

  // M14
  test("another client's job in the same second without a payload is a probable match", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: false });
    story.world.browser.time.after(600, () => {
      story.world.service.create({ model: "model-0", payload: { prompt: "theirs" } }, undefined);
    });
    story.press();
    await story.pass(30);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "probable" });
    expect(story.world.findings()).toEqual([]);
  });

  // M14
  test("another client's job in the same second with a payload is no match", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: true });
    story.world.browser.time.after(600, () => {
      story.world.service.create({ model: "model-0", payload: { prompt: "theirs" } }, undefined);
    });
    story.press();
    await story.pass(30);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered", alsoFound: [] });
  });
});

const refused = (status: number, text = "", hostReason?: string) =>
  readError(status, text, new Headers(hostReason === undefined ? {} : { "x-safelight-relay": hostReason }));
const error = (message: string) => JSON.stringify({ error: { message } });

// spec 7
describe("the outcome of one POST", () => {
  test.each([400, 401, 402, 403, 404, 405, 410, 413, 415, 422])("%i is final", (status) => {
    expect(classifyError(refused(status), "relay").kind).toBe("rejected");
  });
  test("429 may be tried again, with a plain body after reading the list", () => {
    expect(classifyError(refused(429), "stream")).toMatchObject({ kind: "retry", readListFirst: false });
    expect(classifyError(refused(429), "plain")).toMatchObject({ kind: "retry", readListFirst: true });
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
  test("an unreadable answer is most likely a charge", () => {
    const unreadable = new UnreadableAnswerError({ status: 200, excerpt: "{", reason: "cut" });
    expect(classifyError(unreadable, "relay")).toMatchObject({ kind: "unconfirmed", surelyCharged: true });
  });
  test("no other status and no thrown value counts as a refusal", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.string(), (status, text) => {
        const { kind } = classifyError(refused(status, text), "relay");
        const isFinal = status >= 400 && status < 500 && ![408, 409, 421, 425, 429, 499].includes(status);
        expect(kind === "rejected").toBe(isFinal);
      }),
    );
    fc.assert(fc.property(fc.anything(), (thrown) => classifyError(thrown, "plain").kind === "unconfirmed"));
    expect(classifyError(new NoAnswerError(), "relay").kind).toBe("unconfirmed");
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

const listedJob = (requestId: string) => ({ requestId }) as Job;

// P14
test("every job is read once while new jobs come between the pages", async () => {
  const listed = Array.from({ length: 2_500 }, (_, index) => listedJob(`job-${index}`));
  const offsets: (number | undefined)[] = [];
  const listJobs = async ({ offset = 0, limit = 0 }: JobListParams) => {
    offsets.push(offset);
    const page = { jobs: listed.slice(offset, offset + limit), total: undefined };
    // Newest first: what comes in the meantime moves everything on.
    for (let index = 0; index < 30; index += 1) listed.unshift(listedJob(`later-${offset}-${index}`));
    return page;
  };
  const found = await listModelJobs({ api: { listJobs } as never }, "m", 0);
  const ids = found.map(({ requestId }) => requestId);
  expect(offsets).toEqual([0, 1_000, 2_000]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !id.startsWith("later-"))).toHaveLength(2_500);
});
