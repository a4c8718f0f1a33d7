import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { openModel, openSandbox, submitJob } from "./steps.ts";

/** More presses than any screen has stops before what is looked for. */
const MAX_STOPS = 90;

/** Presses Tab until the locator has the focus. Every stop on the way must be seen, with nothing over it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
    expect(await page.evaluate(hiddenFocus), "what has the focus is hidden").toBeUndefined();
  }
  throw new Error(`Not reached with ${MAX_STOPS} presses of Tab: ${target}`);
}

/** Runs in the page: what has the focus, where it cannot be seen. */
function hiddenFocus(): string | undefined {
  const element = document.activeElement;
  if (!element || element === document.body || element.matches("[role=grid], [role=dialog]")) return undefined;
  const box = element.getBoundingClientRect();
  const name = `${element.tagName} ${(element.getAttribute("aria-label") ?? element.textContent ?? "").slice(0, 40)}`;
  if (box.width === 0 || box.bottom <= 0 || box.top >= innerHeight) return `${name} is out of sight`;
  const x = Math.min(Math.max(box.left + box.width / 2, 1), innerWidth - 1);
  const y = Math.min(Math.max(box.top + Math.min(box.height / 2, 20), 1), innerHeight - 1);
  const hit = document.elementFromPoint(x, y);
  if (hit && (element.contains(hit) || hit.contains(element) || hit.closest("label"))) return undefined;
  return `${name} lies under ${hit?.tagName}`;
}

/** Presses a button or link by the keyboard alone. */
async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

test.describe("by keyboard alone", () => {
  test.use({ searchesHeap: false });

  test("Connect: every control is reached, and the sandbox opens", { tag: "@long-accessibility" }, async ({ page }) => {
    await page.goto("/connect");
    await tabTo(page, page.getByRole("textbox", { name: /Paste a URL/ }));
    await page.keyboard.type("https://api.example.com/api/v1/queue");
    await tabTo(page, page.getByRole("button", { name: "Connect", exact: true }));
    await press(page, page.getByRole("button", { name: "Open sandbox" }));
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
  });

  test("Create: a model is chosen, a picture made and downloaded", { tag: "@slow" }, async ({ page }) => {
    // Once the form is there: until then another card stands in its place.
    await openModel(page, "lumen-2-pro");
    await press(page, page.getByRole("button", { name: /^Model|lumen-2-pro/ }).first());
    await expect(page.getByRole("searchbox", { name: "Search models" })).toBeFocused();
    await page.keyboard.type("lumen-2-fast");
    await expect(page.getByRole("dialog").getByRole("button", { name: /^lumen-2-fast/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/lumen-2-fast/);
    await tabTo(page, page.getByRole("textbox", { name: "Prompt", exact: true }));
    await page.keyboard.type("A stone bridge in falling snow");
    const run = page.getByRole("button", { name: "Run", exact: true });
    await expect(run).toContainText(/\$\d/);
    await expect(run).not.toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("img", { name: /stone bridge/ }).first()).toBeVisible();
    await tabTo(page, page.getByRole("button", { name: "Download" }).first());
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect(file.suggestedFilename()).toMatch(/^lumen-2-fast.*\.png$/);
  });

  test("History: jobs are walked through, selected and opened", { tag: "@long-accessibility" }, async ({
    page,
    request,
  }) => {
    for (const prompt of ["A first boat", "A second boat"]) await submitJob(request, "lumen-2-fast", prompt);
    await openSandbox(page, "/history");
    const grid = page.getByRole("grid", { name: "Jobs" });
    await tabTo(page, grid);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await expect(page.getByText("1 selected")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText("1 selected")).toBeHidden();
    await expect(grid).toBeFocused();
    await page.keyboard.press("Enter");
    const viewer = page.getByRole("dialog");
    await expect(viewer).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("i");
    await expect(viewer.getByRole("textbox", { name: "Note" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(viewer).toBeHidden();
    await expect(grid).toBeFocused();
  });

  test("a job: its files are deleted, and the focus stays on the screen", { tag: "@long-accessibility" }, async ({
    page,
    request,
  }) => {
    const id = await submitJob(request, "lumen-2-fast", "A paper boat");
    await openSandbox(page, `/jobs/${id}`);
    const opener = page.getByRole("button", { name: "Delete files" });
    await press(page, opener);
    const dialog = page.getByRole("alertdialog");
    await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
    await page.keyboard.press("Enter");
    await press(page, dialog.getByRole("button", { name: /^Delete/ }));
    await expect(dialog).toBeHidden();
    await expect(opener).toBeHidden();
    await expect(page.locator("body:focus")).toHaveCount(0);
    await expect(page.locator("main :focus")).toHaveCount(1);
  });

  test("Playground: a message is sent, and its answer copied", { tag: "@long-accessibility" }, async ({ page }) => {
    await openSandbox(page, "/playground");
    const message = page.getByRole("textbox", { name: /^Message/ });
    await tabTo(page, message);
    await page.keyboard.type("Two words, please. tps:500");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^[\d,]+ tokens$/)).toBeVisible();
    await expect(message).toBeFocused();
    for (let stop = 0; stop < 14; stop += 1) await page.keyboard.press("Shift+Tab");
    await tabTo(page, page.getByRole("button", { name: "Regenerate" }));
  });

  test("Spend: another range and a limit are set", { tag: "@long-accessibility" }, async ({ page }) => {
    await openSandbox(page, "/spend");
    await tabTo(page, page.getByRole("radio", { name: "30 days" }));
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("radio", { name: "7 days" })).toBeChecked();
    const limit = page.getByRole("region", { name: "Limits" }).or(page.getByRole("main")).getByRole("textbox").first();
    await tabTo(page, limit);
    await page.keyboard.type("0.5");
    await press(page, page.getByRole("button", { name: /^Save/ }).first());
    await expect(limit).toHaveValue(/^0\.50?$/);
  });

  test("Settings: the theme is changed, and a dialog gives the focus back", { tag: "@long-accessibility" }, async ({
    page,
  }) => {
    await openSandbox(page, "/settings");
    await tabTo(page, page.getByRole("radiogroup", { name: "Theme" }).getByRole("radio", { checked: true }));
    await page.keyboard.press("ArrowRight");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    const opener = page
      .getByRole("main")
      .getByRole("button", { name: /Leave sandbox|Disconnect/ })
      .first();
    await press(page, opener);
    await expect(page.getByRole("alertdialog").or(page.getByRole("dialog"))).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
  });
});
