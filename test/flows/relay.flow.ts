import { expect, type Page, test } from "@playwright/test";
import { measureLarge, measureLatency, measureMany, startRelayRig } from "../../.scripts/relay-load.mjs";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { startHost } from "./start-host.ts";

// The whole measure is RELAY_SUBMITS=1000, and `npm run bench:relay` for the load.
const SUBMITS = Number(process.env.RELAY_SUBMITS ?? 200);

test("over HTTP/1.1 with the connection destroyed after the job is created, every submit creates exactly one job", async ({
  page,
}) => {
  test.setTimeout(60_000 + SUBMITS * 300);
  const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
  const relay = await startHost({ SAFELIGHT_UPSTREAMS: service.url });
  const proxy = await startCuttingProxy(relay.url);
  const queue = `/relay/api/http/${new URL(service.url).host}/sandbox/api/v1/queue`;

  await page.goto(`${proxy.url}/favicon.svg`);
  const requestIds = await submitMany(page, queue, SUBMITS);
  expect(new Set(requestIds).size).toBe(SUBMITS);
  expect(await countJobs(page, queue)).toBe(SUBMITS);
  // Each intent was cut once, so each arrived at least twice: by the browser's own repeat or by the page's.
  expect(proxy.submits()).toBeGreaterThanOrEqual(2 * SUBMITS);

  proxy.close();
  await relay.stop();
  await service.stop();
});

/** Submits from the page, six at once; an attempt that fails is repeated with the same intent id. */
function submitMany(page: Page, queue: string, count: number): Promise<string[]> {
  return page.evaluate(
    async ({ queue, count }) => {
      const ids: string[] = [];
      let next = 0;
      const submit = async (intent: string): Promise<string> => {
        const answer = await fetch(`${queue}/apikey/requests`, {
          method: "POST",
          headers: {
            Authorization: "Bearer sandbox-key",
            "Content-Type": "application/json",
            "X-Safelight-Intent": intent,
          },
          body: JSON.stringify({ model: "halide-turbo", payload: { prompt: `clip ${intent}` } }),
        }).catch(() => undefined);
        if (!answer) return submit(intent);
        const job = await answer.json();
        if (!job.request_id) throw new Error(`${answer.status} ${JSON.stringify(job)}`);
        return job.request_id;
      };
      const worker = async () => {
        while (next < count) {
          next += 1;
          ids.push(await submit(`intent-${String(next).padStart(6, "0")}`));
        }
      };
      await Promise.all(Array.from({ length: 6 }, worker));
      return ids;
    },
    { queue, count },
  );
}

function countJobs(page: Page, queue: string): Promise<number> {
  return page.evaluate(async (address) => {
    const answer = await fetch(`${address}/apikey/requests?limit=1000`, {
      headers: { Authorization: "Bearer sandbox-key" },
    });
    const list = await answer.json();
    return list.requests.length;
  }, queue);
}

test("the relay adds under 3 ms, and its memory stays flat under load", async () => {
  test.setTimeout(120_000);
  const rig = await startRelayRig();
  try {
    await measureMany(rig, 1000, 64);
    // Other stories run beside this one, so the quickest tenth is compared; the bench compares medians.
    const { directMs, relayedMs } = await measureLatency(rig, 300, 0.1);
    expect(relayedMs - directMs).toBeLessThan(3);

    const many = await measureMany(rig, 2000, 64);
    expect(many.errors).toBe(0);
    const large = await measureLarge(rig, 200 * 1024 * 1024);
    expect([large.down, large.up]).toEqual([200 * 1024 * 1024, 200 * 1024 * 1024]);
    // A relay that held what passes through would hold 200 MB more.
    const memory = [...many.memory, ...large.memory].filter((value) => value !== undefined);
    if (memory.length > 0) expect(Math.max(...memory) - Math.min(...memory)).toBeLessThan(100);
  } finally {
    rig.stop();
  }
});
