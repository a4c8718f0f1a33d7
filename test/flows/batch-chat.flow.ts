import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { ask, chooseEndpoint, openSandbox } from "./steps.ts";

const proposed = (page: Page) => page.getByRole("group", { name: "Proposed runs" });
const rows = (page: Page) =>
  page.getByRole("grid", { name: "Runs" }).getByRole("row").filter({ hasText: "Lighthouse" });

/** Submits that the page sends. */
function countSubmits(page: Page): () => number {
  let submits = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && /\/apikey\/requests$/.test(request.url())) submits += 1;
  });
  return () => submits;
}

test.describe("runs that an answer proposes", () => {
  // The fixtures fail it for a layout shift, too.
  test("become rows of a batch with their prices, and nothing is sent", { tag: "@long-stories" }, async ({ page }) => {
    const submits = countSubmits(page);
    await openSandbox(page, "/playground");
    await ask(page, "A lighthouse in fog, propose:runs tps:150");
    await expect(page.getByRole("group", { name: "Code, safelight-runs" })).toBeVisible();
    await expect(proposed(page)).toContainText("This response proposes 6 runs with lumen-2 and lumen-2-pro.");
    await axe(page);
    await proposed(page).getByRole("button", { name: "Open in Batch" }).click();
    await expect(page).toHaveURL(/\/batch\/[0-9a-f]{32}/);
    await expect(page.getByText("Lighthouse, fog: three lights").first()).toBeVisible();
    await expect(rows(page).filter({ hasText: "$0.035" })).toHaveCount(3);
    await expect(rows(page).filter({ hasText: "$0.039" })).toHaveCount(3);
    await page.reload();
    await expect(rows(page).filter({ hasText: /\$0\.03[59]/ })).toHaveCount(6);
    expect(submits()).toBe(0);

    // The answer is as it was, and the batch is one that the person may run.
    await page.goBack();
    await expect(proposed(page)).toHaveCount(1);
    await page.goForward();
    await page.getByRole("button", { name: /^Run 6\b/ }).click();
    await expect.poll(submits).toBe(6);
  });

  test("come by the call of a tool, too, by keyboard alone", { tag: "@long-stories" }, async ({ page }) => {
    const submits = countSubmits(page);
    await openSandbox(page, "/playground");
    await chooseEndpoint(page, "Responses");
    await ask(page, "A lighthouse in fog, propose:tool tps:2000");
    await expect(proposed(page)).toContainText("This response proposes 6 runs with lumen-2 and lumen-2-pro.");
    await page.keyboard.press("ControlOrMeta+K");
    // The palette is loaded when it is opened.
    await expect(page.getByRole("combobox", { name: "Search commands" })).toBeFocused();
    await page.keyboard.type("proposed runs");
    await expect(page.getByRole("option", { name: /proposed runs/i })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/batch\/[0-9a-f]{32}/);
    await expect(rows(page).filter({ hasText: /\$0\.03[59]/ })).toHaveCount(6);
    expect(submits()).toBe(0);
  });
});
