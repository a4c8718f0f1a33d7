import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { endedInFile } from "#host/session/ended-sessions.ts";
import { hasRedis, NO_REDIS, startRedisServer } from "../attempts/redis-server.ts";
import { send } from "../send.ts";
import { cookieOf, PASSWORD, signIn, startStoppableHost, submitForm } from "./access-world.ts";

const PUBLIC = "https://studio.example.com";
const NAMED = { Host: "studio.example.com", Origin: PUBLIC };
const SECRET = "4f1c0a9e2b7d86350e1f7a2c9b4d6e8031";
const DAY = 86_400_000;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "safelight-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
const teamOf = (more: Record<string, string>) => ({
  PORT: "4999",
  SAFELIGHT_PUBLIC_ORIGIN: PUBLIC,
  SAFELIGHT_SESSION_SECRET: SECRET,
  ...more,
});
const enter = async (base: string) => cookieOf(await signIn(base, PASSWORD, NAMED));
const leave = (base: string, Cookie: string) => submitForm(base, "/access/end", {}, { ...NAMED, Cookie });
/** Whether a copy of the cookie still lets somebody in. */
async function isIn(base: string, Cookie: string): Promise<boolean> {
  const headers = { ...NAMED, Cookie, "Sec-Fetch-Site": "same-origin" };
  return (await send(base, "/relay", { method: "GET", headers })).status === 200;
}
/** Sets the machine's clock; timers go on. */
function setClock(ms: number): void {
  if (vi.isFakeTimers()) vi.setSystemTime(ms);
  else vi.useFakeTimers({ toFake: ["Date"], now: ms });
  onTestFinished(() => void vi.useRealTimers());
}

describe("whoever signed out is signed out", () => {
  it("after a restart with the same secret, and others are not", async () => {
    const environment = teamOf({ SAFELIGHT_DATA: newFolder() });
    const first = await startStoppableHost(environment);
    const [copy, other] = [await enter(first.url), await enter(first.url)];
    expect((await leave(first.url, copy)).status).toBe(303);
    await first.stop();
    const second = await startStoppableHost(environment);
    expect([await isIn(second.url, copy), await isIn(second.url, other)]).toEqual([false, true]);
  });

  it("also of a second sign-in whose cookie the browser sent along", async () => {
    const { url } = await startStoppableHost(teamOf({ SAFELIGHT_DATA: newFolder() }));
    const [one, two] = [await enter(url), await enter(url)];
    await leave(url, `${one}; ${two}`);
    expect([await isIn(url, one), await isIn(url, two)]).toEqual([false, false]);
  });

  it("however many others signed out after them", async () => {
    const ended = endedInFile(undefined, () => 0);
    for (let n = 0; n < 20_000; n += 1) await ended.add(`access-${n}`, DAY);
    expect([await ended.has("access-0"), await ended.has("access-19999")]).toEqual([true, true]);
  });

  it.each([
    ["written", (folder: string) => writeFileSync(join(folder, "data"), "")],
    ["read", (folder: string) => mkdirSync(join(folder, "data", "ended-sessions-4999"), { recursive: true })],
  ])("and is told where the ends cannot be %s", async (_, spoil) => {
    const folder = newFolder();
    spoil(folder);
    const { url } = await startStoppableHost(teamOf({ SAFELIGHT_DATA: join(folder, "data") }));
    const copy = await enter(url);
    const answer = await leave(url, copy);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([503, [expect.stringContaining("Max-Age=0")]]);
    expect(answer.body).toContain("The server could not save this for its next start");
    expect(await isIn(url, copy)).toBe(false);
  });

  describe.skipIf(!hasRedis)(hasRedis ? "with a Redis" : `with a Redis: ${NO_REDIS}`, () => {
    it("at each host that has it, and after a restart", async () => {
      const redis = await startRedisServer();
      onTestFinished(redis.stop);
      const environment = teamOf({ SAFELIGHT_REDIS_URL: redis.url });
      const [one, other] = [await startStoppableHost(environment), await startStoppableHost(environment)];
      const copy = await enter(one.url);
      expect(await isIn(other.url, copy)).toBe(true);
      await leave(one.url, copy);
      expect(await isIn(other.url, copy)).toBe(false);
      await other.stop();
      expect(await isIn((await startStoppableHost(environment)).url, copy)).toBe(false);
    });

    it("where its clock goes back between two starts", async () => {
      const redis = await startRedisServer();
      onTestFinished(redis.stop);
      const environment = teamOf({ SAFELIGHT_REDIS_URL: redis.url });
      setClock(100 * DAY);
      const first = await startStoppableHost(environment);
      const copy = await enter(first.url);
      setClock(108 * DAY);
      expect(await isIn(first.url, copy)).toBe(false);
      await first.stop();
      setClock(101 * DAY);
      expect(await isIn((await startStoppableHost(environment)).url, copy)).toBe(false);
    });
  });
});

describe("a clock that goes back", () => {
  it("lets nobody in again whose week was over, nor who signed out, also after a restart", async () => {
    const environment = teamOf({ SAFELIGHT_DATA: newFolder() });
    setClock(100 * DAY);
    const first = await startStoppableHost(environment);
    const [over, out] = [await enter(first.url), await enter(first.url)];
    await leave(first.url, out);
    setClock(108 * DAY);
    // Signing out forgets what is past.
    await leave(first.url, await enter(first.url));
    expect(await isIn(first.url, over)).toBe(false);
    setClock(101 * DAY);
    expect([await isIn(first.url, over), await isIn(first.url, out)]).toEqual([false, false]);
    await first.stop();
    const second = await startStoppableHost(environment);
    expect([await isIn(second.url, over), await isIn(second.url, out)]).toEqual([false, false]);
    // Whoever signs in now is in for a week by that clock.
    const fresh = await enter(second.url);
    setClock(107 * DAY);
    expect(await isIn(second.url, fresh)).toBe(true);
    setClock(109 * DAY);
    expect(await isIn(second.url, fresh)).toBe(false);
  });

  it("lets nobody in for long whom a host let in when its clock was far ahead", async () => {
    setClock(40_000 * DAY);
    const ahead = await startStoppableHost(teamOf({ SAFELIGHT_DATA: newFolder() }));
    const cookie = await enter(ahead.url);
    setClock(20_000 * DAY);
    const right = await startStoppableHost(teamOf({ SAFELIGHT_DATA: newFolder() }));
    expect([await isIn(ahead.url, cookie), await isIn(right.url, cookie)]).toEqual([true, false]);
  });

  it("goes on from the latest time, in steps of the machine's", () => {
    let machineMs = 1000;
    const { nowMs } = endedInFile(undefined, () => machineMs);
    expect(nowMs()).toBe(1000);
    machineMs = 400;
    expect(nowMs()).toBe(1000);
    machineMs = 450;
    expect(nowMs()).toBe(1050);
    machineMs = 2000;
    expect(nowMs()).toBe(2600);
  });

  it("is written down every ten minutes, so that a killed host knows it", async () => {
    let machineMs = 100 * DAY;
    const path = join(newFolder(), "ended");
    const ended = endedInFile(path, () => machineMs);
    await ended.ready();
    machineMs += 9 * 60_000;
    await ended.noteTime();
    expect(() => readFileSync(path)).toThrow();
    machineMs += 60_000;
    await ended.noteTime();
    expect(readFileSync(path, "utf8")).toBe(`.latest ${machineMs}\n`);
    const next = endedInFile(path, () => 0);
    await next.ready();
    expect(next.nowMs()).toBe(machineMs);
  });
});
