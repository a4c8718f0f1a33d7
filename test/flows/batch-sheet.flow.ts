import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { download, openSandbox } from "./steps.ts";

const panel = (page: Page) => page.getByRole("complementary", { name: "Run settings" });
const cells = (page: Page) => page.getByRole("grid", { name: "Results" }).getByRole("gridcell", { name: /Done/ });

/** Two prompts in two sizes, run, and their sheet. */
async function openSheet(page: Page): Promise<void> {
  // Headless, nobody answers the question where to save.
  await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
  await openSandbox(page, "/batch");
  await page.getByRole("button", { name: "From CSV" }).click();
  const csv = ["model,prompt,size"].concat(
    ["Lighthouse at dusk", "Harbour <b>town</b> at dusk"].flatMap((prompt) =>
      ["256x256", "512x512"].map((size) => `lumen-2-fast,${prompt},${size}`),
    ),
  );
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("CSV file to read")
    .setInputFiles({ name: "shots.csv", mimeType: "text/csv", buffer: Buffer.from(csv.join("\n")) });
  await dialog.getByRole("button", { name: "Add 4 runs" }).click();
  await panel(page).getByRole("button", { name: "Run 4 for $0.036" }).click();
  await expect(panel(page).getByText("4 runs, $0.036 charged")).toBeVisible();
  await page.getByRole("radio", { name: "Sheet" }).check();
  await expect(cells(page)).toHaveCount(4);
}

const exportAs = (page: Page, name: string) =>
  download(page, async () => {
    await page.getByRole("button", { name: "Export sheet" }).click();
    await page.getByRole("menuitem", { name }).click();
  });

/** The files of a zip whose entries are stored as they are, by the list at its end. */
function storedFiles(zip: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(zip.lastIndexOf("PK\x05\x06") + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [size, nameLength] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(zip.toString("utf8", at + 46, at + 46 + nameLength), zip.subarray(start, start + size));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

test("results are starred, rejected and selected by keys, and varied as new drafts", { tag: "@long-stories" }, async ({
  page,
}) => {
  await openSheet(page);
  await cells(page).first().focus();
  await page.keyboard.press("s");
  await expect(page.getByRole("radio", { name: "Starred 1" })).toBeEnabled();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("x");
  await expect(page.getByRole("radio", { name: "Rejected 1" })).toBeEnabled();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Space");
  await expect(page.getByRole("toolbar", { name: "Selected results" })).toContainText("1 selected");
  await axe(page);
  await page.getByRole("button", { name: "Create variations" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await axe(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Add \d+ runs?/ })
    .click();
  await page.getByRole("radio", { name: "Table" }).check();
  await expect(panel(page).getByRole("button", { name: /^Run \d+ for \$/ })).toBeVisible();
});

test("the zip holds each file with its hash, and the web page asks for nothing", { tag: "@long-stories" }, async ({
  page,
}) => {
  await openSheet(page);
  const files = storedFiles((await exportAs(page, "Download zip")).bytes);
  expect([...files.keys()]).toEqual(expect.arrayContaining(["prompts.csv", "manifest.json"]));
  const manifest = files.get("manifest.json")?.toString("utf8");
  const pictures = [...files].filter(([path]) => /\.(png|jpe?g)$/.test(path));
  expect(pictures).toHaveLength(4);
  for (const [, data] of pictures) expect(manifest).toContain(createHash("sha256").update(data).digest("hex"));
  const { name, bytes } = await exportAs(page, "Export as web page");
  expect(name).toMatch(/\.html$/);
  const html = bytes.toString("utf8");
  expect(html).not.toContain("<b>town</b>");
  expect(html).not.toMatch(/(src|href)="https?:/);
});
