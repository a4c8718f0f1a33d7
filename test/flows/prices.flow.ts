import { axe, expect, test } from "./fixtures.ts";
import { findSideways } from "./reach.ts";
import { download, openModel, pngSize } from "./steps.ts";

test("from Create to the prices of all combinations, and back with one of them", { tag: "@long-stories" }, async ({
  page,
}) => {
  await openModel(page, "halide-video");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A red fox in the snow");
  await page.getByRole("link", { name: "Price table" }).click();
  await expect(page.getByRole("button", { name: /^10 s at 1080P: \$0\.70 .*Highest, 3\.3×/ })).toBeVisible();
  await expect(page.getByText(/^Estimates are free\. Updated \d+ s ago\.$/)).toBeVisible();
  await axe(page);

  const file = await download(page, () => page.getByRole("button", { name: "Download image" }).click());
  expect(file.name).toBe("prices-halide-video.png");
  expect(pngSize(file.bytes).width).toBeGreaterThan(700);

  await page.getByRole("button", { name: /^5 s at 720P: \$0\.21/ }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByText("for 5 s at 1080P")).toBeVisible();
  await page.getByRole("button", { name: "Use in Create" }).click();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText("$0.35");
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("A red fox in the snow");
});

test("the same payload with every model, and a draft of a batch from a price", { tag: "@long-stories" }, async ({
  page,
}) => {
  await openModel(page, "lumen-2");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A paper boat");
  await page.getByRole("link", { name: "Price table" }).click();
  const panel = page.getByRole("region", { name: "Compare models with these settings" });
  await expect(panel.getByText(/\d of \d image models\./)).toBeVisible();
  await expect(panel.getByText("Not available with")).toBeVisible();
  await expect(panel.getByRole("listitem").filter({ hasText: "lumen-2-fast" })).toContainText("−$0.026$0.009");
  await axe(page);
  await page.getByRole("button", { name: "Add to batch" }).click();
  await page.getByRole("menuitem", { name: "New batch" }).click();
  await expect(page).toHaveURL(/\/batch\/[0-9a-f]+/);
  await expect(page.getByText("$0.035").first()).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the table scrolls in itself and the page does not", { tag: "@long-accessibility" }, async ({ page }) => {
    await openModel(page, "lumen-2");
    await page.goto("/prices/lumen-2");
    await expect(page.getByText("Size doesn’t change the price of lumen-2.")).toBeVisible();
    expect(await findSideways(page)).toEqual([]);
    await axe(page);
  });
});
