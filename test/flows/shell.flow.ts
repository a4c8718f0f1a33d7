import { axe, expect, test } from "./fixtures.ts";
import { openModel, openSandbox } from "./steps.ts";

test.describe("the shell", () => {
  test("every screen, wide and at 390 px, is readable by everybody", { tag: "@slow" }, async ({ page }) => {
    await openSandbox(page, "/create/lumen-2-pro");
    for (const path of ["/create/lumen-2-pro", "/history", "/playground", "/spend", "/settings"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      await expect(page.locator("#first-paint")).toHaveCount(0);
      await axe(page, { always: true });
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
      await axe(page, { always: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test("a picture is made by keyboard alone", { tag: "@long-accessibility" }, async ({ page }) => {
    await page.goto("/");
    const press = page.getByRole("button", { name: "Open sandbox" });
    await press.focus();
    await page.keyboard.press("Enter");
    const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
    await expect(prompt).toBeVisible();
    await prompt.focus();
    await page.keyboard.type("A stone bridge in falling snow");
    await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText("$0.035");
    await expect(page.getByRole("button", { name: "Run", exact: true })).not.toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("button", { name: "Download" })).toBeVisible();
  });

  test("a phone sees the result after Run, with the form one tap away", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openModel(page, "lumen-2-fast");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A row of bicycles");
    const button = page.getByRole("button", { name: "Run", exact: true });
    await expect(button).not.toHaveAttribute("aria-disabled", "true");
    await button.click();
    await expect(page.getByRole("img", { name: /A row of bicycles/ })).toBeVisible();
    await axe(page, { always: true });
    await page.getByRole("radio", { name: "Inputs" }).check();
    await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("A row of bicycles");
  });
});
