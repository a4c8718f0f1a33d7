import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import type { FetchSandbox } from "#host/relay/sandbox-upstream.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";
import { gate } from "../gate.ts";
import { PAGE_FOLDER } from "../page-folder.ts";
import { ask, FROM_PAGE, openSession, sessionOf } from "./relay-world.ts";

const QUEUE = "/relay/api/sandbox/api/v1/queue/apikey";
const KEY = { Authorization: "Bearer [key]", "Content-Type": "application/json" };

let host: RunningServer;
beforeEach(async () => {
  host = await start({ SAFELIGHT_SANDBOX_SPEED: "60" });
});
afterEach(() => host.close(0));

async function start(
  environment: Record<string, string>,
  { sandbox, publicOrigin }: { sandbox?: FetchSandbox; publicOrigin?: string } = {},
): Promise<RunningServer> {
  const settings = { ...readHostSettings({ PORT: "0", ...environment }), publicOrigin };
  const host = createHost(settings, PAGE_FOLDER, sandbox && { sandbox });
  const server = await startServer(host.fetch, { host: "127.0.0.1", port: 0 });
  await openSession(server.url);
  const close = async (graceMs?: number) => {
    await server.close(graceMs);
    await host.close();
  };
  return { ...server, close };
}

const submit = (prompt: string, headers: Record<string, string> = {}) => {
  const body = JSON.stringify({ model: "halide-turbo", payload: { prompt } });
  return ask(host.url, `${QUEUE}/requests`, { method: "POST", headers: { ...KEY, ...headers }, body });
};

async function jobs(): Promise<unknown[]> {
  return JSON.parse((await ask(host.url, `${QUEUE}/requests`, { headers: KEY })).body).requests;
}

describe("the host's own sandbox by way of the relay", () => {
  it.each([undefined, "https://api.example.com"])("answers whatever SAFELIGHT_UPSTREAMS is (%s)", async (upstreams) => {
    await host.close(0);
    host = await start(upstreams === undefined ? {} : { SAFELIGHT_UPSTREAMS: upstreams });
    const { status, headers, body } = await ask(host.url, `${QUEUE}/models`, { headers: KEY });
    expect(status).toBe(200);
    expect(JSON.parse(body).model_ids.length).toBeGreaterThanOrEqual(14);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("is the one that is served below /sandbox, with links that stand there", async () => {
    const asked = await ask(host.url, `${QUEUE}/upload-url`, {
      method: "POST",
      headers: KEY,
      body: '{"file_type":"png"}',
    });
    const { upload_url: address } = JSON.parse(asked.body);
    expect(address).toMatch(`${host.url}/sandbox/storage/uploads/`);
    const stored = await fetch(address, {
      method: "PUT",
      headers: { ...FROM_PAGE, "Content-Type": "image/png" },
      body: "bytes",
    });
    expect(stored.status).toBe(200);
  });

  it("has links under the public name, also where something in front ends TLS", async () => {
    await host.close(0);
    host = await start({}, { publicOrigin: "https://studio.example.com" });
    const headers = { ...KEY, Host: "studio.example.com" };
    const asked = await ask(host.url, `${QUEUE}/upload-url`, { method: "POST", headers, body: '{"file_type":"png"}' });
    expect(JSON.parse(asked.body).public_url).toMatch("https://studio.example.com/sandbox/storage/inputs/");
  });

  it("has the host's own time in Date, at any speed", async () => {
    const beforeMs = Date.now();
    const dateMs = Date.parse(String((await ask(host.url, `${QUEUE}/models`, { headers: KEY })).headers.date));
    expect(dateMs).toBeGreaterThanOrEqual(Math.floor(beforeMs / 1000) * 1000);
    expect(dateMs).toBeLessThanOrEqual(Date.now());
  });

  // M1.
  it("makes one job of a submit whose reply is lost, however often it is sent", async () => {
    const intent = { "X-Safelight-Intent": "intent-0001" };
    for (let turn = 0; turn < 3; turn += 1) await submit("lose:reply", intent).catch(() => {});
    expect(await jobs()).toHaveLength(1);
  });

  // M2.
  it("says of a lost reply without an intent that its outcome is unknown", async () => {
    const answer = await submit("lose:reply");
    expect([answer.status, answer.headers["x-safelight-relay"]]).toEqual([504, "outcome_unknown"]);
    expect(await jobs()).toHaveLength(1);
  });

  it("passes text on as it is written, and ends it when the page leaves", async () => {
    const left = gate();
    const text = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
      cancel: left.open,
    });
    await host.close(0);
    host = await start({}, { sandbox: () => Promise.resolve(new Response(text)) });
    const leaving = new AbortController();
    const answer = await fetch(`${host.url}/relay/api/sandbox/v1/completions`, {
      method: "POST",
      headers: { ...KEY, ...sessionOf(host.url), Origin: host.url },
      body: "{}",
      signal: leaving.signal,
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe("first");
    leaving.abort();
    await left.opened;
  });

  it.each([
    ["PUT", "/relay/api/sandbox/settings", "wrong_method"],
    ["GET", "/relay/media/sandbox/storage/x.png", "not_a_target"],
    ["GET", "/relay/api/sandbox", "not_a_target"],
  ])("%s %s is none of its addresses", async (method, path, kind) => {
    const answer = await ask(host.url, path, { method });
    expect(answer.headers["x-safelight-relay"]).toBe(kind);
  });

  it("is for the studio's own page only", async () => {
    const answer = await ask(host.url, `${QUEUE}/models`, { headers: { ...KEY, "Sec-Fetch-Site": "cross-site" } });
    expect(answer.headers["x-safelight-relay"]).toBe("not_same_origin");
  });
});
