import type { APIRequestContext } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openSandbox } from "./steps.ts";

const QUEUE = "/sandbox/api/v1/queue";
const headers = { Authorization: "Bearer sandbox-key" };

async function submit(request: APIRequestContext, model: string, prompt: string): Promise<string> {
  const answer = await request.post(`${QUEUE}/apikey/requests`, { headers, data: { model, payload: { prompt } } });
  return (await answer.json()).request_id;
}

test.describe("history", () => {
  test("says that there are no jobs, and with a filter that none match", { tag: "@long-stories" }, async ({ page }) => {
    await openSandbox(page, "/history");
    await expect(page.getByText(/No jobs yet/)).toBeVisible();
    await axe(page);
    await page.goto("/history?status=failed");
    await expect(page.getByText("No matching jobs")).toBeVisible();
  });

  // Spec 4.1.
  test("is one list, newest first, filtered, and reopened from its address", async ({ page, request }) => {
    for (let i = 1; i <= 23; i += 1) await submit(request, "lumen-2-fast", `Picture number ${i}.`);
    await submit(request, "lumen-2", "fail:moderation and more");
    // An address of a page, from before there was one list.
    await openSandbox(page, "/history?limit=20&page=2&q=*&view=table");
    await expect(page.getByText("Picture number 23.").first()).toBeVisible();
    await page.getByRole("grid", { name: "Jobs" }).focus();
    await page.keyboard.press("End");
    await expect(page.getByText("Picture number 1.").first()).toBeVisible();
    await expect(page.getByText("24 jobs", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Next|Previous|Load all jobs|Show as one list)$/ })).toHaveCount(0);
    await page.goto("/history?status=failed");
    await expect(page.getByText("fail:moderation and more").first()).toBeVisible();
    await expect(page.getByText("Picture number 23.")).toHaveCount(0);
    await axe(page);
  });

  // Spec 3.
  test("deletes the media of a job after a dialog that explains it", { tag: "@long-stories" }, async ({
    page,
    request,
  }) => {
    const id = await submit(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, `/jobs/${id}`);
    await expect(page.getByRole("img", { name: /A paper boat/ })).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Delete files" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText(/charge/i);
    await expect(dialog).toContainText(/5 minutes/);
    await axe(page);
    await dialog.getByRole("button", { name: /Delete/ }).click();
    await expect(page.getByText(/media (was|were|is|are) deleted|deleted/i).first()).toBeVisible();
    const again = await request.delete(`${QUEUE}/apikey/requests/${id}/media`, { headers });
    expect(again.ok()).toBe(true);
  });

  // Spec 7.
  test("an unknown job id ends in a clear message", { tag: "@long-stories" }, async ({ page, faults }) => {
    faults.allow(/404/);
    await openSandbox(page, "/jobs/no-such-job");
    await expect(page.getByText("Job not found")).toBeVisible();
    await axe(page);
  });
});

// Spec 4.1: jobs of scripts and other browsers with the same key are in the list.
test.describe("history of a large account", () => {
  test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_HISTORY: "1000000" } });

  test("shows its newest jobs at once and reads on by itself, without a move", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openSandbox(page, "/history");
    const jobs = page.getByRole("grid", { name: "Jobs" });
    await expect(jobs.getByRole("link").first()).toBeVisible();
    await expect(page.getByText(/^Search covers [\d,]+ of the latest 100,000 jobs/)).toBeVisible();
    const first = await jobs.getByRole("link").first().getAttribute("href");
    await expect(page.getByText(/^Search covers ([4-9]|\d\d),\d+ of the latest/)).toBeVisible();
    await expect(jobs.getByRole("link").first()).toHaveAttribute("href", first ?? "");
    await axe(page);
  });

  test("is filtered by the service beyond what is indexed", { tag: "@long-stories" }, async ({ page }) => {
    await openSandbox(page, "/history?view=table&q=status:cancelled+type:video");
    const jobs = page.getByRole("grid", { name: "Jobs" });
    await expect(jobs.getByRole("link").first()).toBeVisible();
    await expect(jobs.getByText("Cancelled").first()).toBeVisible();
    await expect(jobs.getByText(/^(Done|Failed)$/)).toHaveCount(0);
    const rows = async () => Number(await jobs.getAttribute("aria-rowcount"));
    const before = await rows();
    await jobs.focus();
    await page.keyboard.press("End");
    await expect.poll(rows).toBeGreaterThan(before + 50);
    await expect(page.getByRole("columnheader", { name: "Prompt" })).toBeInViewport();
    await expect(jobs.getByText(/^(Done|Failed)$/)).toHaveCount(0);
    await page.goto("/history?view=table&before=2026-01-01");
    await expect(page.getByText("No matching jobs")).toBeVisible();
  });

  test("estimates the prices of jobs from elsewhere, and says so", { tag: "@long-stories" }, async ({ page }) => {
    await openSandbox(page, "/history?view=table");
    const estimate = page.getByText(/^≈ \$[\d.]+, estimated at today’s price$/);
    await expect(estimate.first()).toBeAttached();
    await expect(page.getByText(/^≈ \$[\d.]+$/).first()).toBeVisible();
    await expect(page.getByText(/\d+ estimated, [\d,]+ prices unknown/).first()).toBeVisible();
    await axe(page);
  });
});
