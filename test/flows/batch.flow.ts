import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { download, openSandbox, pngSize } from "./steps.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Run settings" });
const dialog = (page: Page) => page.getByRole("dialog");

/** Requests for estimates, and submits, from now on. */
function countRequests(page: Page) {
  const counts = { estimates: 0, submits: 0 };
  page.on("request", (request) => {
    if (request.method() !== "POST") return;
    if (/apikey\/requests\/estimate$/.test(request.url())) counts.estimates += 1;
    if (/apikey\/requests$/.test(request.url())) counts.submits += 1;
  });
  return counts;
}

async function chooseModels(page: Page, names: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "Choose models" }).click();
  for (const name of names) {
    await dialog(page)
      .getByRole("list", { name: "Models", exact: true })
      .getByRole("button", { name: new RegExp(`^${name} Image`) })
      .click();
  }
  await dialog(page)
    .getByRole("button", { name: names.length === 1 ? "Use 1 model" : `Use ${names.length} models` })
    .click();
}

test("3 prompts in 3 sizes with 2 models: priced with 6 estimates, run, and exported as one sheet", {
  tag: "@slow",
}, async ({ page, host }) => {
  await openSandbox(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Batch" }).click();
  const counts = countRequests(page);
  await chooseModels(page, ["lumen-2", "lumen-2-fast"]);
  await page.getByRole("textbox", { name: "Prompts" }).fill("The {lighthouse|harbour town|observatory} at dusk");
  await page.getByRole("button", { name: "Add parameter" }).click();
  await dialog(page).getByRole("button", { name: /^Size/ }).click();
  for (const size of ["512x512", "768x768", "1024x1024"])
    await dialog(page).getByRole("checkbox", { name: size }).check();
  await axe(page, { always: true });
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Add 18 runs" })).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Add 18 runs" }).click();

  const run = panel(page).getByRole("button", { name: "Run 18 for $0.396" });
  await expect(run).toBeVisible();
  await expect(panel(page).getByText("Estimated prices. Confirmed before the run.")).toBeVisible();
  expect(counts).toEqual({ estimates: 6, submits: 0 });
  await axe(page);

  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(panel(page).getByText("18 runs, $0.396 charged")).toBeVisible();
  const filters = page.getByRole("navigation", { name: "Runs by status" });
  await expect(filters.getByRole("link", { name: "Done 18" })).toBeVisible();
  expect(counts.submits).toBe(18);
  const { entries } = (await (await fetch(`${host.url}/sandbox/settings/charges`)).json()) as {
    entries: { kind: string; amountMicroUsd: number }[];
  };
  expect(entries.map(({ kind }) => kind)).toEqual(Array.from({ length: 18 }, () => "charge"));
  expect(entries.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0)).toBe(396_000);
  await axe(page);

  await page.getByRole("radio", { name: "Sheet" }).check();
  await expect(page.getByRole("columnheader", { name: /^lumen-2-fast/ })).toBeVisible();
  await axe(page);
  const { name, bytes } = await download(page, async () => {
    await page.getByRole("button", { name: "Export sheet" }).click();
    await page.getByRole("menuitem", { name: "Export as image" }).click();
  });
  expect(name).toMatch(/\.png$/);
  const { width, height } = pngSize(bytes);
  expect(width).toBeGreaterThan(600);
  expect(height).toBeGreaterThan(600);
});

test("a table is edited by keys: one cell, all like it, a wrong value, duplicate, remove and undo", {
  tag: "@long-stories",
}, async ({ page }) => {
  await openSandbox(page, "/batch");
  await chooseModels(page, ["lumen-2"]);
  await page.getByRole("textbox", { name: "Prompts" }).fill("A red boat\nA blue boat");
  await page.getByRole("button", { name: "Add parameter" }).click();
  await dialog(page)
    .getByRole("button", { name: /^Images/ })
    .click();
  await dialog(page).getByRole("textbox").first().fill("1, 2");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Add 4 runs" }).click();
  const run = (name: string) => panel(page).getByRole("button", { name });
  await expect(run("Run 4 for $0.21")).toBeVisible();

  const grid = page.getByRole("grid", { name: "Runs" });
  const rows = grid.getByRole("row").filter({ hasText: "boat" });
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  for (let column = 0; column < 3; column += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const editor = page.getByRole("textbox", { name: "Prompt of this run" });
  await editor.fill("A green boat");
  await expect(grid.getByText("all 2 like it")).toBeVisible();
  await axe(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(rows.filter({ hasText: "green" })).toHaveCount(2);

  // A value that cannot be read stays, is named, and is not run.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("1 2");
  await page.keyboard.press("Enter");
  await expect(rows.first()).toContainText("Needs attention");
  await expect(run("Run 3 for $0.175")).toBeVisible();
  await axe(page);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Images of this run" }).fill("1");
  await page.keyboard.press("Enter");
  await expect(run("Run 4 for $0.21")).toBeVisible();

  await page.keyboard.press("ControlOrMeta+D");
  await expect(run("Run 5 for $0.245")).toBeVisible();
  await page.keyboard.press("Delete");
  await expect(run("Run 4 for $0.21")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(run("Run 5 for $0.245")).toBeVisible();
  await page.reload();
  await expect(run("Run 5 for $0.245")).toBeVisible();
});
