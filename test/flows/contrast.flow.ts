import type { Locator, Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openModel, openSandbox, run, submitJob } from "./steps.ts";

const background = (target: Locator) => target.evaluate((element) => getComputedStyle(element).backgroundColor);

/** How a control is drawn: what differs between two states of it can be seen. */
const drawn = (target: Locator) =>
  target.evaluate((element) => {
    const { backgroundColor, borderColor, borderWidth, color, outline } = getComputedStyle(element);
    return [backgroundColor, borderColor, borderWidth, color, outline].join(" ");
  });

function label(page: Page, name: string): Locator {
  return page.locator("label").filter({ has: page.getByRole("radio", { name, exact: true }) });
}

test.describe("forced colours", () => {
  test.use({ contextOptions: { reducedMotion: "reduce", forcedColors: "active" }, searchesHeap: false });

  test("what is chosen, on, focused and the one act differ from the rest", { tag: "@long-accessibility" }, async ({
    page,
    request,
  }) => {
    await submitJob(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, "/create/lumen-2-pro");
    const [chosen, other] = [label(page, "1K"), label(page, "2K")];
    expect(await background(chosen)).not.toBe(await background(other));
    const run = page.getByRole("button", { name: "Run", exact: true });
    expect(await background(run)).not.toBe(await background(page.locator("body")));
    const current = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Create" });
    const elsewhere = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "History" });
    expect(await drawn(current)).not.toBe(await drawn(elsewhere));

    await page.goto("/history?view=table");
    const box = page.getByRole("checkbox", { name: "Select A paper boat" });
    const before = await drawn(box);
    await box.check();
    expect(await drawn(box)).not.toBe(before);

    await page.goto("/create/lumen-2-fast");
    const toggle = page.getByRole("switch", { name: "Add watermark" });
    const off = await drawn(toggle);
    await toggle.click();
    await expect(toggle).toBeChecked();
    expect(await drawn(toggle)).not.toBe(off);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(toggle).toBeFocused();
    expect(await toggle.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
  });

  test("in the queue the job that is shown differs from the others", { tag: "@long-accessibility" }, async ({
    page,
  }) => {
    await openModel(page, "halide-turbo");
    const row = (name: string) => page.getByRole("region", { name: "Queue" }).getByRole("link", { name });
    for (const name of ["stuck:hour A wave", "stuck:hour A reef"]) {
      await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(name);
      await run(page);
      await expect(row(name)).toHaveAttribute("aria-current", /page|true/);
    }
    await expect(row("A wave")).not.toHaveAttribute("aria-current");
    expect(await drawn(row("A reef"))).not.toBe(await drawn(row("A wave")));
    await axe(page);
  });

  test("no screen has an accessibility violation", { tag: "@long-accessibility" }, async ({ page, request }) => {
    await submitJob(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, "/create/lumen-2-pro");
    for (const path of ["/create/lumen-2-pro", "/history?view=table", "/playground", "/spend", "/settings"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
      await axe(page);
    }
  });
});

test.describe("more contrast", () => {
  test.use({ contextOptions: { reducedMotion: "reduce", contrast: "more" }, searchesHeap: false });

  test("texts have seven to one in both themes", { tag: "@long-accessibility" }, async ({ page }) => {
    await openSandbox(page, "/settings");
    await axe(page, { rules: ["color-contrast-enhanced"] });
  });
});
