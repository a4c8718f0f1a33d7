import { axe, expect, test } from "./fixtures.ts";
import { openSandbox } from "./steps.ts";

test.describe("connect", () => {
  test("a visitor without a connection returns to the wanted screen after Connect", async ({ page }) => {
    await page.goto("/history?status=failed");
    await expect(page.getByRole("heading", { name: "Connect your service" })).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Open the sandbox" }).click();
    await expect(page).toHaveURL(/\/history\?status=/);
  });

  // Spec 5.
  test("a key and two addresses are checked, and the studio opens without the key", async ({ page, host, canary }) => {
    await page.goto("/connect");
    await page.getByLabel("API key").pressSequentially(canary);
    await page.getByLabel("Queue address").fill(`${host.url}/sandbox/api/v1/queue`);
    await page.getByLabel("Inference address").fill(`${host.url}/sandbox`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(/Queue, \d+ models/)).toBeVisible();
    await expect(page.getByText(/Text, \d+ models/)).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page.getByText(`key ····${canary.slice(-4)}`)).toBeVisible();
  });

  // Spec 5.5.
  test("a revoked key is refused in words and stays out of the page", async ({ page, host, faults }) => {
    faults.allow(/401/);
    await page.goto("/connect");
    await page.getByLabel("API key").fill("revoked-key");
    await page.getByLabel("Queue address").fill(`${host.url}/sandbox/api/v1/queue`);
    await page.getByLabel("Inference address").fill(`${host.url}/sandbox`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(/missing, invalid or revoked/i).first()).toBeVisible();
    expect(page.url()).not.toContain("revoked-key");
    await axe(page);
  });

  test("a broken address says what is wrong with it before anything is sent", async ({ page }) => {
    await page.goto("/connect");
    await page.getByLabel("API key").fill("sandbox-key");
    await page.getByLabel("Queue address").fill("not an address");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByLabel("Queue address")).toHaveAttribute("aria-invalid", "true");
    await axe(page);
  });

  test("after connecting, the key is in no address, text or lasting storage", async ({ page }) => {
    await openSandbox(page);
    for (const name of ["History", "Spend"]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
      expect(page.url()).not.toContain("sandbox-key");
      await expect(page.locator("body")).not.toContainText("sandbox-key");
    }
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).not.toContain("sandbox-key");
  });
});
