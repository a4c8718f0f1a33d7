import { describe, expect, test } from "vitest";
import type { WireAnswer } from "../../simulation/sim-answers.ts";
import type { SimSettings } from "../../simulation/sim-settings.ts";
import { MODEL, openStory, type Story } from "./sim-story.ts";

const answer = (status: number, body: unknown): WireAnswer => ({
  status,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const PAGE = "<html><head><title>Blocked</title></head><body>Request blocked</body></html>";
/** What stands in between answers the first submit, after the service has made the job or without asking it. */
const answered = (fate: "gateway-after" | "gateway-before", said: WireAnswer, more: Partial<SimSettings> = {}) =>
  openStory({ fates: [fate], gatewayAnswers: [said], body: "stream", ...more });
/** Lets time pass until something is so. */
const until = async (story: Story, isSo: () => boolean) => {
  for (let tenth = 0; tenth < 100 && !isSo(); tenth += 1) await story.pass(0.1);
  expect(isSo()).toBe(true);
};
/** From now on only a request for the job itself shows it. */
const hideInList = ({ world }: Story) => {
  for (const job of world.service.jobs) job.visibleAtMs.fill(Number.POSITIVE_INFINITY);
};
const sent = (story: Story) => until(story, () => story.world.witness.posts > 0);
const kinds = async (story: Story) => (await story.ledger()).map(({ kind }) => kind);

describe("an answer that proves no refusal", () => {
  test.each([
    [401, PAGE],
    [403, PAGE],
    [404, "not found"],
    [413, PAGE],
    [429, PAGE],
    [429, "Too many requests"],
    [429, ""],
    [429, { message: "Too Many Requests" }],
    [451, '"no"'],
  ])("%i %j after the job was made is unconfirmed, then found, with one POST", async (status, body) => {
    for (const way of ["stream", "relay"] as const) {
      const story = answered("gateway-after", answer(status, body), { body: way });
      story.press();
      await until(story, () => story.state().phase === "unconfirmed");
      expect(await kinds(story)).toEqual(["unconfirmed"]);
      expect(story.state()).toMatchObject({ phase: "unconfirmed", refusal: { status } });
      await story.pass(29);
      expect(story.phases).toEqual(["sending", "unconfirmed", "accepted"]);
      expect(await kinds(story)).toEqual(["charged"]);
      expect(story.world.witness.posts).toBe(1);
      expect(story.world.findings()).toEqual([]);
    }
  });

  test("a 429 page for each of six submits makes one job of one press, however late the list shows it", async () => {
    const fates = Array.from({ length: 6 }, () => "gateway-after" as const);
    const story = answered("gateway-after", answer(429, PAGE), { fates, mostLagMs: 110_000 });
    story.press();
    await story.pass(200);
    expect(story.state()).toMatchObject({ phase: "accepted" });
    expect(story.world.service.jobs).toHaveLength(1);
  });

  test("a page before the job is made ends as not found, and never as not charged", async () => {
    const story = answered("gateway-before", answer(403, PAGE));
    story.press();
    await story.pass(140);
    expect(story.phases).toEqual(["sending", "unconfirmed"]);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
    expect(await kinds(story)).toEqual(["absent"]);
  });
});

describe("a 200 that proves no job", () => {
  test.each([
    [{ error: { message: "balance not enough" }, request_id: "trace-1" }, "balance not enough"],
    [{ error: "busy", request_id: "trace-1", model: MODEL, status: "queued" }, "busy"],
    [{ success: false, id: "err_19", message: "no" }, "no"],
    [{ success: "false", request_id: "trace-1", model: MODEL, message: "no" }, "no"],
    [{ code: 1001, message: "balance not enough" }, "balance not enough"],
    [{ code: 1001, message: "balance not enough", request_id: "trace-1", model: MODEL }, "balance not enough"],
    [{ status: "ok", id: "portal-1", message: "Sign in first" }, "Sign in first"],
    [{ status: "success", id: "portal-1", message: "Sign in first" }, "Sign in first"],
    [{ status: "unauthorized", request_id: "trace-1", message: "Sign in first" }, "Sign in first"],
    [{ status: "failed", request_id: "trace-1", message: "balance not enough" }, "balance not enough"],
    [{ id: "x-1" }, ""],
  ])("%j is unconfirmed with its words, and ends as not found", async (body, message) => {
    for (const way of ["stream", "relay"] as const) {
      const story = answered("gateway-before", answer(200, body), { body: way });
      story.press();
      await story.pass(4);
      expect(story.state()).toMatchObject({
        phase: "unconfirmed",
        refusal: { status: 200, message },
      });
      expect(await kinds(story)).toEqual(["unconfirmed"]);
      await story.pass(150);
      expect(await kinds(story)).toEqual(["absent"]);
      expect(story.world.witness.posts).toBe(1);
    }
  });

  test("whose id the service has a record of is accepted, before the list shows it", async () => {
    const failed = { request_id: "job-1", model: MODEL, status: "failed", error: "slow" };
    for (const [said, echoesPayload] of [
      [{ request_id: "job-1" }, true],
      [{ request_id: "job-1" }, false],
      [{ request_id: "job-1", error: "slow", status: "queued" }, true],
      [failed, false],
    ] as const) {
      const story = answered("gateway-after", answer(200, said), { echoesPayload });
      story.press();
      await until(story, () => story.world.service.jobs.length > 0);
      hideInList(story);
      await story.pass(3);
      expect(story.phases).toEqual(["sending", "accepted"]);
      expect(story.state()).toMatchObject({ phase: "accepted", requestId: "job-1", how: "answered" });
    }
  });

  test("whose id cannot be asked for at first is asked for again, and nothing is called absent meanwhile", async () => {
    const story = answered("gateway-after", answer(200, { request_id: "job-1" }));
    story.press();
    await until(story, () => story.world.service.jobs.length > 0);
    hideInList(story);
    story.world.browser.settings.listFault = 1;
    await story.pass(5);
    expect(story.state()).toMatchObject({ phase: "unconfirmed" });
    expect(await story.outbox()).toMatchObject([{ possibleJob: { id: "job-1", needsEcho: false } }]);
    await story.pass(200);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: false });
    story.world.browser.settings.listFault = 0;
    await story.pass(65);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered", requestId: "job-1" });
  });

  test("whose reply was lost on its way from the host shows its words, and asks for its id", async () => {
    const refused = answered("gateway-before", answer(200, { error: "balance not enough", request_id: "trace-1" }), {
      body: "relay",
      pageFates: ["lost-reply"],
    });
    refused.press();
    await until(refused, () => refused.state().phase === "unconfirmed");
    expect(refused.state()).toMatchObject({ refusal: { status: 200, message: "balance not enough" } });
    await refused.pass(150);
    expect(await kinds(refused)).toEqual(["absent"]);
  });

  test("whose id the service repeats in another spelling of the prompt is accepted", async () => {
    const story = answered("gateway-after", answer(200, { request_id: "job-1" }));
    const { service } = story.world;
    const { find } = service;
    service.find = (id) => {
      const job = find(id);
      return job && { ...job, payload: { prompt: "a lamp, trimmed" } };
    };
    story.press();
    await story.pass(5);
    expect(story.state()).toMatchObject({ phase: "accepted", requestId: "job-1" });
  });

  test("that names a job of before is not taken for that job", async () => {
    for (const echoesPayload of [true, false]) {
      const said = answer(200, { request_id: "older-model-0-3" });
      const story = answered("gateway-before", said, { olderJobs: 150, echoesPayload });
      story.press();
      await story.pass(150);
      expect(await kinds(story)).toEqual(["absent"]);
    }
  });

  test("that speaks of an error is not taken for a job that may be another client's", async () => {
    const said = answer(200, { error: "Another job is running", request_id: "job-1" });
    const story = answered("gateway-before", said, { echoesPayload: false });
    story.press();
    await sent(story);
    story.world.service.create({ model: MODEL, payload: { prompt: "theirs" } }, undefined);
    hideInList(story);
    await story.pass(150);
    expect(await kinds(story)).toEqual(["absent"]);
  });

  test("that names the job of another run is not taken for it", async () => {
    const fates = ["none", "gateway-before"] as const;
    const story = answered("gateway-before", answer(200, { request_id: "job-1" }), { fates, echoesPayload: false });
    story.press();
    await until(story, () => story.state().phase === "accepted");
    hideInList(story);
    story.press();
    await story.pass(150);
    expect((await kinds(story)).sort()).toEqual(["absent", "charged"]);
  });
});

test("a page of what stands before the host leaves nothing sent: its words are shown, and no other attempt follows", async () => {
  const story = openStory({ pageFates: ["gateway-before"], gatewayAnswers: [answer(413, PAGE)] });
  story.press();
  await story.pass(60);
  expect(story.state()).toMatchObject({ phase: "rejected", refusal: { message: expect.stringContaining("413") } });
  expect(await kinds(story)).toEqual(["not-charged"]);
  expect(story.world.witness.posts).toBe(1);
  expect(story.world.findings()).toEqual([]);
});
