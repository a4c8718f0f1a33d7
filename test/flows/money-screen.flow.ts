import type { Page } from "@playwright/test";
import { axe, test as base, expect } from "./fixtures.ts";
import { startHost } from "./start-host.ts";
import { hasRedis, startRedis, type TestRedis } from "./start-redis.ts";
import { openModel, run } from "./steps.ts";

const REQUESTS = "/sandbox/api/v1/queue/apikey/requests";

async function countJobs(page: Page): Promise<number> {
  const answer = await page.request.get(REQUESTS, { headers: { Authorization: "Bearer sandbox-key" } });
  return (await answer.json()).requests.length;
}

function countSubmits(page: Page): () => number {
  let submits = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/apikey/requests")) submits += 1;
  });
  return () => submits;
}

const fillPrompt = (page: Page, words: string) =>
  page.getByRole("textbox", { name: "Prompt", exact: true }).fill(words);

base.describe("a gateway answers 502 of JSON after the job was made", () => {
  base.use({ sandboxSpeed: 1 });

  // M8, M11.
  base("its words are shown and Run waits, until the job is found", { tag: "@heap" }, async ({ page, faults }) => {
    faults.allow(/status of 502/);
    await page.clock.install();
    await openModel(page, "lumen-2-fast");
    await fillPrompt(page, "Moss garden gateway:after");
    const submits = countSubmits(page);
    // The list is late for as long as the story looks at the screen.
    await page.request.put("/sandbox/settings", { data: { quirks: ["list-lag"] } });
    await run(page);
    const inputs = page.getByRole("region", { name: "Inputs" });
    await expect(inputs.getByText("Checking whether it was accepted")).toBeVisible();
    await expect(inputs.getByText(/The response was 502: .*Bad Gateway/)).toBeVisible();
    await expect(inputs.getByText(/You may have been charged\./)).toBeVisible();
    await expect(page.getByText(/Waiting for the last run to be confirmed \(about/)).toBeVisible();
    const button = page.getByRole("button", { name: "Run", exact: true });
    await expect(button).toHaveAttribute("aria-disabled", "true");
    await button.evaluate((element: HTMLButtonElement) => element.click());
    await page.keyboard.press("Control+Enter");
    await axe(page, { always: true });

    await page.request.put("/sandbox/settings", { data: { quirks: [] } });
    const found = async () => {
      await page.clock.runFor(2_000);
      await page.evaluate(() => fetch("/healthz").then(() => undefined));
      return page.getByRole("button", { name: "Download" }).count();
    };
    await expect.poll(found, { intervals: [50] }).toBeGreaterThan(0);
    await expect(inputs.getByText("Checking whether it was accepted")).toHaveCount(0);
    await expect(button).not.toHaveAttribute("aria-disabled", "true");
    expect(submits()).toBe(1);
    expect(await countJobs(page)).toBe(1);
  });
});

const test = base.extend<{ redis: TestRedis }>({
  redis: async ({ browserName: _ }, use) => {
    base.skip(!hasRedis(), "There is no redis-server on this machine.");
    const redis = await startRedis();
    await use(redis);
    await redis.stop();
  },
  host: async ({ redis }, use) => {
    const host = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60", SAFELIGHT_REDIS_URL: redis.url });
    await use(host);
    await host.stop();
    expect(host.stderr()).toMatch(/^(The Redis at SAFELIGHT_REDIS_URL cannot be used \(\w+\)\.\n)+$/);
  },
});

// M20, for the record of the host.
test("without its Redis the host refuses Run in words, and nothing is sent", async ({ page, redis, faults }) => {
  faults.allow(/status of 5\d\d/);
  await openModel(page, "lumen-2-fast");
  await fillPrompt(page, "Moss garden");
  const submits = countSubmits(page);
  await redis.kill();
  await run(page);
  const inputs = page.getByRole("region", { name: "Inputs" });
  await expect(inputs.getByText("The Safelight server couldn’t record the run")).toBeVisible();
  await expect(inputs.getByText("Not charged: the job was never sent.")).toBeVisible();
  await axe(page);
  expect(submits()).toBe(0);
  expect(await countJobs(page)).toBe(0);

  // Everything else goes on, and Run does when the Redis is back.
  await page.goto("/history");
  await expect(page.getByText(/no jobs/i).first()).toBeVisible();
  await redis.restart();
  await page.goto("/create/lumen-2-fast");
  await fillPrompt(page, "Moss garden");
  const memory = () => page.evaluate(async () => (await (await fetch("/relay")).json()).memory as string | null);
  await expect.poll(memory).not.toBeNull();
  await run(page);
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  expect(await countJobs(page)).toBe(1);
});
