import { axe, expect, test } from "./fixtures.ts";
import { openModel, run } from "./steps.ts";

/** A service that wraps what it says about a model in one of its own ways. */
const WAYS = ["detail-nested,detail-with-decoys", "detail-as-openapi,detail-camel-case", "detail-as-table"];

for (const quirks of WAYS) {
  test.describe(quirks, () => {
    test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_QUIRKS: quirks } });

    test("has its form, its price on the card, and runs", { tag: "@long-stories" }, async ({ page }) => {
      await openModel(page, "lumen-2");
      await expect(page.getByRole("button", { name: /^Model: lumen-2 Image · \$0\.035/ })).toBeVisible();
      await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A quay at dawn");
      await run(page);
      await expect(page.getByRole("img", { name: /A quay at dawn/ }).first()).toBeVisible();
    });
  });
}

test.describe("detail-without-schema", () => {
  test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_QUIRKS: "detail-without-schema" } });

  test("is written as JSON, with the answer beside it, and runs", async ({ page, faults }) => {
    // The price of the empty payload is refused, free of charge: a prompt is missing.
    faults.allow(/400 \(Bad Request\)/);
    await openModel(page, "lumen-2");
    await expect(page.getByRole("textbox", { name: "Response as text" })).toHaveValue(/"model": "lumen-2"/);
    await page.getByRole("button", { name: "Choose parameter list" }).click();
    await expect(page.getByRole("tree", { name: "Raw response about this model" })).toBeVisible();
    await axe(page);
    await page.getByRole("textbox", { name: "Settings as JSON" }).fill('{"prompt":"A quay at dawn"}');
    await run(page);
    await expect(page.getByRole("img", { name: /A quay at dawn/ }).first()).toBeVisible();
  });
});
