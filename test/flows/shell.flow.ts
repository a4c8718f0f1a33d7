import { axe, expect, test } from "./fixtures.ts";
import { openModel, openSandbox } from "./steps.ts";

test.describe("the shell", () => {
  for (const [name, path] of [
    ["Create", "/create/lumen-2-pro"],
    ["History", "/history"],
    ["Playground", "/playground"],
    ["Spend", "/spend"],
    ["Settings", "/settings"],
  ] as const) {
    test(`${name} has no accessibility violation, wide and at 390 px`, async ({ page }) => {
      await openSandbox(page, path);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      await axe(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
      await axe(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }

  test("a picture is made by keyboard alone", async ({ page }) => {
    await page.goto("/");
    const press = page.getByRole("button", { name: "Open the sandbox" });
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
    await axe(page);
    await page.getByRole("radio", { name: "Inputs" }).check();
    await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("A row of bicycles");
  });
});
