import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { ONE_PIXEL, openModel, run } from "./steps.ts";

const stored = /\/sandbox\/storage\/inputs\//;
const sea = { name: "sea.png", mimeType: "image/png", buffer: ONE_PIXEL };

/** Holds every file on its way to the storage until the function that is given is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/storage/**", async (route) => {
    if (route.request().method() === "PUT") await released;
    await route.continue().catch(() => {});
  });
  return release;
}

const queue = (page: Page) => page.getByRole("region", { name: "Queue" });
const go = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();

test("an upload goes on while Create is left, ends in its field, and a reload asks before it is lost", async ({
  page,
}) => {
  await openModel(page, "grainfield-edit");
  await page.getByRole("textbox", { name: "Instruction" }).fill("Make the sea calm");
  const release = await holdUploads(page);
  await page.getByLabel("File for Image", { exact: true }).setInputFiles(sea);
  await expect(page.getByText("Waiting for 1 upload…")).toBeVisible();
  const asked = page.waitForEvent("dialog").then((dialog) => dialog.accept());
  await page.reload();
  await asked;
  const lost = "The page was reloaded before sea.png was uploaded. Choose the file again.";
  await expect(page.getByRole("group", { name: "Image", exact: true }).getByText(lost)).toBeVisible();
  await expect(queue(page).getByRole("button", { name: /^sea\.png.*Upload failed/ })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Instruction" })).toHaveValue("Make the sea calm");
  await page.reload();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  await expect(page.getByText(lost)).toBeHidden();
  await page.getByLabel("File for Image", { exact: true }).setInputFiles(sea);
  await expect(page.getByText("Waiting for 1 upload…")).toBeVisible();
  await go(page, "History");
  await expect(queue(page).getByRole("button", { name: /^sea\.png/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeAttached();
  await axe(page);
  await go(page, "Create");
  await expect(page.getByRole("progressbar", { name: "Uploading sea.png" }).first()).toBeVisible();
  await go(page, "Spend");
  release();
  await go(page, "Create");
  await expect(page.getByRole("textbox", { name: "Image", exact: true })).toHaveValue(stored);
  await expect(page.getByRole("textbox", { name: "Instruction" })).toHaveValue("Make the sea calm");
  await expect(queue(page)).toBeHidden();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Image", exact: true })).toHaveValue(stored);
});

/** The addresses of the pictures in the list of elements, in order, as the payload has them. */
async function elementsOf(page: Page): Promise<(string | undefined)[]> {
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  const text = await page.getByRole("textbox", { name: "Settings as JSON" }).inputValue();
  await page.getByRole("button", { name: "Form", exact: true }).click();
  const { element_list = [] } = JSON.parse(text) as { element_list?: { image_url?: string }[] };
  return element_list.map(({ image_url }) => image_url);
}

test("an upload into an entry of a list ends in that entry, or the queue says that it is gone", {
  tag: "@long-stories",
}, async ({ page, faults }) => {
  // The price is asked before there is a prompt.
  faults.allow(/status of 400 .*estimate/);
  await openModel(page, "halide-omni");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A walk at noon");
  const add = page.getByRole("button", { name: "Add Element" });
  for (const name of ["Element 1", "Element 2", "Element 3"]) {
    await add.click();
    await expect(page.getByRole("group", { name, exact: true })).toBeVisible();
  }
  const entry = (name: string) => page.getByRole("group", { name, exact: true });
  const release = await holdUploads(page);
  await entry("Element 1")
    .getByLabel("File for Image")
    .setInputFiles({ ...sea, name: "gone.png" });
  await entry("Element 2").getByLabel("File for Image").setInputFiles(sea);
  await go(page, "History");
  await go(page, "Create");
  await expect(entry("Element 2").getByRole("progressbar", { name: "Uploading sea.png" })).toBeVisible();
  await page.getByRole("button", { name: "Remove Element 1" }).click();
  await expect(entry("Element 1").getByRole("progressbar", { name: "Uploading sea.png" })).toBeVisible();
  await expect(entry("Element 2").getByRole("progressbar")).toBeHidden();
  await go(page, "History");
  release();
  await expect(queue(page).getByRole("button", { name: /^sea\.png.*Uploaded.*to Elements: Image/ })).toBeVisible();
  await expect(queue(page).getByRole("button", { name: /^gone\.png.*Uploaded.*Field no longer exists/ })).toBeVisible();
  await axe(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await queue(page).getByRole("button", { name: "Copy upload URL: gone.png" }).click();
  await go(page, "Create");
  const second = entry("Element 2").getByRole("textbox", { name: "Image" });
  await expect(entry("Element 1").getByRole("textbox", { name: "Image" })).toHaveValue(stored);
  await expect(second).toHaveValue("");
  expect(await elementsOf(page)).toEqual([expect.stringMatching(stored), ""]);
  // The second one has no picture: it would be sent without one.
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(entry("Element 2").getByText("Image is required.")).toBeVisible();
  await second.press("ControlOrMeta+V");
  await expect(second).toHaveValue(stored);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText(/\$\d/);
});

// M23
test("a reloaded batch says that it is paused, and resumes with what is left", async ({ page }) => {
  const submits: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && /apikey\/requests$/.test(request.url())) submits.push(request.url());
  });
  await openModel(page, "halide-turbo");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Rooftops at noon");
  await page.getByRole("button", { name: "Batch", exact: true }).click();
  await expect(page).toHaveURL(/\/batch\/./);
  await page.getByRole("button", { name: "Repeat × 4" }).click();
  for (let more = 4; more > 2; more -= 1) {
    await page.getByRole("button", { name: "Fewer: Run in parallel" }).click();
  }
  await axe(page);
  await page.getByRole("button", { name: /^Run 4 for/ }).click();
  await expect(queue(page).getByText("2 of 4 submitted").first()).toBeVisible();
  expect(submits).toHaveLength(2);
  await page.reload();
  await expect(queue(page).getByText("Paused")).toBeVisible();
  const resume = queue(page).getByRole("button", { name: /^Resume, \$/ });
  await expect(resume).toBeVisible();
  await queue(page)
    .getByRole("button", { name: /^Batch: Rooftops/ })
    .click();
  await expect(queue(page).getByText("Waiting", { exact: true })).toHaveCount(2);
  await axe(page);
  expect(submits).toHaveLength(2);
  await resume.click();
  await page.getByRole("radio", { name: "60×" }).check();
  await expect(queue(page).getByText("4 of 4 done").first()).toBeVisible();
  expect(submits).toHaveLength(4);
});

test("the rail folds by hand and by width, and a reload remembers it", { tag: "@long-stories" }, async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await openModel(page, "halide-turbo");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("stuck:hour A wave");
  await run(page);
  await expect(queue(page).getByRole("link", { name: /^stuck:hour A wave/ })).toBeVisible();
  const main = page.getByRole("main");
  expect((await main.boundingBox())?.x).toBe(60);
  await axe(page);
  await page.getByRole("button", { name: "Expand sidebar" }).click();
  await expect.poll(async () => (await main.boundingBox())?.x).toBe(232);
  await page.reload();
  await expect(page.getByRole("button", { name: "Collapse sidebar" })).toBeVisible();
  expect((await main.boundingBox())?.x).toBe(232);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the queue opens as a sheet, and gives the focus back", { tag: "@long-accessibility" }, async ({ page }) => {
    await openModel(page, "halide-turbo");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("stuck:hour A wave");
    await run(page);
    const button = page.getByRole("button", { name: /^Queue/ });
    await expect(button).toHaveText("Queue1");
    await button.click();
    const sheet = page.getByRole("dialog", { name: "Queue 1" });
    await expect(sheet.getByRole("link", { name: /^stuck:hour A wave/ })).toBeVisible();
    await expect(sheet.getByRole("button", { name: /when done$/ })).toBeVisible();
    await axe(page);
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();
    await expect(button).toBeFocused();
    await go(page, "History");
    await page.getByRole("button", { name: "1 in queue", exact: true }).click();
    await sheet.getByRole("link", { name: /^stuck:hour A wave/ }).click();
    await expect(page).toHaveURL(/\/jobs\//);
    await expect(sheet).toBeHidden();
  });

  test("a low window still shows the sheet whole", { tag: "@long-accessibility" }, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await openModel(page, "halide-turbo");
    await page.getByRole("button", { name: "Queue", exact: true }).click();
    const sheet = page.getByRole("dialog", { name: "Queue" });
    await expect(sheet.getByText("The queue is empty")).toBeVisible();
    await sheet.getByRole("button", { name: "Close" }).click();
    await expect(sheet).toBeHidden();
  });
});
