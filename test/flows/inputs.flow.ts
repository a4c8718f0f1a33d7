import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openModel, run } from "./steps.ts";

/** Paints a picture in the page and drops it there, as a person drops a file from another window. */
async function dropPicture(
  page: Page,
  { name, type, width = 640, height = 480 }: { name: string; type: string; width?: number; height?: number },
) {
  const data = await page.evaluateHandle(
    async ([type, name, width, height]) => {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext("2d");
      if (context) {
        context.fillStyle = "teal";
        context.fillRect(0, 0, width / 2, height);
      }
      const blob = await canvas.convertToBlob({ type });
      const transfer = new DataTransfer();
      transfer.items.add(new File([blob], name, { type: blob.type }));
      return transfer;
    },
    [type, name, width, height] as const,
  );
  await page.dispatchEvent("main", "dragover", { dataTransfer: data });
  await expect(page.getByText("Drop to add as input")).toBeVisible();
  await page.dispatchEvent("main", "drop", { dataTransfer: data });
}

const stored = /\/sandbox\/storage\/inputs\//;

test.describe("inputs", () => {
  // Spec 4.1.
  test("a dropped png is uploaded, edited, and offered again afterwards", async ({ page }) => {
    await openModel(page, "grainfield-edit");
    await page.getByRole("textbox", { name: "Instruction" }).fill("Make the sea calm");
    await dropPicture(page, { name: "sea.png", type: "image/png" });
    await expect(page.getByRole("textbox", { name: "Image" })).toHaveValue(stored);
    await run(page);
    await expect(page.locator("section[aria-label=Result] img").first()).toBeVisible();

    await page.getByRole("button", { name: "Clear Image" }).click();
    await page.getByRole("button", { name: "From library" }).first().click();
    const dialog = page.getByRole("dialog", { name: "From library: Image" });
    await dialog.getByRole("radio", { name: "Uploads" }).check();
    await axe(page);
    await dialog.getByRole("button", { name: "sea.png" }).click();
    await expect(page.getByRole("textbox", { name: "Image" })).toHaveValue(stored);
  });

  // Spec 4.1, spec 8: a cache serves what was deleted for some minutes more.
  test("an input deleted with its job cannot be run again, and is not shown", { tag: "@slow" }, async ({ page }) => {
    await openModel(page, "grainfield-edit");
    await page.getByRole("textbox", { name: "Instruction" }).fill("Make the sea calm");
    await dropPicture(page, { name: "sea.png", type: "image/png" });
    const image = page.getByRole("textbox", { name: "Image" });
    await expect(image).toHaveValue(stored);
    const address = await image.inputValue();
    await run(page);
    await expect(page.locator("section[aria-label=Result] img").first()).toBeVisible();
    await page.getByRole("link", { name: "Open job" }).click();
    await expect(page.locator("main img").first()).toBeVisible();
    await page.getByRole("button", { name: "Delete files" }).click();
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await expect(page.getByText(/^You deleted these files on \w+ \d+, \d{4}/)).toBeVisible();
    await expect(page.getByText(/more days/)).toHaveCount(0);
    await expect(page.getByRole("alertdialog")).toHaveCount(0);

    const asked: string[] = [];
    page.on("request", (request) => {
      if (decodeURIComponent(request.url()).includes("/storage/")) asked.push(request.url());
    });
    await page.reload();
    await expect(page.getByText(/^You deleted these files/)).toBeVisible();
    await page.getByRole("link", { name: "Edit and run again" }).click();
    const words = page.getByText("This file was deleted. Choose another file.");
    await expect(words).toBeVisible();
    await expect(image).toHaveValue(address);
    await axe(page);
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && /\/requests(\/estimate)?$/.test(request.url())) sent += 1;
    });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(image).toBeFocused();
    await page.goto("/history");
    await expect(page.getByRole("grid", { name: "Jobs" }).getByText("Files deleted", { exact: true })).toBeVisible();
    expect(sent).toBe(0);
    expect(asked).toEqual([]);

    // The same file again goes up anew, and runs.
    await page.goto("/create/grainfield-edit");
    await expect(words).toBeVisible();
    await page.getByRole("button", { name: "Clear Image" }).click();
    await dropPicture(page, { name: "sea.png", type: "image/png" });
    await expect(image).toHaveValue(stored);
    expect(await image.inputValue()).not.toBe(address);
    await run(page);
    await expect(page.getByRole("link", { name: "Open job" })).toBeVisible();
  });

  test("an endless pattern is stopped and the field says it is unchecked", async ({ page }) => {
    await openModel(page, "atelier-fitting");
    const label = page.getByRole("textbox", { name: "Label" });
    await label.fill("not, words");
    await expect(page.getByText("Label doesn’t match the format that this model expects.")).toBeVisible();
    await label.fill(`${"a".repeat(60)}!`);
    // The pattern alone would hold the page for longer than this story may take.
    await label.press("End");
    await label.pressSequentially(" b");
    await expect(label).toHaveValue(/! b$/);
    await expect(page.getByText("Not checked here")).toBeVisible();
    await expect(page.getByText("Label does not have the form")).toBeHidden();
  });

  test("webp, heic, tiff, webm and flac are known by their bytes and converted in the page", {
    tag: "@long-stories",
  }, async ({ page }) => {
    await openModel(page, "grainfield-edit");
    await dropPicture(page, { name: "study.webp", type: "image/webp" });
    await expect(page.getByText(/^study\.webp converted to png, \d+ (bytes|kB)$/)).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Image" })).toHaveValue(/\.png$/);

    // What this browser does not know is decoded by what comes with the studio, under the page's own policy.
    for (const [name, message] of [
      ["study.heic", "study.heic converted to png, "],
      ["cmyk.tiff", "cmyk.tiff converted to png, its first page, "],
    ] as const) {
      await page.getByRole("button", { name: "Clear Image" }).click();
      await page
        .getByLabel("File for Image")
        .first()
        .setInputFiles(fileURLToPath(new URL(`../media/convert/pictures/${name}`, import.meta.url)));
      await expect(page.getByText(message)).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Image" })).toHaveValue(/\.png$/);
    }
    const shown = page.locator("img[src*='/storage/inputs/']").first();
    const size = () => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    await expect.poll(size).toEqual([12, 8]);

    await page.goto("/create/tidewater-frames");
    const buffer = (name: string) => readFile(new URL(`./recordings/${name}`, import.meta.url));
    const clip = { name: "clip.mov", mimeType: "video/quicktime", buffer: await buffer("clip.webm") };
    const tone = { name: "tone.mp3", mimeType: "audio/mpeg", buffer: await buffer("tone.flac") };
    await page.getByLabel("File for First clip").setInputFiles(clip);
    await page.getByLabel("File for Driving audio").setInputFiles(tone);
    await expect(page.getByText(/^clip\.mov converted to mp4, \d+ (bytes|kB)$/)).toBeVisible();
    await expect(page.getByText(/^tone\.mp3 converted to wav, \d+ (bytes|kB)$/)).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Video to extend" })).toHaveValue(/\.mp4$/);
    await expect(page.getByRole("textbox", { name: "Driving audio" })).toHaveValue(/\.wav$/);
  });

  test("a picture of another shape is uploaded at once, and can be cropped by keyboard", {
    tag: "@long-stories",
  }, async ({ page }) => {
    await openModel(page, "lumen-2-pro");
    await page
      .getByRole("radio", { name: /1:1|1024x1024/ })
      .first()
      .check();
    await dropPicture(page, { name: "wide.png", type: "image/png", width: 900, height: 300 });
    const image = page.getByRole("textbox", { name: "Reference images" });
    await expect(image).toHaveValue(stored);
    const whole = await image.inputValue();
    const crop = page.getByRole("button", { name: /^Crop to/ });
    await expect(crop).toHaveAccessibleDescription(/is 900 × 300, but the result is 1:1/);
    await crop.click();
    const dialog = page.getByRole("dialog", { name: /^Crop to/ });
    await dialog.getByRole("button", { name: "Crop area" }).press("Shift+ArrowLeft");
    await expect(dialog.getByText("900 × 300 becomes 300 × 300")).toBeVisible();
    await axe(page);
    await dialog.getByRole("button", { name: "Crop", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/ cropped\.png$/).first()).toBeVisible();
    await expect(page.getByRole("button", { name: /^Crop to/ })).toBeHidden();
    await expect(image).toHaveValue(stored);
    expect(await image.inputValue()).not.toBe(whole);
  });

  test("values move to another model, Undo reverts it, a reload keeps them", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openModel(page, "lumen-2");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp at dusk");
    await page.getByRole("button", { name: /^Model: lumen-2/ }).click();
    // The list is read when the picker opens.
    await expect(page.getByRole("button", { name: /^lumen-2/ }).last()).toBeVisible();
    // Typed key by key: what moves right after a key press is what the person asked for.
    await page.getByRole("searchbox", { name: "Search models" }).pressSequentially("halide-turbo");
    await expect(page.getByRole("button", { name: /^halide-turbo/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^Copied: Prompt/)).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Undo" }).click();
    const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
    await expect(prompt).toHaveValue("");
    await prompt.fill("Typed in the last moment");
    await page.reload();
    await expect(prompt).toHaveValue("Typed in the last moment");
  });
});
