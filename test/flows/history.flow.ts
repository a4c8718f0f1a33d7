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
  test("says that there are no jobs, and with a filter that none match", async ({ page }) => {
    await openSandbox(page, "/history");
    await expect(page.getByText(/No jobs yet/)).toBeVisible();
    await axe(page);
    await page.goto("/history?status=failed");
    await expect(page.getByText("No matching jobs")).toBeVisible();
  });

  // Spec 4.1.
  test("is paged newest first, filtered, and reopened from its address", async ({ page, request }) => {
    for (let i = 1; i <= 23; i += 1) await submit(request, "lumen-2-fast", `Picture number ${i}.`);
    await submit(request, "lumen-2", "fail:moderation and more");
    await openSandbox(page, "/history?limit=20");
    await expect(page.getByText("Picture number 23.").first()).toBeVisible();
    await expect(page.getByText("Picture number 2.")).toHaveCount(0);
    await page.getByRole("button", { name: "Next" }).click();
    await expect(page.getByText("Picture number 2.").first()).toBeVisible();
    const second = page.url();
    expect(second).toMatch(/offset=|page=/);
    await page.reload();
    await expect(page.getByText("Picture number 2.").first()).toBeVisible();
    await page.goto("/history?status=failed");
    await expect(page.getByText("fail:moderation and more").first()).toBeVisible();
    await expect(page.getByText("Picture number 23.")).toHaveCount(0);
    await axe(page);
  });

  // Spec 3.
  test("deletes the media of a job after a dialog that explains it", async ({ page, request }) => {
    const id = await submit(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, `/jobs/${id}`);
    await expect(page.getByRole("img", { name: /A paper boat/ })).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Delete files" }).click();
    const dialog = page.getByRole("alertdialog");
    await expect(dialog).toContainText(/charge/i);
    await expect(dialog).toContainText(/five minutes|5 minutes/i);
    await axe(page);
    await dialog.getByRole("button", { name: /Delete/ }).click();
    await expect(page.getByText(/media (was|were|is|are) deleted|deleted/i).first()).toBeVisible();
    const again = await request.delete(`${QUEUE}/apikey/requests/${id}/media`, { headers });
    expect(again.ok()).toBe(true);
  });

  // Spec 7.
  test("an unknown job id ends in a clear message", async ({ page, faults }) => {
    faults.allow(/404/);
    await openSandbox(page, "/jobs/no-such-job");
    await expect(page.getByText("Job not found")).toBeVisible();
    await axe(page);
  });
});
