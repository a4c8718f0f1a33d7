import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { ONE_PIXEL, openModel, openSandbox, run } from "./steps.ts";

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const sources = (page: Page) => page.getByRole("region", { name: "Run sources" });
const row = (page: Page, text: RegExp) => page.getByRole("row", { name: text }).first();

/** A dialog's code is loaded when it is opened, so it is looked at once it has come. */
async function axeOfDialog(page: Page, name: string | RegExp): Promise<void> {
  await expect(dialog(page, name)).toBeVisible();
  await axe(page);
}

/** A batch of one prompt and one model, from its form. */
async function batchOf(page: Page, model: string, prompt: string): Promise<void> {
  await openModel(page, model);
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(prompt);
  await page.getByRole("button", { name: "Batch", exact: true }).click();
  await expect(sources(page)).toBeVisible();
}

async function source(page: Page, name: string): Promise<void> {
  await expect(sources(page)).toBeVisible();
  const button = sources(page).getByRole("button", { name, exact: true }).and(page.locator(":visible"));
  const menu = sources(page)
    .getByRole("button", { name: /^(More sources|Add runs)$/ })
    .and(page.locator(":visible"));
  await expect(button.or(menu).first()).toBeVisible();
  if (await button.isVisible()) return button.click();
  await menu.click();
  await page.getByRole("menuitem", { name }).click();
}

test.describe("parameters of two models", () => {
  // A model that is added makes rows and a line of the total once its parameters have come: on a slow machine that is later
  // than the browser counts as the person's own doing.
  test.use({ watchesLayout: false });

  test("are made by keyboard alone: a prompt, sizes and a second model, each with its dialog", {
    tag: "@long-stories",
  }, async ({ page }) => {
    await batchOf(page, "lumen-2", "A lamp");
    const prompt = sources(page).getByRole("button", { name: "Prompt × 1" });
    await prompt.focus();
    await page.keyboard.press("Enter");
    await dialog(page, "Prompt").getByRole("textbox", { name: "Prompt", exact: true }).focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" {at dusk|at noon}");
    await expect(dialog(page, "Prompt").getByText("2 prompts")).toBeVisible();
    await axe(page);
    await page.keyboard.press("Escape");
    await expect(sources(page).getByRole("button", { name: /^Prompt × 2/ })).toBeFocused();
    await expect(row(page, /A lamp at noon/)).toBeVisible();

    await sources(page).getByRole("button", { name: "Add parameter" }).press("Enter");
    await axeOfDialog(page, "Add parameter");
    await page.keyboard.type("size");
    await page.keyboard.press("Enter");
    await dialog(page, "Size").getByRole("checkbox", { name: "All" }).press("Space");
    await expect(dialog(page, "Size").getByText("2 × 5 = 10 runs")).toBeVisible();
    await axe(page);
    await page.keyboard.press("Escape");

    await sources(page).getByRole("button", { name: "lumen-2", exact: true }).press("Enter");
    await axeOfDialog(page, "Models");
    await dialog(page, "Models").getByRole("button", { name: "Add model" }).press("Enter");
    await page.keyboard.type("lumen-2-fast");
    await expect(dialog(page, "Choose models").getByText("1 of 19 models")).toBeVisible();
    await page.keyboard.press("Enter");
    await axe(page);
    await page.keyboard.press("Escape");
    await dialog(page, "Models").getByRole("button", { name: "Settings of lumen-2-fast" }).press("Enter");
    await expect(dialog(page, /^lumen-2-fast settings/).getByText(/^Varied in this batch/)).toBeVisible();
    await axe(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(sources(page).getByRole("button", { name: "Model × 2" })).toBeVisible();
    await sources(page)
      .getByRole("button", { name: /^Every combination/ })
      .press("Enter");
    await axeOfDialog(page, "Combine");
  });
});

test("a CSV becomes rows, and a wrong cell is named before", { tag: "@long-stories" }, async ({ page }) => {
  await batchOf(page, "lumen-2", "A lamp");
  await source(page, "From CSV");
  await axeOfDialog(page, "From CSV");
  const csv = "prompt,model,size,seed,note\nA quay,lumen-2,768x768,7,x\nA crane,lumen-2,1024x1024,41 27,y\n";
  await page
    .getByLabel("CSV file to read")
    .setInputFiles({ name: "shots.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(dialog(page, "shots.csv").getByText("2 runs, 1 needs attention")).toBeVisible();
  await axe(page);
  await dialog(page, "shots.csv").getByRole("button", { name: "Add 2 runs" }).click();
  await expect(row(page, /A quay/)).toBeVisible();
});

test("images and an earlier job become rows of a batch", { tag: "@long-stories" }, async ({ page }) => {
  await openModel(page, "lumen-2-fast");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A tram");
  await run(page);
  await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp");
  await page.getByRole("button", { name: "Batch", exact: true }).click();

  await source(page, "From images");
  await dialog(page, "From images").getByRole("button", { name: "lumen-2-fast" }).click();
  await page.keyboard.type("grainfield-edit");
  await expect(page.getByText("1 of 19 models")).toBeVisible();
  await page.keyboard.press("Enter");
  const png = { mimeType: "image/png", buffer: ONE_PIXEL };
  await page.getByLabel("Files for Images").setInputFiles([
    { name: "a.png", ...png },
    { name: "b.png", ...png },
  ]);
  await dialog(page, "From images").getByRole("textbox", { name: "Prompts" }).fill("Make the sea calm");
  const add = dialog(page, "From images").getByRole("button", { name: "Add 2 runs" });
  await expect(add).not.toHaveAttribute("aria-disabled", "true");
  await axe(page);
  await add.click();
  await expect(row(page, /Make the sea calm/)).toBeVisible();

  await source(page, "From History");
  await dialog(page, "From History")
    .getByRole("button", { name: /A tram/ })
    .click();
  await axe(page);
  await dialog(page, "From History").getByRole("button", { name: "Add 1 run" }).click();
  await expect(row(page, /A tram/)).toBeVisible();
});

test("a template travels as a link, and is opened once", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await batchOf(page, "lumen-2", "A {red|blue} lamp");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Save as template" }).click();
  const save = dialog(page, "Save as template");
  await expect(save.getByRole("button", { name: "Save", exact: true })).not.toHaveAttribute("aria-disabled", "true");
  await axe(page);
  await save.getByRole("button", { name: "Save", exact: true }).click();
  await source(page, "Templates");
  await axeOfDialog(page, "Templates");
  await dialog(page, "Templates")
    .getByRole("button", { name: /^Copy link to/ })
    .click();
  await expect(page.getByText("Link copied")).toBeVisible();
  const box = dialog(page, "Templates").getByRole("textbox", { name: "Or paste a link" });
  await box.press("ControlOrMeta+V");
  await expect(box).toHaveValue(/\/batch\?recipe=/);
  const link = await box.inputValue();
  await page.goto(link);
  const open = dialog(page, /^Open A \{red\|blue\} lamp/);
  await expect(open.getByRole("button", { name: "Open", exact: true })).not.toHaveAttribute("aria-disabled", "true");
  await axe(page);
  await open.getByRole("button", { name: "Open", exact: true }).click();
  await expect(row(page, /A blue lamp/)).toBeVisible();
  await expect(page).toHaveURL(/\/batch\/[^?]+$/);
  await page.goto("/batch?recipe=znonsense");
  await expect(dialog(page, "Template not opened")).toBeVisible();
  await axe(page);
});

test("jobs that are chosen in History are added to a batch", { tag: "@long-stories" }, async ({ page }) => {
  await openModel(page, "lumen-2-fast");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A tram");
  await run(page);
  await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "History" }).click();
  await page.getByRole("checkbox", { name: /^Select A tram/ }).check();
  await page.getByRole("button", { name: "Add to batch" }).click();
  await axeOfDialog(page, "Add 1 job to batch");
  await dialog(page, "Add 1 job to batch").getByRole("button", { name: "Add 1 run" }).click();
  await expect(row(page, /A tram/)).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the start and the dialogs fill the window, and nothing is too small to press", {
    tag: "@long-accessibility",
  }, async ({ page }) => {
    await openSandbox(page, "/batch");
    await expect(page.getByRole("button", { name: "Choose models" })).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Choose models" }).tap();
    await axeOfDialog(page, "Choose models");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Templates" }).tap();
    await axeOfDialog(page, "Templates");
  });
});
