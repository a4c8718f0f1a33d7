import { describe, expect, test } from "vitest";
import type { Job, JobListParams } from "#api/types.ts";
import { intentRows } from "#runs/submit/outbox.ts";
import { listModelJobs } from "#runs/submit/run.ts";
import { makeIntent } from "../../setup/make-intent.ts";
import { stateShown } from "../../setup/state-shown.ts";
import { PRICE } from "../../simulation/sim-settings.ts";
import { ACCOUNT_ID } from "../../simulation/sim-tab.ts";
import { MODEL, openStory, type Story } from "./sim-story.ts";

describe("from the click to the answer, in virtual time", () => {
  test("after a lost database a run does not take the job of another one that was sent meanwhile", async () => {
    const story = openStory({ fates: ["lost-request", "hang"], echoesPayload: true });
    const other = story.open();
    story.press();
    await story.pass(6);
    expect(story.state()).toMatchObject({ phase: "unconfirmed" });
    const [first] = await story.outbox();
    // In the middle of its polling this page stands still, and its row is gone, with the slot of the model.
    story.tab.freeze();
    story.world.browser.rows.wipe();
    story.world.witness.noteDatabaseLost();
    story.tab.loseDatabase();
    story.press(other);
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    story.tab.thaw();
    await story.pass(400);
    const charged = (await story.ledger()).filter(({ kind }) => kind === "charged");
    expect(charged.map(({ requestId }) => requestId)).toEqual(["job-1"]);
    expect(charged.some(({ intentId }) => intentId === first?.intentId)).toBe(false);
    const states = (await story.outbox()).map(({ intentId, state }) => [intentId === first?.intentId, state]);
    expect(Object.fromEntries(states)).toEqual({ true: "absent", false: "accepted" });
    expect(story.world.findings()).toEqual([]);
  });

  test("its own job that the list shows while another run has the slot is not called absent", async () => {
    const story = openStory({ fates: ["lost-reply", "hang"], body: "stream", echoesPayload: true });
    const other = story.open();
    story.press();
    await story.pass(2);
    for (const served of story.world.service.jobs) served.visibleAtMs = [served.createdAtMs + 118_000];
    await story.pass(116);
    story.tab.freeze();
    story.world.browser.rows.wipe();
    story.world.witness.noteDatabaseLost();
    story.tab.loseDatabase();
    story.press(other);
    await story.pass(12);
    story.tab.thaw();
    for (let second = 0; second < 400; second += 1) {
      await story.pass(1);
      expect(story.state()).not.toMatchObject({ canSendAgain: true });
    }
    const charged = (await story.ledger()).filter(({ kind }) => kind === "charged");
    expect(charged.map(({ requestId }) => requestId).sort()).toEqual(["job-1", "job-2"]);
    expect(story.world.findings()).toEqual([]);
  });

  describe.each([intentRows.version, intentRows.version + 1])(
    "beside a row of version %i that came from a file and holds no slot",
    (v) => {
      const leaveRow = ({ world }: Story) => {
        const body = intentRows.write?.(
          makeIntent({ intentId: "from-a-file", request: { model: MODEL, payload: { prompt: "a chair" } } }),
        );
        const row = { key: "from-a-file", scope: ACCOUNT_ID, v, body };
        return world.browser.rows.edit({ store: "outbox", key: row.key }, () => ({
          changes: [{ kind: "put", store: "outbox", row }],
          result: undefined,
        }));
      };

      test("a job whose reply was lost is found", async () => {
        const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: true });
        story.press();
        await story.pass(0.5);
        await leaveRow(story);
        await story.pass(10);
        expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered" });
        expect(story.world.findings()).toEqual([]);
      });

      test("a job whose reply was lost is found after a reload", async () => {
        const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: true });
        story.press();
        await story.pass(0.5);
        await leaveRow(story);
        story.tab.crash();
        story.open();
        await story.pass(20);
        const lines = await story.ledger();
        expect(lines.flatMap(({ kind, requestId }) => (requestId === undefined ? [] : [[kind, requestId]]))).toEqual([
          ["charged", "job-1"],
        ]);
      });

      test("a refusal of the second delivery is followed by no further attempt", async () => {
        const story = openStory({ fates: ["lost-reply", "503", "none"], body: "plain", echoesPayload: true });
        story.press();
        await story.pass(0.3);
        await leaveRow(story);
        await story.pass(60);
        const lines = await story.ledger();
        expect(lines.flatMap(({ kind, requestId }) => (requestId === undefined ? [] : [[kind, requestId]]))).toEqual([
          ["charged", "job-1"],
        ]);
        expect(story.world.service.jobs).toHaveLength(1);
      });
    },
  );

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
    const states = [story.state(), stateShown(other.submissions, "model-0")];
    expect(states.map((state) => state?.phase).sort()).toEqual(["accepted", "not-sent"]);
    const late = story.state().phase === "accepted" ? other : story.tab;
    story.press(late);
    await story.pass(5);
    expect(stateShown(late.submissions, "model-0")).toMatchObject({ phase: "not-sent", reason: "already-sent" });
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
    expect(stateShown(next.submissions, "model-0")).toMatchObject({ phase: "accepted", how: "recovered" });
    expect(story.world.witness.posts).toBe(1);
    expect(story.world.findings()).toEqual([]);
  });

  test("after a reload between refused attempts the next press is a run of its own", async () => {
    const story = openStory({ fates: ["503", "none"], body: "stream" });
    story.press();
    await story.pass(0.8);
    expect(story.state()).toMatchObject({ phase: "retrying" });
    story.tab.crash();
    const next = story.open();
    void next.submissions.prepare("model-0");
    await story.pass(15);
    expect(stateShown(next.submissions, "model-0").phase).toBe("idle");
    story.press(next);
    await story.pass(5);
    expect(stateShown(next.submissions, "model-0")).toMatchObject({ phase: "accepted" });
    expect(story.world.service.jobs).toHaveLength(1);
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
  test("after an unreadable 200 nothing is said of the charge until the job is found", async () => {
    const story = openStory({ fates: ["unreadable"], mostLagMs: 60_000 });
    story.press();
    await story.pass(3);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", refusal: { status: 200 }, canSendAgain: false });
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
