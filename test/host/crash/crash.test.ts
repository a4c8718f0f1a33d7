import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Bundle, bundleForNode } from "../../setup/bundle-for-node.ts";
import { cases } from "../../setup/cases.ts";
import { hasRedis, NO_REDIS, startRedisServer } from "../attempts/redis-server.ts";
import { type HostProcess, SEEN, type Service, startHostProcess, startService, type Told } from "./crash-world.ts";

/** How often a host is killed in the middle of a submit: at each moment that the service sees, and as often at any. */
const CRASHES = cases(6, 50);
/** A submit takes a few ms: most of the moments fall into it. */
const MAX_MS = 8;

let host: Bundle;
let service: Service;
beforeAll(async () => {
  host = await bundleForNode("test/host/crash/host-process.ts");
  return host.remove;
});
beforeAll(async () => {
  service = await startService();
  return service.close;
});

/** Submits, and kills the host at the moment of this round. Resolves to what the page was told before. */
async function submitAndKill(victim: HostProcess, intent: string, round: number): Promise<Told> {
  const seen = SEEN[round % 6];
  const killed = seen
    ? new Promise<void>((resolve) => {
        service.onSeen = (moment) => {
          if (moment === seen) resolve(victim.kill());
        };
      })
    : setTimeout((MAX_MS * round * 0.618) % MAX_MS).then(() => victim.kill());
  const told = await victim.submit(intent);
  await killed;
  service.onSeen = () => {};
  return told;
}

/** What the page is told of an attempt must be true, and must stay so. */
async function expectTruth(by: HostProcess, intent: string, before: Told, round: number) {
  const isAsked = round % 2 === 1;
  const told = await (isAsked ? by.withdraw(intent) : by.submit(intent));
  const jobs = service.jobsOf(intent);
  expect(jobs).toBeLessThanOrEqual(1);
  if (told === "no answer") throw new Error("The host that runs gave no answer.");
  if (before !== "no answer") expect(told).toEqual(before);
  if ("job" in told) expect([told.job, jobs]).toEqual([`${intent} 1`, 1]);
  else if (told.refusal === "never_sent") expect([isAsked, jobs]).toEqual([true, 0]);
  else expect(told.refusal).toBe("outcome_unknown");
  expect(await by.submit(intent)).toEqual(told);
  expect(service.jobsOf(intent)).toBe(jobs);
  return told;
}

describe("a host that is killed in the middle of a submit", () => {
  it(`forwards once and tells the truth after its restart, ${CRASHES} times`, {
    timeout: CRASHES * 20_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "safelight-crash-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const victim = await startHostProcess(host.path, service, { SAFELIGHT_DATA: folder });
    onTestFinished(victim.kill);
    const all = new Set<string>();
    for (let round = 0; round < CRASHES; round += 1) {
      const intent = `level-intent-${round}`;
      const before = await submitAndKill(victim, intent, round);
      await victim.start();
      const told = await expectTruth(victim, intent, before, round);
      all.add(typeof told === "object" && "refusal" in told ? told.refusal : "job");
    }
    expect(all).toContain("outcome_unknown");
  });
});

describe.skipIf(!hasRedis)(hasRedis ? "two hosts on one Redis" : `two hosts: ${NO_REDIS}`, () => {
  it(`forward once and tell the truth when one is killed, ${CRASHES} times`, {
    timeout: CRASHES * 20_000,
  }, async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const commands = new Redis(redis.url);
    onTestFinished(() => commands.disconnect());
    commands.on("error", () => {});
    const start = () => startHostProcess(host.path, service, { SAFELIGHT_REDIS_URL: redis.url });
    const hosts = [await start(), await start()] as const;
    onTestFinished(async () => void (await Promise.all(hosts.map(({ kill }) => kill()))));
    for (let round = 0; round < CRASHES; round += 1) {
      const [victim, other] = round % 2 ? hosts : ([hosts[1], hosts[0]] as const);
      const intent = `redis-intent-${round}`;
      const before = await submitAndKill(victim, intent, round);
      // The 15 seconds pass in which the dead host is still believed in.
      for (const key of await commands.keys("{safelight}:host:*")) await commands.del(key);
      await expectTruth(other, intent, before, round);
      await victim.start();
    }
    await redis.kill();
    expect(await hosts[0].submit("redis-is-down")).toEqual({ refusal: "store_unavailable" });
    expect(await hosts[1].withdraw("redis-is-down")).toEqual({ refusal: "store_unavailable" });
    expect(service.jobsOf("redis-is-down")).toBe(0);
  });
});
