import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { gate } from "../gate.ts";
import {
  ask,
  FROM_PAGE,
  openSession,
  type RawAnswer,
  sessionOf,
  startRelayWith,
  startUpstream,
  type Upstream,
} from "./relay-world.ts";

let folder: string;
let upstream: Upstream;
let host: Awaited<ReturnType<typeof startRelayWith>>;
let jobs: string[];
let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | void;

const startHost = () => startRelayWith({ SAFELIGHT_DATA: folder }, upstream.origin);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "safelight-data-"));
  jobs = [];
  behave = async (incoming, outgoing) => {
    jobs.push(await text(incoming));
    outgoing.writeHead(200, { "Content-Type": "application/json", Date: "Mon, 02 Jan 2006 15:04:05 GMT" });
    outgoing.end(JSON.stringify({ request_id: `job-${jobs.length}` }));
  };
  upstream = await startUpstream((incoming, outgoing) => void behave(incoming, outgoing));
  host = await startHost();
});
afterEach(async () => {
  await host.close();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

const named = (headers: Record<string, string>) => ({
  "X-Safelight-Intent": "intent-0001",
  ...headers,
});

const submit = (headers: Record<string, string> = {}, body = "{}") =>
  ask(host.url, upstream.via("api", "/requests"), { method: "POST", body, headers: named(headers) });
const withdraw = (headers: Record<string, string> = {}) =>
  ask(host.url, upstream.via("api", "/requests"), { method: "DELETE", headers: named(headers) });
const kindOf = ({ status, headers }: RawAnswer) => [status, headers["x-safelight-relay"]];

async function memory(): Promise<string> {
  return JSON.parse((await ask(host.url, "/relay")).body).memory;
}

async function restart() {
  await host.close();
  host = await startHost();
}

describe("after a restart of the host", () => {
  it("a repeat gets the first answer, marked, and without its old date", async () => {
    expect((await submit()).headers.date).toBe("Mon, 02 Jan 2006 15:04:05 GMT");
    await restart();
    for (const again of [await submit(), await withdraw()]) {
      expect([...kindOf(again), again.body]).toEqual([200, "first_answer", '{"request_id":"job-1"}']);
      expect(again.headers.date).toBeUndefined();
    }
    expect(jobs.length).toBe(1);
  });

  it("a submit that was under way is unknown, and is not sent again", async () => {
    const arrival = gate();
    behave = () => {
      jobs.push("");
      arrival.open();
    };
    const first = submit();
    await arrival.opened;
    const stopped = host.close();
    await expect(first).rejects.toThrow();
    await stopped;
    host = await startHost();
    expect(kindOf(await submit())).toEqual([409, "outcome_unknown"]);
    expect(kindOf(await withdraw())).toEqual([409, "outcome_unknown"]);
    expect(jobs.length).toBe(1);
  });

  it("the memory has the same name, and one in another folder has another", async () => {
    const name = await memory();
    await restart();
    expect(await memory()).toBe(name);
    expect((await submit({ "X-Safelight-Memory": name })).status).toBe(200);
    rmSync(folder, { recursive: true });
    await restart();
    expect(await memory()).not.toBe(name);
    expect(kindOf(await submit({ "X-Safelight-Memory": name }))).toEqual([409, "other_memory"]);
    expect(kindOf(await withdraw({ "X-Safelight-Memory": name }))).toEqual([409, "outcome_unknown"]);
    expect(jobs.length).toBe(1);
  });
});

describe("a host that is stopped", () => {
  it("lets a submit end whose page has left, and writes its answer down", async () => {
    const arrival = gate();
    const release = gate();
    const answerJob = behave;
    behave = async (incoming, outgoing) => {
      arrival.open();
      await release.opened;
      await answerJob(incoming, outgoing);
    };
    const leaving = new AbortController();
    const headers = { ...FROM_PAGE, ...sessionOf(host.url), ...named({}) };
    const path = upstream.via("api", "/requests");
    const first = fetch(`${host.url}${path}`, { method: "POST", body: "{}", headers, signal: leaving.signal });
    await arrival.opened;
    leaving.abort();
    await expect(first).rejects.toThrow();
    const stopped = host.close(60_000);
    release.open();
    await stopped;
    host = await startHost();
    expect((await submit()).body).toBe('{"request_id":"job-1"}');
    expect(jobs.length).toBe(1);
  });
});

describe("a question about an attempt", () => {
  it("keeps the host from ever sending what it had not sent", async () => {
    expect(kindOf(await withdraw())).toEqual([410, "never_sent"]);
    await restart();
    expect(kindOf(await submit())).toEqual([410, "never_sent"]);
    expect(jobs.length).toBe(0);
  });

  it("is about one key's attempt, and without an intent an ordinary DELETE", async () => {
    await submit();
    const other = await openSession(host.url, upstream.origin, "another-key");
    expect(kindOf(await withdraw({ ...other }))).toEqual([410, "never_sent"]);
    behave = (incoming, outgoing) => void outgoing.end(incoming.method);
    const plain = await ask(host.url, upstream.via("api", "/requests"), { method: "DELETE" });
    expect([...kindOf(plain), plain.body]).toEqual([200, undefined, "DELETE"]);
  });
});

describe("without a place to write", () => {
  it("a submit is refused with a sentence, and everything else goes on", async () => {
    const complaint = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => complaint.mockRestore());
    await host.close();
    host = await startRelayWith({ SAFELIGHT_DATA: "/dev/null/none" }, upstream.origin);
    expect(await memory()).toBeNull();
    const refused = await submit();
    expect(kindOf(refused)).toEqual([503, "store_unavailable"]);
    expect(refused.body).toMatch(/cannot use its data folder \(\w+\)\. .*SAFELIGHT_DATA\. This request was not sent\./);
    expect(kindOf(await withdraw())).toEqual([503, "store_unavailable"]);
    expect(jobs.length).toBe(0);
    expect((await ask(host.url, upstream.via("api", "/models"))).status).toBe(200);
    expect(complaint.mock.calls).toEqual([[expect.stringMatching(/^The data folder .* cannot be used \(\w+\)\.\n$/)]]);
  });
});

describe("an answer that is not kept", () => {
  it.each([
    ["is larger than 64 kB", { "Content-Length": "70000" }],
    ["turns out to be larger than 64 kB", {}],
  ])("passes through whole where it %s, and is unknown to a repeat", async (_, headers) => {
    behave = (_incoming, outgoing) => {
      jobs.push("");
      outgoing.writeHead(200, headers);
      for (let part = 0; part < 7; part += 1) outgoing.write("y".repeat(10_000));
      outgoing.end();
    };
    expect((await submit()).body).toBe("y".repeat(70_000));
    expect(kindOf(await submit())).toEqual([409, "outcome_unknown"]);
    expect(jobs.length).toBe(1);
  });

  it("is an event stream: each event comes at once, and a repeat is answered meanwhile", async () => {
    const end = gate();
    behave = async (_incoming, outgoing) => {
      jobs.push("");
      outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
      outgoing.write("data: one\n\n");
      await end.opened;
      outgoing.end("data: two\n\n");
    };
    const path = `${host.url}${upstream.via("api", "/v1/chat/completions")}`;
    const headers = { ...FROM_PAGE, ...sessionOf(host.url), ...named({}) };
    const streamed = await fetch(path, { method: "POST", body: "{}", headers });
    const reader = streamed.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: one\n\n");
    const repeat = await fetch(path, { method: "POST", body: "{}", headers });
    expect([repeat.status, repeat.headers.get("x-safelight-relay")]).toEqual([409, "outcome_unknown"]);
    end.open();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("data: two\n\n");
    expect(jobs.length).toBe(1);
  });

  it("ends upstream when the page leaves an event stream", async () => {
    const gone = gate();
    behave = (_incoming, outgoing) => {
      outgoing.once("close", gone.open);
      outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
      outgoing.write("data: one\n\n");
    };
    const leaving = new AbortController();
    const path = `${host.url}${upstream.via("api", "/v1/chat/completions")}`;
    const headers = { ...FROM_PAGE, ...sessionOf(host.url), ...named({}) };
    await fetch(path, { method: "POST", body: "{}", headers, signal: leaving.signal });
    leaving.abort();
    await gone.opened;
  });
});

describe("a large request", () => {
  const body = "z".repeat(5_000_000);

  it("arrives whole by way of a file that is gone at once", async () => {
    behave = async (incoming, outgoing) => {
      const hash = createHash("sha256");
      for await (const chunk of incoming) hash.update(chunk);
      jobs.push(`${incoming.headers["content-length"]} ${incoming.headers["transfer-encoding"]}`);
      whileSent = readdirSync(temporary);
      outgoing.end(hash.digest("hex"));
    };
    // A temporary directory of its own, in which nobody else writes.
    const temporary = mkdtempSync(join(tmpdir(), "safelight-temporary-"));
    const { TMPDIR } = process.env;
    process.env.TMPDIR = temporary;
    onTestFinished(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      rmSync(temporary, { recursive: true });
    });
    let whileSent: string[] = [];
    const answered = await submit({}, body);
    expect(answered.body).toBe(createHash("sha256").update(body).digest("hex"));
    expect((await submit({}, body)).body).toBe(answered.body);
    expect(kindOf(await submit({}, `${body}!`))).toEqual([409, "intent_reused"]);
    expect(jobs).toEqual(["5000000 undefined"]);
    expect([whileSent, readdirSync(temporary)]).toEqual([[], []]);
  });

  it("of more than 64 MB is refused with an answer, and not sent", async () => {
    const answered = await submit({}, "z".repeat(64 * 1024 * 1024 + 1));
    expect(kindOf(answered)).toEqual([413, "too_large"]);
    expect(jobs).toEqual([]);
  });

  it("that a service cuts off in the middle is unknown, and not sent again", async () => {
    behave = (incoming) => {
      incoming.once("data", () => {
        jobs.push("");
        incoming.destroy();
      });
    };
    expect(kindOf(await submit({}, body))).toEqual([409, "outcome_unknown"]);
    expect(kindOf(await submit({}, body))).toEqual([409, "outcome_unknown"]);
    expect(jobs.length).toBe(1);
  });
});
