import type { BrowserContext, Page } from "@playwright/test";
import { cases, isLongSuite } from "../setup/cases.ts";
import { expect, test } from "./fixtures.ts";
import { openSandbox, sameSession } from "./steps.ts";
import { jobsOf } from "./wrongs-of.ts";

const RUNS = cases(60, 500);
/** No part of it takes longer, also on a machine that does other work. */
const WITHIN_MS = 60_000 + RUNS * 2_500;
const MODELS = ["lumen-2", "lumen-2-fast", "halide-turbo"];
/** What goes wrong with a run, by its number; most go well. */
const TROUBLE: Record<number, string> = {
  3: "lose:reply",
  7: "fail:provider",
  11: "gateway:after",
  13: "reject:moderation",
  17: "error:429x1",
  19: "fail:moderation",
};

/** Each run has words of its own, by which its job is known at the service. */
const prompts = Array.from({ length: RUNS }, (_, at) => {
  const trouble = TROUBLE[at % 20];
  return `Lighthouse number ${at}${trouble ? ` ${trouble}` : ""}`;
});
const csv = ["model,prompt", ...prompts.map((prompt, at) => `${MODELS[at % MODELS.length]},${prompt}`)].join("\n");

interface Charge {
  kind: "charge" | "refund";
  requestId: string;
  amountMicroUsd: number;
}

const sum = (charges: readonly Charge[], kind: Charge["kind"]) =>
  charges.filter((one) => one.kind === kind).reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0);
const dollars = (micro: number) => `$${(micro / 1_000_000).toFixed(6).replace(/0{1,4}$/, "")}`;

async function charges(url: string): Promise<Charge[]> {
  const answer = await fetch(`${url}/sandbox/settings/charges`);
  return ((await answer.json()) as { entries: Charge[] }).entries;
}

const panel = (page: Page) => page.getByRole("complementary", { name: "Run settings" });
const resume = (page: Page) => panel(page).getByRole("button", { name: /^Resume, \$/ });
const submitted = async (page: Page) => {
  const words = await panel(page)
    .getByText(/\d+ of \d+ submitted/)
    .textContent();
  return Number(/(\d+) of/.exec(words ?? "")?.[1] ?? 0);
};

/** The same batch in a new page of the same browser, as after a crash. */
async function openAgain(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

test.describe("a batch through everything that goes wrong", { tag: "@slow" }, () => {
  test.use({ sandboxSpeed: 60 });
  test.setTimeout(120_000 + 2 * WITHIN_MS);

  // M1, M2, M7, M23: lost replies, a gateway's 502, refusals, failures, a reload, a crash of the tab, and a limit.
  test("each run is charged once or not at all, and each end is told", { tag: "@long-money" }, async ({
    page,
    context,
    host,
    faults,
  }) => {
    faults.allow(/status of (4\d\d|502)/);
    faults.allow(/ERR_|Failed to load resource/);
    await openSandbox(page, "/batch");
    await sameSession(page);
    await page.getByRole("button", { name: "From CSV" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("CSV file to read")
      .setInputFiles({ name: "shots.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
    await dialog.getByRole("button", { name: `Add ${RUNS} runs` }).click();
    await expect(panel(page).getByText("Estimated prices. Confirmed before the run.")).toBeVisible();

    const run = panel(page).getByRole("button", { name: new RegExp(`^Run ${RUNS} for \\$`) });
    const price = Number(/\$([\d.]+)/.exec((await run.textContent()) ?? "")?.[1]);
    const limit = Math.floor(price * 60) * 10_000;
    await panel(page).getByRole("checkbox", { name: "Failures in a row reach" }).uncheck();
    await panel(page).getByRole("checkbox", { name: "Total charged" }).check();
    await panel(page)
      .getByRole("textbox", { name: /total charged/ })
      .fill(dollars(limit));
    await run.click();

    // A reload in the middle.
    await expect.poll(() => submitted(page)).toBeGreaterThan(RUNS * 0.1);
    await page.reload();
    await expect(panel(page).getByText("Paused. Nothing is submitted until you resume.")).toBeVisible();
    const before = (await jobsOf(host.url)).length;
    await resume(page).click();

    // A crash of the tab.
    await expect.poll(() => jobsOf(host.url).then((jobs) => jobs.length)).toBeGreaterThan(before + 3);
    const address = page.url();
    const crashed = page.waitForEvent("crash");
    await page.goto("chrome://crash").catch(() => {});
    await crashed;
    const second = await openAgain(context, address);
    await expect(panel(second).getByText("Paused. Nothing is submitted until you resume.")).toBeVisible();
    await resume(second).click();

    // The limit: never more is charged, whatever was lost meanwhile.
    await expect(panel(second).getByText(/would exceed this batch’s limit/)).toBeVisible({
      timeout: WITHIN_MS,
    });
    const atLimit = await charges(host.url);
    expect(sum(atLimit, "charge") - sum(atLimit, "refund")).toBeLessThanOrEqual(limit);
    await panel(second).getByRole("checkbox", { name: "Total charged" }).uncheck();
    await resume(second).click();

    const total = panel(second).getByText(new RegExp(`^${RUNS} runs, \\$`));
    await expect(second.getByRole("navigation", { name: "Runs by status" })).not.toContainText(
      /Waiting|Running|Unconfirmed/,
      { timeout: WITHIN_MS },
    );

    // What the service says of it.
    const jobs = await jobsOf(host.url);
    const made = new Map<string, number>();
    for (const { prompt } of jobs) made.set(prompt, (made.get(prompt) ?? 0) + 1);
    const doubled = prompts.filter((prompt) => (made.get(prompt) ?? 0) > 1);
    // A page that ends while it waits after a 429 leaves its run refused, which is told below as the others are.
    const mayBeRefused = /reject:moderation|error:429/;
    const lost = prompts.filter((prompt) => !made.has(prompt) && !mayBeRefused.test(prompt));
    expect({ doubled, lost }).toEqual({ doubled: [], lost: [] });
    const booked = (await charges(host.url)).filter(({ requestId }) => jobs.some((job) => job.requestId === requestId));
    const charged = sum(booked, "charge");
    const refunded = sum(booked, "refund");
    await expect(total).toHaveText(`${RUNS} runs, ${dollars(charged)} charged, ${dollars(refunded)} refunded`);

    // What the table says of it.
    const filters = second.getByRole("navigation", { name: "Runs by status" });
    const refused = prompts.filter((prompt) => !made.has(prompt)).length;
    const failed = prompts.filter((prompt) => prompt.includes("fail:")).length;
    await expect(filters.getByRole("link", { name: `Done ${RUNS - refused - failed}` })).toBeVisible();
    await expect(filters.getByRole("link", { name: `Failed ${refused + failed}` })).toBeVisible();
    if (isLongSuite) {
      console.log(`${RUNS} runs: ${jobs.length} jobs, ${dollars(charged)} charged, ${dollars(refunded)} refunded`);
    }
  });
});
