import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { until } from "../../setup/until.ts";
import { gate } from "../gate.ts";
import { ask, FROM_PAGE } from "../relay/relay-world.ts";
import {
  KEY,
  kindOf,
  NO_SESSION,
  openBrowser,
  SECRET,
  type Service,
  type SessionHost,
  startService,
  startSessionHost,
} from "./session-world.ts";

const HOUR = 3_600_000;

let service: Service;
beforeEach(async () => {
  service = await startService();
});

describe.each([
  ["in memory", {}],
  ["sealed", { SAFELIGHT_SESSION_SECRET: SECRET }],
])("a session %s", (_, environment) => {
  let host: SessionHost;
  let browser: ReturnType<typeof openBrowser>;
  let atMs = 1_800_000_000_000;
  beforeEach(async () => {
    host = await startSessionHost(service, environment, { nowMs: () => atMs });
    browser = openBrowser(service);
    await browser.connect(host);
  });

  it("goes on while it is used, and ends after 12 hours without use", async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      atMs += 11 * HOUR;
      expect((await browser.read(host)).status).toBe(200);
    }
    atMs += 12 * HOUR + 1;
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await browser.read(host);
      expect(kindOf(answer)).toEqual(NO_SESSION);
      expect(answer.body).toContain("The session ended after 12 hours without use. Nothing was sent.");
    }
    atMs -= HOUR;
    expect(kindOf(await browser.read(host))).toEqual(NO_SESSION);
    expect(service.seen.length).toBe(4);
  });

  it("ends after 7 days, however much it was used", async () => {
    for (let day = 0; day < 14; day += 1) {
      expect((await browser.read(host)).status).toBe(200);
      atMs += 12 * HOUR;
    }
    atMs += 1;
    const answer = await browser.read(host);
    expect(kindOf(answer)).toEqual(NO_SESSION);
    expect(answer.body).toContain("The session ended after 7 days.");
    expect(service.seen.length).toBe(14);
  });

  it("that is forgotten takes with it the others of this browser with the same key and service", async () => {
    const [first, ticket] = [browser.headers(), browser.ticket];
    await browser.connect(host);
    const second = browser.headers();
    await browser.connect(host, "sk-another-key-5f2e9b7c41d8");
    const [other, otherTicket] = [browser.headers(), browser.ticket];
    browser.ticket = ticket;
    expect((await browser.forget(host)).status).toBe(204);
    expect(browser.cookies.size).toBe(1);
    for (const headers of [first, second]) expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
    expect((await browser.read(host, other)).status).toBe(200);
    browser.ticket = otherTicket;
    expect((await browser.read(host)).status).toBe(200);
    expect(service.seen).toEqual(Array(2).fill("GET /q/apikey/models Bearer sk-another-key-5f2e9b7c41d8"));
  });

  it("may be forgotten twice", async () => {
    const again = { ...browser.headers(), Origin: host.url };
    expect((await browser.forget(host)).status).toBe(204);
    expect((await ask(host.url, "/session", { method: "DELETE", headers: again })).status).toBe(204);
  });

  it("that is forgotten cuts a stream, and refuses a read that waits", async () => {
    const [streaming, waiting, left] = [gate(), gate(), gate()];
    service.behave = (incoming, outgoing) => {
      if (incoming.method === "GET") return waiting.open();
      outgoing.once("close", left.open);
      outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
      outgoing.write("data: one\n\n", streaming.open);
    };
    const stream = await fetch(`${host.url}${service.via("api", "/v1/completions")}`, {
      method: "POST",
      body: "{}",
      headers: { ...FROM_PAGE, ...browser.headers() },
    });
    const read = browser.read(host);
    await Promise.all([streaming.opened, waiting.opened]);
    await browser.forget(host);
    await expect(stream.text()).rejects.toThrow();
    expect(kindOf(await read)).toEqual(NO_SESSION);
    await left.opened;
  });

  it("that is forgotten leaves no read behind, whenever that was asked", async () => {
    service.behave = () => {};
    const headers = browser.headers();
    const reads: Promise<unknown>[] = [];
    const ask = () => reads.push(browser.read(host, headers).then(kindOf));
    for (let turn = 0; turn < 20; turn += 1) ask();
    const forgotten = browser.forget(host);
    for (let turn = 0; turn < 20; turn += 1) ask();
    await forgotten;
    for (let turn = 0; turn < 20; turn += 1) ask();
    // None waits for the service, which never answers.
    expect(new Set((await Promise.all(reads)).map(String))).toEqual(new Set([String(NO_SESSION)]));
    expect(host.sessions.underWay()).toBe(0);
  });

  it("that is forgotten leaves a submit under way, whose page is told that its outcome is unknown", async () => {
    const [arrived, release] = [gate(), gate()];
    service.behave = async (incoming, outgoing) => {
      await text(incoming);
      arrived.open();
      await release.opened;
      outgoing.end('{"request_id":"job-1"}');
    };
    const submit = browser.submit(host, "intent-0001");
    await arrived.opened;
    await browser.forget(host);
    expect(kindOf(await submit)).toEqual([409, "outcome_unknown"]);
    release.open();
    await browser.connect(host);
    // With the same key it is the same attempt, which was written down.
    const again = await browser.submit(host, "intent-0001");
    expect([...kindOf(again), again.body]).toEqual([200, "first_answer", '{"request_id":"job-1"}']);
    expect(service.seen.length).toBe(1);
  });

  it("that is forgotten keeps a submit from leaving whose body was still coming", async () => {
    const [begun, whole] = [gate(), gate()];
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        begun.open();
        await whole.opened;
        controller.enqueue(new TextEncoder().encode("}"));
        controller.close();
      },
    });
    const headers = browser.headers({ "X-Safelight-Intent": "intent-0001" });
    const path = `${host.url}${service.via("api", "/q/apikey/requests")}`;
    const options = { method: "POST", body, headers: { ...FROM_PAGE, ...headers }, duplex: "half" };
    const submit = fetch(path, options as RequestInit);
    await begun.opened;
    await until(() => expect(host.sessions.underWay()).toBe(1));
    await browser.forget(host);
    whole.open();
    const answer = await submit;
    expect([answer.status, answer.headers.get("x-safelight-relay")]).toEqual([401, "no_session"]);
    expect(await answer.text()).toContain("Nothing was sent.");
    expect(service.seen).toEqual([]);
  });
});

it("a submit whose connection is not made yet never leaves once the key is forgotten", async () => {
  const [looking, found] = [gate(), gate()];
  const resolveAll = async () => {
    looking.open();
    await found.opened;
    return [{ address: "127.0.0.1", family: 4 }];
  };
  const host = await startSessionHost(service, { SAFELIGHT_UPSTREAMS: undefined }, { resolveAll });
  const place = `localhost:${new URL(service.origin).port}`;
  const browser = openBrowser({
    ...service,
    origin: `http://${place}`,
    via: (use, path) => `/relay/${use}/http/${place}${path}`,
  });
  await browser.connect(host);
  const submit = browser.submit(host, "intent-0001");
  await looking.opened;
  await browser.forget(host);
  expect(kindOf(await submit)).toEqual([409, "outcome_unknown"]);
  found.open();
  await browser.connect(host);
  // Until the first attempt is settled, the second is told the same; then it is a new one.
  await until(async () => expect((await browser.submit(host, "intent-0001")).status).toBe(200));
  expect(service.seen.length).toBe(1);
});

describe("a key in the host's memory", () => {
  it("is gone once its session is over, also if nobody asks again", async () => {
    let atMs = 0;
    const host = await startSessionHost(service, {}, { nowMs: () => atMs });
    const browser = openBrowser(service);
    await browser.connect(host);
    host.sessions.sweep();
    expect((await browser.read(host)).status).toBe(200);
    atMs = 12 * HOUR + 1;
    host.sessions.sweep();
    atMs = 1;
    const answer = await browser.read(host);
    expect(kindOf(answer)).toEqual(NO_SESSION);
    expect(answer.body).toContain("The session ended after 12 hours without use.");
  });

  it("is gone after a restart, and the page is told so", async () => {
    const first = await startSessionHost(service);
    const browser = openBrowser(service);
    await browser.connect(first);
    await first.close();
    const second = await startSessionHost(service);
    const answer = await browser.read(second);
    expect(kindOf(answer)).toEqual(NO_SESSION);
    expect(answer.body).toContain(
      "The Safelight server no longer has a key for this page. The server was restarted, or the key was removed. Nothing was sent.",
    );
    expect(answer.body).not.toContain(KEY);
    expect(service.seen).toEqual([]);
  });
});
