import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { ALL_FORMATS, BlobSource, Input } from "mediabunny";
import { axe, expect, test } from "./fixtures.ts";
import { openSandbox, paste } from "./steps.ts";

/** Frames and packets of clips, with the browser's own decoders: jsdom has none. */

/** A batch of one model with a row for each line. */
async function startBatch(page: Page, model: string, prompts: readonly string[]): Promise<void> {
  await openSandbox(page, "/batch");
  await page.getByRole("button", { name: "Choose models" }).click();
  const catalogue = page.getByRole("dialog", { name: "Choose models" });
  await catalogue.getByRole("searchbox", { name: "Search models" }).fill(model);
  await expect(catalogue.getByText(/^\d+ of \d+ models$/)).toBeVisible();
  await page.keyboard.press("Enter");
  await catalogue.getByRole("button", { name: /^Use / }).click();
  await paste(page, page.getByRole("textbox", { name: "Prompts" }), prompts.join("\n"));
  await page.getByRole("button", { name: /^Add \d+ runs?$/ }).click();
  await expect(page).toHaveURL(/\/batch\/[0-9a-f]{32}/);
}

/** Runs what is ready, and waits until each of it is done. */
async function runAll(page: Page, count: number): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^Run ${count}\\b`) }).click();
  await page.getByRole("radio", { name: "Sheet" }).check();
  await expect(page.getByRole("gridcell", { name: /Done/ })).toHaveCount(count);
}

/** Selects all results of the sheet, and opens one of the dialogs for them. */
async function openDialog(page: Page, act: string, title: RegExp) {
  await page.getByRole("gridcell").first().focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.getByRole("toolbar", { name: "Selected results" }).getByRole("button", { name: act }).click();
  const dialog = page.getByRole("dialog", { name: title });
  // Its code is loaded when it is opened.
  await expect(dialog).toBeVisible();
  return dialog;
}

async function chooseModel(page: Page, id: string): Promise<void> {
  const box = page.getByRole("combobox", { name: "Model" });
  await expect(page.getByText("Loading models…")).toHaveCount(0);
  await box.fill(id);
  await page.getByRole("option", { name: new RegExp(`^${id}`) }).click();
}

test("two clips go on from their last frames, and are joined into one file", { tag: "@long-stories" }, async ({
  page,
}) => {
  await startBatch(page, "halide-video", ["Waves roll in", "Boats leave the harbour"]);
  await runAll(page, 2);

  const join = await openDialog(page, "Join videos", /^Join 2 videos$/);
  await axe(page);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    join.getByRole("button", { name: "Join and download" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/ joined\.mp4$/);
  // Alike, so copied: nothing is said of a loss.
  await expect(join.getByRole("status").filter({ hasText: "Saved as" })).toContainText(/0:10, [\d.]+ [kM]B\.$/);
  const joined = new Input({
    source: new BlobSource(new Blob([await readFile(await file.path())])),
    formats: ALL_FORMATS,
  });
  const video = await joined.getPrimaryVideoTrack();
  expect(await video?.getCodec()).toBe("avc");
  expect(await video?.computeDuration()).toBeCloseTo(10, 1);
  await page.keyboard.press("Escape");

  const step = await openDialog(page, "Next step", /^Next step for 2 results$/);
  await expect(step.getByRole("radio", { name: "Continue from last frame" })).toBeChecked();
  await chooseModel(page, "tidewater-frames");
  await expect(step.getByText(/^2 runs, \$\d/)).toBeVisible();
  await axe(page);
  await step.getByRole("button", { name: "Add step" }).click();
  await expect(step).toBeHidden();
  // Back at the table, with two more rows that nobody has agreed to.
  await expect(page.getByText("Step 2: Continue from last frame").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Run 2\b/ })).toContainText(/\$\d/);
});

test("stills become clips: the price of the next step is there before it is added", { tag: "@long-stories" }, async ({
  page,
}) => {
  await startBatch(page, "lumen-2", ["A lighthouse", "A harbour town"]);
  await runAll(page, 2);
  const step = await openDialog(page, "Animate", /^Next step for 2 results$/);
  await chooseModel(page, "tidewater-frames");
  const total = step.getByText(/^2 runs, \$\d/);
  const words = (await total.textContent()) ?? "";
  await step.getByRole("button", { name: "Add step" }).click();
  await expect(page.getByText("Step 2: Animate").first()).toBeVisible();
  const price = /\$[\d.]+/.exec(words)?.[0] ?? "";
  await expect(page.getByRole("button", { name: /^Run 2\b/ })).toContainText(price);
});
