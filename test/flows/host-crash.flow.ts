import { setTimeout as pass } from "node:timers/promises";
import { expect } from "@playwright/test";
import { createRandom } from "#sandbox/media/seeded-random.ts";
import { cases, isLongSuite } from "../setup/cases.ts";
import { freePort } from "../setup/free-port.ts";
import { dealFates, numberOf, SLOW_AFTER, SLOW_BEFORE } from "./faults.ts";
import { FAST_SANDBOX, HURRY, MODELS, openStudio, QUEUE, type Start, test } from "./money-rig.ts";
import { SESSION_SECRET } from "./start-host.ts";
import { hasRedis } from "./start-redis.ts";
import { counted, wrongsOf } from "./wrongs-of.ts";

// Each moment of a submit once.
const KILLS = cases(5, 50);
const SEED = Number(process.env.MONEY_SEED ?? 12);

/** The service behind a gateway that is slow on the way there or back, so that a submit has longer moments. */
async function startService(start: Start) {
  const service = await start.host(FAST_SANDBOX);
  const fates = dealFates(SEED, [SLOW_BEFORE, SLOW_AFTER], 0);
  const gateway = await start.proxy({ targets: () => [service.url], fates });
  return { service, gateway };
}

/** Moments of a submit, and how long after each the host may be killed, in ms: until about the next one. */
const MOMENTS = [
  { at: "press", withinMs: 120 },
  { at: "sent to the host", withinMs: 8 },
  { at: "sent to the service", withinMs: 25 },
  { at: "taken by the service", withinMs: 25 },
  { at: "answered by the service", withinMs: 8 },
] as const;

test.describe("the host is killed in the middle of submits", { tag: "@slow" }, () => {
  test.setTimeout(300_000 + KILLS * 30_000);

  // M1, M5, M25.
  test("each run is one job or none, and told rightly, when the host starts again", async ({ page, start }) => {
    const { service, gateway } = await startService(start);
    const data = await start.folder();
    const port = String(await freePort());
    const place = { ...SESSION_SECRET, PORT: port, SAFELIGHT_DATA: data, SAFELIGHT_UPSTREAMS: gateway.url };
    let host = await start.host(place);
    // The host starts again at the same place, so it stays where it is for the page.
    const front = await start.proxy({ targets: () => [host.url] });
    await page.goto(`${front.url}/connect`);
    const studio = await openStudio(page, service.url, { queueBaseUrl: gateway.url + QUEUE, hurry: HURRY });
    const random = createRandom(SEED);
    const settled = new Map<string, Promise<void>>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const model = MODELS[kill % MODELS.length] ?? "lumen-2";
      await settled.get(model);
      const { at, withinMs } = MOMENTS[kill % MOMENTS.length] ?? MOMENTS[0];
      const comes = {
        press: () => Promise.resolve(),
        "sent to the host": () => front.next("passed on"),
        "sent to the service": () => gateway.next("here"),
        "taken by the service": () => gateway.next("passed on"),
        "answered by the service": () => gateway.next("answered"),
      }[at]();
      const told = studio.press(model, `a lamp, run ${kill + 1}`);
      settled.set(model, told);
      await Promise.race([comes, told]);
      // The moment itself: it has to come at any time, so it is dealt and not waited for.
      await pass(random.between(0, withinMs));
      await host.kill();
      host = await start.host(place);
    }
    await Promise.all(settled.values());
    const report = await studio.report();
    expect(await wrongsOf(report, service.url), "what is wrong").toEqual([]);
    const said = counted(report.presses.map((press) => press.said));
    for (const [index, { at }] of isLongSuite ? MOMENTS.entries() : []) {
      const ofMoment = report.presses.filter(({ prompt }) => (numberOf(prompt) - 1) % MOMENTS.length === index);
      console.log(`killed after "${at}":`, counted(ofMoment.map((press) => press.said)));
    }
    expect(report.presses).toHaveLength(KILLS);
    // Whatever reached the gateway became a job, and its answer was lost with the host.
    expect(said["accepted, recovered"]).toBeGreaterThan(0);
  });

  test("with two hosts on one Redis the page goes on with the other", { tag: "@long-money" }, async ({
    page,
    start,
  }) => {
    test.skip(!hasRedis(), "There is no redis-server on this machine.");
    const { service, gateway } = await startService(start);
    const redis = await start.redis();
    const settings = { ...SESSION_SECRET, SAFELIGHT_REDIS_URL: redis.url, SAFELIGHT_UPSTREAMS: gateway.url };
    const places = await Promise.all([0, 1].map(async () => ({ ...settings, PORT: String(await freePort()) })));
    const hosts = await Promise.all(places.map((place) => start.host(place)));
    let turn = 0;
    const targets = () => {
      turn += 1;
      const urls = hosts.map(({ url }) => url);
      return turn % 2 === 0 ? urls : urls.reverse();
    };
    const balancer = await start.proxy({ targets, whenTargetBreaks: () => (turn % 3 === 0 ? "cut" : "502") });
    await page.goto(`${balancer.url}/connect`);
    const studio = await openStudio(page, service.url, { queueBaseUrl: gateway.url + QUEUE, hurry: HURRY });
    const random = createRandom(SEED);
    const rounds = Math.ceil(KILLS / MODELS.length);
    let next = 0;
    for (let round = 0; round < rounds; round += 1) {
      const carried = balancer.next("passed on");
      // Nine submits, each at another point of its way when one of the hosts dies.
      const told = MODELS.map(async (model) => {
        next += 1;
        const prompt = `a lamp, run ${next}`;
        await pass(random.between(0, 60));
        await studio.press(model, prompt, { isPatient: true });
      });
      const url = await carried;
      await pass(random.between(0, 60));
      const victim = hosts.findIndex((host) => host.url === url);
      await hosts[victim]?.kill();
      await Promise.all(told);
      hosts[victim] = await start.host(places[victim]);
    }
    const report = await studio.report();
    expect(await wrongsOf(report, service.url), "what is wrong").toEqual([]);
    const said = counted(report.presses.map((press) => press.said));
    if (isLongSuite) console.log(`${rounds} kills, ${next} submits:`, said);
    // With one host dead, whoever wants a result gets it from the other.
    const accepted = report.presses.filter((press) => press.said.startsWith("accepted"));
    expect(accepted.length, JSON.stringify(said)).toBe(next);
  });
});
