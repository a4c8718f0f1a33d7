import { describe, expect, test } from "vitest";
import { PRICE } from "../../simulation/sim-settings.ts";
import { openStory } from "./story.ts";

describe("the stories of the money table, in virtual time", () => {
  test("M1 the reply is lost after the job was made: adopted within 10 s of the list showing it, one POST", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream" });
    story.press();
    await story.pass(10);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered" });
    expect(story.world.witness.posts).toBe(1);
    expect((await story.ledger()).map(({ kind }) => kind)).toEqual(["charged"]);
  });

  test("M3 twenty clicks in one tick are one consent and one POST", async () => {
    const story = openStory();
    for (let click = 0; click < 20; click += 1) story.press();
    await story.pass(5);
    expect(story.world.witness.posts).toBe(1);
    expect(story.world.service.jobs).toHaveLength(1);
  });

  test("M4 one draft in two tabs: one job, and the other tab says where it went", async () => {
    const story = openStory();
    const other = story.open();
    void Promise.all([story.tab.desk.prepare("model-0"), other.desk.prepare("model-0")]);
    await story.pass(1);
    story.press();
    story.press(other);
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    const states = [story.state(), other.desk.states.getState()["model-0"]];
    expect(states.map((state) => state?.phase).sort()).toEqual(["accepted", "not-sent"]);
    const late = story.state().phase === "accepted" ? other : story.tab;
    story.press(late);
    await story.pass(5);
    expect(late.desk.states.getState()["model-0"]).toMatchObject({ phase: "not-sent", reason: "already-sent" });
    expect(story.world.service.jobs).toHaveLength(1);
  });

  test("M5 the page dies mid-submit: the next one finds the job, and sends nothing", async () => {
    const story = openStory({ fates: ["hang"] });
    story.press();
    await story.pass(1.5);
    story.tab.crash();
    const next = story.open();
    await story.pass(15);
    expect(next.desk.states.getState()["model-0"]).toMatchObject({ phase: "accepted", how: "recovered" });
    expect(story.world.witness.posts).toBe(1);
    expect(story.world.findings()).toEqual([]);
  });

  test("M7 503 with the service's error: the list is read before each new try", async () => {
    const story = openStory({ fates: ["503", "503", "none"] });
    story.press();
    await story.pass(30);
    expect(story.phases).toEqual(["sending", "retrying", "sending", "retrying", "sending", "accepted"]);
    expect(story.world.service.jobs).toHaveLength(1);
  });

  test("M7 it ends after four attempts", async () => {
    const story = openStory({ fates: ["503", "502", "503", "502", "none"] });
    story.press();
    await story.pass(120);
    expect(story.state()).toMatchObject({ phase: "rejected", attempts: 4, refusal: { status: 502 } });
    expect(story.world.service.jobs).toHaveLength(0);
  });

  test("M8 a gateway's 502 after the job was made: unconfirmed, found, never sent again", async () => {
    const story = openStory({ fates: ["gateway-after"] });
    story.press();
    await story.pass(10);
    expect(story.phases).toEqual(["sending", "unconfirmed", "accepted"]);
    expect(story.world.witness.posts).toBe(1);
  });

  test("M9 an unreadable 200: unconfirmed as most likely charged, then found", async () => {
    const story = openStory({ fates: ["unreadable"], mostLagMs: 60_000 });
    story.press();
    await story.pass(2);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", surelyCharged: true, canSendAgain: false });
    await story.pass(100);
    expect(story.state()).toMatchObject({ phase: "accepted" });
  });

  test("M10 a storm of 429: six attempts at most, spread, and it can be stopped", async () => {
    const storm = openStory({ fates: Array.from({ length: 10 }, () => "429" as const) });
    storm.press();
    await storm.pass(120);
    expect(storm.world.witness.posts).toBe(6);
    expect(storm.state()).toMatchObject({ phase: "rejected", attempts: 6 });

    const stopped = openStory({ fates: ["429", "none"] });
    stopped.press();
    for (let tenth = 0; tenth < 100 && stopped.state().phase !== "retrying"; tenth += 1) await stopped.pass(0.1);
    expect(stopped.state().phase).toBe("retrying");
    stopped.tab.desk.cancelRetry("model-0");
    await stopped.pass(120);
    expect(stopped.world.witness.posts).toBe(1);
    expect(stopped.state()).toMatchObject({ phase: "rejected" });
  });

  test("M11 no job is called absent before 120 s and five good looks", async () => {
    const story = openStory({ fates: ["lost-request"] });
    story.press();
    await story.pass(118);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: false });
    await story.pass(20);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
    expect((await story.ledger()).map(({ kind }) => kind)).toEqual(["absent"]);
    void story.tab.desk.sendAgain("model-0");
    await story.pass(5);
    expect(story.world.service.jobs).toHaveLength(1);
    expect(story.world.witness.posts).toBe(2);
  });

  test("M12 looks that fail count for nothing: it stays open as long as the list cannot be read", async () => {
    const story = openStory({ fates: ["lost-request"] });
    story.press();
    await story.pass(3);
    story.world.browser.settings.listFault = 1;
    await story.pass(600);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: false, lookFailed: true });
    story.world.browser.settings.listFault = 0;
    await story.pass(300);
    expect(story.state()).toMatchObject({ phase: "unconfirmed", canSendAgain: true });
  });

  test("M2 M13 another tab audits and the clock is set back an hour: a duplicate is still shown within 180 s", async () => {
    let twice = 0;
    for (let seed = 1; seed <= 12; seed += 1) {
      const story = openStory({ seed, body: "plain", models: 2, fates: ["none", "lost-reply"] });
      story.press();
      await story.pass(20);
      const other = story.open();
      story.world.witness.noteGesture(other);
      other.desk.submit({ model: "model-1", payload: { prompt: "b" } }, PRICE).catch(() => {});
      await story.pass(10);
      story.world.browser.wallOffsetMs -= 3_600_000;
      await story.pass(170);
      const told = (await story.ledger()).filter(({ kind }) => kind === "charged" || kind === "possible-duplicate");
      expect(told).toHaveLength(story.world.service.jobs.length);
      if (story.world.service.jobs.length === 3) twice += 1;
    }
    expect(twice).toBeGreaterThan(2);
  });

  test("M13 the clock jumps by a day in both ways while an outcome is open: the same result", async () => {
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

  test("M14 another client's job in the same second, with no payload to tell: the likely match, and ours is not hidden", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: false });
    story.world.browser.time.after(600, () => {
      story.world.service.create({ model: "model-0", payload: { prompt: "theirs" } }, undefined);
    });
    story.press();
    await story.pass(30);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "probable" });
    expect(story.world.findings()).toEqual([]);
  });

  test("M14 with the payload echoed, the other client's job is told apart for certain", async () => {
    const story = openStory({ fates: ["lost-reply"], body: "stream", echoesPayload: true });
    story.world.browser.time.after(600, () => {
      story.world.service.create({ model: "model-0", payload: { prompt: "theirs" } }, undefined);
    });
    story.press();
    await story.pass(30);
    expect(story.state()).toMatchObject({ phase: "accepted", how: "recovered", alsoFound: [] });
  });
});
