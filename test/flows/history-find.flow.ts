import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openModel, openSandbox, run } from "./steps.ts";

test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_HISTORY: "400" } });

const list = (page: Page) => page.getByRole("grid", { name: "Jobs" });
const media = /\/(media|files)\//;

/** What comes over the network for files, in bytes. */
async function countMedia(page: Page): Promise<() => number> {
  let bytes = 0;
  const names = new Map<string, string>();
  const tools = await page.context().newCDPSession(page);
  await tools.send("Network.enable");
  tools.on("Network.responseReceived", ({ requestId, response }) => names.set(requestId, response.url));
  tools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (media.test(names.get(requestId) ?? "")) bytes += encodedDataLength;
  });
  return () => bytes;
}

const pictures = (page: Page) =>
  list(page)
    .locator("img")
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);

test("failed jobs of two models since a day are found by pressing, and by keys alone", {
  tag: "@long-stories",
}, async ({ page }) => {
  await openSandbox(page, "/history");
  await expect(list(page).getByRole("link").first()).toBeVisible();
  await page.getByRole("button", { name: "Model", exact: true }).click();
  const models = page.getByRole("group", { name: "Model" });
  await expect(models.getByRole("checkbox").first()).toBeVisible();
  await axe(page);
  // The keyboard: the search of the models has the focus.
  await page.keyboard.type("lumen");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Space");
  await expect(models.getByRole("status")).toHaveText("2 chosen");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Model: lumen/ })).toBeFocused();
  await page.getByRole("button", { name: "Status", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: "Failed" })).toHaveAccessibleDescription(/^\d+\+?$/);
  await page.getByRole("checkbox", { name: "Failed" }).check();
  await axe(page);
  await page.keyboard.press("Escape");
  await page.getByRole("radio", { name: "30 days" }).check();
  await page.keyboard.press("/");
  const terms = page.getByRole("group", { name: "Add to search" });
  await expect(terms).toBeVisible();
  await axe(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("searchbox", { name: "Search jobs" })).toHaveValue("type:video ");
  await page.getByRole("searchbox", { name: "Search jobs" }).fill("a");
  await expect(page).toHaveURL(/q=a(&|$)/);
  await expect(page).toHaveURL(/model=lumen[^&]*(,|%2C)lumen/);
  await expect(page).toHaveURL(/status=failed/);
  await expect(page).toHaveURL(/after=\d{4}-\d\d-\d\d/);
  const lines = list(page).getByRole("gridcell");
  await expect(lines.first()).toContainText(/Failed.*Refunded/s);
  await expect(lines.first().getByRole("button", { name: /Edit and run again|Upload a copy/ })).toBeVisible();
  await axe(page);
  await page.reload();
  await expect(lines.first()).toContainText("Failed");
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(page).not.toHaveURL(/status|model|after/);
});

test("pictures are kept for a second visit, and nothing moves in jumps", { tag: "@long-stories" }, async ({ page }) => {
  test.slow();
  // Few tiles: the sandbox paints each picture first, which takes long beside other stories.
  await page.setViewportSize({ width: 800, height: 480 });
  await openSandbox(page, "/history?type=image&status=success");
  const bytes = await countMedia(page);
  await page.reload();
  const shown = () => pictures(page);
  // All of them: one that is still on its way at the reload is read from the network again, and rightly.
  await expect(list(page).getByRole("link").first()).toBeVisible();
  const isWaiting = async () => (await list(page).getByRole("link").count()) - (await shown());
  await expect.poll(isWaiting).toBe(0);
  const first = await shown();
  expect(first).toBeGreaterThan(3);
  // The pictures are written down a moment after they were made.
  const kept = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open("safelight");
          opening.onsuccess = () => {
            const database = opening.result;
            const count = database.transaction("thumbnails").objectStore("thumbnails").count();
            count.onsuccess = () => {
              database.close();
              resolve(count.result);
            };
          };
        }),
    );
  await expect.poll(kept).toBeGreaterThanOrEqual(first);
  const originals = bytes();
  expect(originals).toBeGreaterThan(1_000_000);
  await page.reload();
  await expect.poll(shown).toBeGreaterThanOrEqual(first);
  expect(bytes() - originals).toBeLessThan(originals / 10);
  // The layout shift of all this is looked at when the story ends.
  const scroller = page.locator("[data-history-scroller]");
  for (const part of [0.6, 0.1, 0.9, 0.3]) {
    await scroller.evaluate((node, at) => {
      node.scrollTop = (node.scrollHeight - node.clientHeight) * at;
    }, part);
    await expect(list(page).getByRole("link").first()).toBeVisible();
    await expect.poll(shown).toBeGreaterThan(3);
  }
});

test("the queue and the recent runs show the small picture that is kept, not the file", {
  tag: "@long-stories",
}, async ({ page }) => {
  await openModel(page, "lumen-2");
  await page.getByRole("textbox", { name: "Prompt" }).fill("A kept kite");
  await run(page);
  const queued = page.getByRole("region", { name: "Queue" }).locator("img");
  const recent = page.getByRole("button", { name: "A kept kite, Done" }).locator("img");
  for (const picture of [queued, recent]) {
    await expect(picture.first()).toHaveAttribute("src", /^blob:/);
    await expect.poll(() => picture.first().evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(440);
  }
});

test("files that expire this week are told, shown and dismissed", { tag: "@long-stories" }, async ({ page }) => {
  await openSandbox(page, "/history");
  await expect(list(page).getByRole("link").first()).toBeVisible();
  const banner = page.getByRole("region", { name: "Files that expire this week" });
  // It comes with a list, once the jobs are known: a list that was opened before that never has it.
  await expect(async () => {
    await page.reload();
    await expect(banner).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await axe(page);
  await page.getByRole("radio", { name: "Table" }).check();
  const [above, head] = [await banner.boundingBox(), await list(page).getByRole("columnheader").last().boundingBox()];
  expect((head?.y ?? 0) - (above?.y ?? 0) - (above?.height ?? 0)).toBeGreaterThanOrEqual(8);
  await page.getByRole("radio", { name: "Grid" }).check();
  await banner.getByRole("button", { name: /files? expires? this week$/ }).click();
  await expect(page.getByRole("searchbox", { name: "Search jobs" })).toHaveValue("expires<7");
  await expect(list(page).getByRole("link").first()).toBeVisible();
  await banner.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toHaveCount(0);
  await page.reload();
  await expect(list(page).getByRole("link").first()).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("filters are reached in one row, and their choices fit", { tag: "@long-accessibility" }, async ({ page }) => {
    await openSandbox(page, "/history");
    await expect(list(page).getByRole("link").first()).toBeVisible();
    await page.getByRole("button", { name: "Status", exact: true }).tap();
    const choices = page.getByRole("group", { name: "Status" });
    const box = await choices.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    await choices.getByRole("checkbox", { name: "Failed" }).check();
    await expect(page).toHaveURL(/status=failed/);
    await axe(page);
    await page.keyboard.press("Escape");
    await page.getByRole("radio", { name: "7 days" }).check();
    await expect(page).toHaveURL(/after=/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
