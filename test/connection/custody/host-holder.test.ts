import "../../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { hostHolder } from "#connection/custody/host-holder.ts";
import { onKeyLost } from "#connection/custody/key-holder.ts";
import { fakeHost, leaveHost } from "../fake-host.ts";

const KEY = "sk-canary-4f1d0c9b8a7e6d5c";
const SERVICE = { queueBaseUrl: "https://api.example.com/api/v1/queue", inferenceBaseUrl: "https://api.example.com" };
const ORDER = { ...SERVICE, key: KEY, salt: "salt" };
const MODELS = `${SERVICE.queueBaseUrl}/apikey/models`;

let lost: string[][];
beforeEach(() => {
  lost = [];
  onTestFinished(onKeyLost((ticket, reason) => lost.push([ticket, reason])));
});
afterEach(leaveHost);

describe("giving a key away", () => {
  it("sends it once, to the studio's own host, and gives back no key", async () => {
    const host = fakeHost({});
    const held = await hostHolder.hold(ORDER);
    expect(host.orders).toEqual([ORDER]);
    expect(held).toMatchObject({ ticket: expect.stringMatching(/^ticket-/), keyHint: "6d5c", idleMs: 3_600_000 });
    expect(JSON.stringify(held)).not.toContain(KEY);
  });

  it("rejects with the host's words where it may not go there", async () => {
    fakeHost({ refuses: "https://api.example.com" });
    const refused = await hostHolder.hold(ORDER).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ hostReason: "not_allowed", message: "Said so" });
  });

  it("rejects without an answer where the host is down", async () => {
    fakeHost({}).goDown();
    await expect(hostHolder.hold(ORDER)).rejects.toMatchObject({ name: "NoAnswerError" });
  });
});

describe("a request", () => {
  it("goes to the relay with the placeholder and the page's half of the session", async () => {
    const host = fakeHost({});
    const { ticket } = await hostHolder.hold(ORDER);
    await hostHolder.fetchFor(ticket)(MODELS, { headers: { Authorization: "Bearer [key]" } });
    const [init] = host.inits;
    expect(host.relayed[0]?.[1]).toBe("/relay/api/https/api.example.com/api/v1/queue/apikey/models");
    expect([...new Headers(init?.headers)]).toEqual([
      ["authorization", "Bearer [key]"],
      ["x-safelight-session", ticket],
    ]);
    expect(init?.credentials).toBe("same-origin");
  });

  it("that the host no longer knows the key for says so, once, and gives its refusal", async () => {
    const host = fakeHost({});
    const { ticket } = await hostHolder.hold(ORDER);
    host.restart();
    const send = hostHolder.fetchFor(ticket);
    const answers = await Promise.all([send(MODELS), send(MODELS)]);
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(await answers[0]?.json()).toEqual({ error: { message: "Said so", type: "relay_no_session" } });
    expect(lost).toEqual([[ticket, "Said so"]]);
  });

  it("after that is not sent at all", async () => {
    const host = fakeHost({});
    const { ticket } = await hostHolder.hold(ORDER);
    host.restart();
    await hostHolder.fetchFor(ticket)(MODELS);
    const before = host.requests.length;
    await expect(hostHolder.fetchFor(ticket)(MODELS)).rejects.toBeInstanceOf(RefusedError);
    expect(host.requests).toHaveLength(before);
  });

  it("that a service refuses with 401 ends no session", async () => {
    fakeHost({ answers: () => new Response("{}", { status: 401 }) });
    const { ticket } = await hostHolder.hold(ORDER);
    expect((await hostHolder.fetchFor(ticket)(MODELS)).status).toBe(401);
    expect(lost).toEqual([]);
  });
});

describe("forgetting", () => {
  it("ends the session, what is under way, and what would come", async () => {
    const host = fakeHost({ answers: () => new Promise(() => {}) });
    const { ticket } = await hostHolder.hold(ORDER);
    const send = hostHolder.fetchFor(ticket);
    const underWay = send(MODELS);
    const forgotten = hostHolder.forget(ticket);
    await expect(underWay).rejects.toMatchObject({ name: "AbortError" });
    await expect(send(MODELS)).rejects.toBeInstanceOf(RefusedError);
    await forgotten;
    expect([...host.sessions]).toEqual([]);
    expect(lost).toEqual([]);
  });

  it("ends every session with the key; dropping ends one alone", async () => {
    const host = fakeHost({});
    const [first, second, third] = [
      await hostHolder.hold(ORDER),
      await hostHolder.hold(ORDER),
      await hostHolder.hold(ORDER),
    ];
    await hostHolder.drop(first.ticket);
    expect([...host.sessions.keys()]).toEqual([second.ticket, third.ticket]);
    await hostHolder.forget(second.ticket);
    expect([...host.sessions]).toEqual([]);
  });

  it("rejects where the host gives no answer, and sends nothing more all the same", async () => {
    const host = fakeHost({});
    const { ticket } = await hostHolder.hold(ORDER);
    host.goDown();
    await expect(hostHolder.forget(ticket)).rejects.toMatchObject({ name: "NoAnswerError" });
    await expect(hostHolder.fetchFor(ticket)(MODELS)).rejects.toBeInstanceOf(RefusedError);
  });
});
