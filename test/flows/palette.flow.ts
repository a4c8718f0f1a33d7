import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openModel } from "./steps.ts";

const palette = (page: Page) => page.getByRole("combobox", { name: "Search commands" });
const sheet = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

test.describe("palette and keys", () => {
  for (const colorScheme of ["dark", "light"] as const) {
    test(`palette and shortcuts have no accessibility violation, ${colorScheme}, wide and at 320 px`, {
      tag: "@long-accessibility",
    }, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await openModel(page, "lumen-2");
      await page.keyboard.press("Control+k");
      await palette(page).fill("lum");
      await expect(page.getByRole("option", { selected: true })).toContainText("Run lumen-2");
      await axe(page);
      await page.setViewportSize({ width: 320, height: 256 });
      await page.keyboard.press("End");
      await expect(page.getByRole("option", { selected: true })).toBeInViewport();
      await axe(page);
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole("link", { name: "Settings" }).focus();
      await page.keyboard.press("?");
      await expect(sheet(page)).toBeVisible();
      await axe(page);
    });
  }

  test("the keyboard alone runs, finds the job again, and opens it by its ID", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openModel(page, "lumen-2");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A green kettle");
    await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText("$0.035");
    await page.keyboard.press("Control+k");
    await palette(page).fill("run lumen");
    await expect(page.getByRole("option", { selected: true })).toContainText("$0.035");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("img", { name: /A green kettle/ })).toBeVisible();
    await page.keyboard.press("Control+k");
    await palette(page).fill("kettle");
    await page.getByRole("option", { name: /A green kettle/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "A green kettle" })).toBeVisible();
    const id = page.url().split("/").at(-1) ?? "";
    await page.keyboard.press("g");
    await page.keyboard.press("s");
    await expect(page.getByRole("heading", { level: 1, name: "Spend" })).toBeVisible();
    await page.keyboard.press("Control+k");
    await palette(page).fill(id);
    await page.getByRole("option", { name: `Open job ${id}` }).click();
    await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`));
  });

  test("a changed key acts and is shown, and without single keys no letter acts", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openModel(page, "lumen-2");
    const presets = page.getByRole("button", { name: "Presets", exact: true });
    await page.getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("?");
    await sheet(page).getByRole("button", { name: "Change Presets" }).click();
    await page.keyboard.press("Control+t");
    await expect(sheet(page).getByText("Ctrl+T belongs to the browser.")).toBeVisible();
    await page.keyboard.press("x");
    await expect(sheet(page).getByText("1 changed")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(presets).toHaveAttribute("aria-keyshortcuts", "x");
    await page.keyboard.press("x");
    await expect(page.getByRole("dialog", { name: "Presets" })).toBeVisible();
    // Behind a dialog nothing acts.
    await page.keyboard.press("?");
    await expect(sheet(page)).toBeHidden();
    await page.keyboard.press("Escape");
    await page.reload();
    await expect(presets).toHaveAttribute("aria-keyshortcuts", "x");
    await page.keyboard.press("Control+k");
    await palette(page).fill("single-key");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("option", { name: /^Single-key shortcuts.*Off$/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(presets).not.toHaveAttribute("aria-keyshortcuts", "x");
    await page.getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("x");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeHidden();
  });
});
