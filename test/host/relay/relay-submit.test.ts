import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gate } from "../gate.ts";
import {
  ask,
  openSession,
  type RawAnswer,
  sendRaw,
  sessionOf,
  startRelay,
  startUpstream,
  UNREACHABLE,
  type Upstream,
} from "./relay-world.ts";

let upstream: Upstream;
let host: Awaited<ReturnType<typeof startRelay>>;
let jobs: string[];
let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | void;

beforeEach(async () => {
  jobs = [];
  behave = async (incoming, outgoing) => {
    jobs.push(await text(incoming));
    outgoing.setHeader("Content-Type", "application/json");
    outgoing.end(JSON.stringify({ request_id: `job-${jobs.length}` }));
  };
  upstream = await startUpstream((incoming, outgoing) => void behave(incoming, outgoing));
  host = await startRelay(upstream.origin);
});
afterEach(async () => {
  await host.close(0);
  await upstream.close();
});

const submit = (intent: string, body = '{"model":"m"}', headers: Record<string, string> = {}) =>
  ask(host.url, upstream.via("api", "/apikey/requests"), {
    method: "POST",
    body,
    headers: { "X-Safelight-Intent": intent, ...headers },
  });

const withdraw = (intent: string, headers: Record<string, string> = {}) =>
  ask(host.url, upstream.via("api", "/apikey/requests"), {
    method: "DELETE",
    headers: { "X-Safelight-Intent": intent, ...headers },
  });

const kindOf = ({ status, headers }: RawAnswer) => [status, headers["x-safelight-relay"]];

/** A submit, a repeat of it and a question about it are told the same, and one request reached the service. */
async function expectUnknown(intent: string) {
  expect(kindOf(await submit(intent))).toEqual([409, "outcome_unknown"]);
  expect(kindOf(await submit(intent))).toEqual([409, "outcome_unknown"]);
  expect(kindOf(await withdraw(intent))).toEqual([409, "outcome_unknown"]);
  expect(jobs.length).toBe(1);
}

/** The service takes a job from now on, and answers once it is released. */
function holdJob() {
  const arrival = gate();
  const release = gate();
  const answerJob = behave;
  behave = async (incoming, outgoing) => {
    arrival.open();
    await release.opened;
    await answerJob(incoming, outgoing);
  };
  return { arrival, release };
}

describe("a submit through the relay", () => {
  it("is forwarded once, and every repeat gets the first answer", async () => {
    const first = await submit("intent-0001");
    const repeats = await Promise.all(Array.from({ length: 20 }, () => submit("intent-0001")));
    expect(jobs).toEqual(['{"model":"m"}']);
    for (const repeat of repeats) expect([repeat.status, repeat.body]).toEqual([200, first.body]);
  });

  it("is forwarded once when the repeats come while the first is still under way", async () => {
    const { release } = holdJob();
    const all = Promise.all(Array.from({ length: 20 }, () => submit("intent-0001")));
    release.open();
    expect(new Set((await all).map(({ body }) => body))).toEqual(new Set(['{"request_id":"job-1"}']));
    expect(jobs.length).toBe(1);
  });

  it("keeps a refusal of the service as the first answer, too", async () => {
    behave = (_incoming, outgoing) => {
      jobs.push("");
      outgoing.writeHead(429).end('{"error":{"message":"slow down","type":"rate_limit_exceeded"}}');
    };
    expect((await submit("intent-0001")).status).toBe(429);
    expect((await submit("intent-0001")).status).toBe(429);
    expect(jobs.length).toBe(1);
  });

  it("whose answer got lost is said to be unknown, and is not sent again", async () => {
    behave = async (incoming, outgoing) => {
      jobs.push(await text(incoming));
      outgoing.destroy();
    };
    await expectUnknown("intent-0001");
  });

  it("whose answer ended early counts as lost", async () => {
    behave = (_incoming, outgoing) => {
      jobs.push("");
      outgoing.writeHead(200, { "Content-Length": "100" });
      outgoing.write('{"request_id":', () => outgoing.destroy());
    };
    await expectUnknown("intent-0001");
  });

  it("continues when the page leaves, so that a repeat gets the answer", async () => {
    const { arrival, release } = holdJob();
    const leaving = new AbortController();
    const abandoned = fetch(`${host.url}${upstream.via("api", "/apikey/requests")}`, {
      method: "POST",
      body: '{"model":"m"}',
      headers: { "X-Safelight-Intent": "intent-0001", Origin: host.url, ...sessionOf(host.url) },
      signal: leaving.signal,
    });
    await arrival.opened;
    leaving.abort();
    await expect(abandoned).rejects.toThrow();
    release.open();
    expect((await submit("intent-0001")).body).toBe('{"request_id":"job-1"}');
    expect(jobs.length).toBe(1);
  });

  it("is separate for another intent or key, and refused for another body", async () => {
    await submit("intent-0001");
    await submit("intent-0002");
    const first = sessionOf(host.url);
    await openSession(host.url, upstream.origin, "sandbox-key-2");
    await submit("intent-0001");
    expect(jobs.length).toBe(3);
    await submit("intent-0001", undefined, { ...first });
    expect(jobs.length).toBe(3);
    const changed = await submit("intent-0001", '{"model":"other"}');
    expect([changed.status, changed.headers["x-safelight-relay"]]).toEqual([409, "intent_reused"]);
    expect(jobs.length).toBe(3);
  });

  it("is refused at once for another body while the first is under way", async () => {
    const { arrival, release } = holdJob();
    const first = submit("intent-0001");
    await arrival.opened;
    const changed = await submit("intent-0001", '{"model":"other"}');
    expect([changed.status, JSON.parse(changed.body).error.type]).toEqual([409, "relay_intent_reused"]);
    release.open();
    expect((await first).body).toBe('{"request_id":"job-1"}');
    expect(jobs).toEqual(['{"model":"m"}']);
  });

  it.each([301, 303, 308])(
    "that is answered by a redirect (%i) is said to be unknown, and is not followed",
    async (status) => {
      behave = (_incoming, outgoing) => {
        jobs.push("");
        outgoing.writeHead(status, { Location: "/elsewhere" }).end();
      };
      await expectUnknown("intent-0001");
    },
  );

  it("that was cut before the host is forwarded once it comes complete", async () => {
    const body = '{"model":"m"}';
    const head = [
      `POST ${upstream.via("api", "/apikey/requests")} HTTP/1.1`,
      `Host: ${new URL(host.url).host}`,
      "Sec-Fetch-Site: same-origin",
      ...Object.entries(sessionOf(host.url)).map(([name, value]) => `${name}: ${value}`),
      "X-Safelight-Intent: intent-0001",
      `Content-Length: ${body.length}`,
    ].join("\r\n");
    await sendRaw(host.url, `${head}\r\n\r\n${body.slice(0, 5)}`, { hangUp: true });
    expect((await submit("intent-0001", body)).body).toBe('{"request_id":"job-1"}');
    expect(jobs).toEqual([body]);
  });

  it("is refused with an unusable id", async () => {
    expect((await submit("x")).status).toBe(400);
    expect(jobs.length).toBe(0);
  });

  it("that could not be sent may be sent again", async () => {
    const other = await startRelay(UNREACHABLE.origin);
    for (const _ of ["first", "again"]) {
      const path = UNREACHABLE.via("api", "/apikey/requests");
      const answer = await ask(other.url, path, {
        method: "POST",
        body: '{"model":"m"}',
        headers: { "X-Safelight-Intent": "intent-0001" },
      });
      expect(answer.headers["x-safelight-relay"]).toBe("unreachable");
    }
    await other.close(0);
  });
});
