import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import type { Bundle } from "../../setup/bundle-for-node.ts";
import { cookieOf, PASSWORD, signIn } from "../access/access-world.ts";
import { hostProgram } from "../host-program.ts";
import { fromPageAt, inLanes, send, times } from "../send.ts";
import { duringHealthChecks, expectLittleMemory, startFloodHost } from "./flood-world.ts";

const QUEUE = "/sandbox/api/v1/queue/apikey";

let program: Bundle;
beforeAll(async () => {
  program = await hostProgram();
  return program.remove;
});

it("2,000 wrong passwords keep out nobody but who sent them", async () => {
  const host = await startFloodHost(program.path, { SAFELIGHT_ACCESS: `password:${PASSWORD}` });
  const from = (address: string) => ({ "X-Forwarded-For": address });
  const flood = inLanes(2000, 50, () => signIn(host.url, "wrong", from("203.0.113.9")));
  // In the middle of it.
  await signIn(host.url, "wrong", from("203.0.113.9"));
  const other = await signIn(host.url, PASSWORD, from("198.51.100.7"));
  const { result } = await duringHealthChecks(host.url, flood);
  expect([other.status, cookieOf(other)]).toEqual([303, expect.stringContaining("safelight-access=")]);
  expect(result.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
  // A flood takes some time, in which a wait or two may pass.
  expect(result.filter(({ status }) => status === 401).length).toBeLessThan(12);
  expect((await signIn(host.url, PASSWORD, from("203.0.113.9"))).status).toBe(429);
  expectLittleMemory(host);
});

it("3,000 connections without a request leave room for one with a request", async () => {
  const host = await startFloodHost(program.path);
  const { hostname, port } = new URL(host.url);
  const open = inLanes(3000, 50, async (index) => {
    const socket = connect(Number(port), hostname).on("error", () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    if (index % 2 === 0) socket.write("POST /session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
  });
  const { answers } = await duringHealthChecks(host.url, open);
  expect(answers).toBeGreaterThan(3);
  expectLittleMemory(host);
});

it("runs above the limit of the sandbox are refused, and take no memory", async () => {
  const host = await startFloodHost(program.path, { SAFELIGHT_SANDBOX_JOBS: "100" });
  const headers = { ...fromPageAt(host.url), Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "a".repeat(1000) } });
  const flood = inLanes(1500, 30, () => send(host.url, `${QUEUE}/requests`, { headers, body }));
  const { result } = await duringHealthChecks(host.url, flood);
  expect(result.filter(({ status }) => status === 200)).toHaveLength(100);
  const refused = result.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, body: text }) => `${status} ${JSON.parse(text).error.type}`))).toEqual(
    new Set(["403 sandbox_full"]),
  );
  expectLittleMemory(host);
});

it("100 bodies of 7 MB at a time are read in turn or refused, in the service's error shape", async () => {
  const host = await startFloodHost(program.path);
  const headers = { ...fromPageAt(host.url), Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "A lamp", text: "A lamp. ".repeat(900_000) } });
  expect(body.length).toBeGreaterThan(6_000_000);
  const flood = Promise.all(
    times(100, () => send(host.url, `${QUEUE}/requests/estimate`, { headers, body }).catch(() => "cut" as const)),
  );
  const { result } = await duringHealthChecks(host.url, flood);
  for (const answer of result) {
    if (answer === "cut") continue;
    expect(answer.status).toBeOneOf([200, 400, 503]);
    if (answer.status !== 200) expect(JSON.parse(answer.body).error.message).toEqual(expect.any(String));
  }
  expectLittleMemory(host);
});
