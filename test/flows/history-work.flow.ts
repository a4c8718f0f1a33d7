import type { Page } from "@playwright/test";
import { filesIn, giveFolder } from "./chosen-folder.ts";
import { axe, expect, test } from "./fixtures.ts";
import { download, openSandbox, pngSize, run } from "./steps.ts";

test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_HISTORY: "400" } });

const list = (page: Page) => page.getByRole("grid", { name: "Jobs" });
const chosen = (page: Page) => page.getByRole("toolbar", { name: "Selected jobs" });

async function openHistory(page: Page, path: string): Promise<void> {
  await openSandbox(page, path);
  await expect(list(page).getByRole("link").first()).toBeVisible();
}

test.describe("working in the history", () => {
  test("the list has file-manager keys, does not shift, and restores its place", async ({ page }) => {
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((entries) => {
        for (const entry of entries.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput) (window as unknown as { shift: number }).shift += value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await openHistory(page, "/history?type=image");
    const pictures = list(page).locator("img");
    await expect(pictures.first()).toBeVisible();
    const width = () => pictures.first().evaluate((one) => (one as HTMLImageElement).naturalWidth);
    await expect.poll(width).toBeGreaterThan(0);
    const shift = await page.evaluate(() => (window as unknown as { shift: number }).shift);
    expect(shift).toBeLessThan(0.01);
    await list(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+End");
    await expect(chosen(page)).toContainText("selected");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+a");
    await expect(chosen(page)).toContainText(/\d{2,} selected/);
    await page.keyboard.press("Escape");
    await expect(chosen(page)).toHaveCount(0);
    await page.keyboard.press("End");
    const scroller = page.locator("[data-history-scroller]");
    const bottom = await scroller.evaluate((node) => node.scrollTop);
    expect(bottom).toBeGreaterThan(300);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Create" }).first().click();
    await page.goBack();
    await expect(list(page).getByRole("link").first()).toBeVisible();
    await expect.poll(() => scroller.evaluate((node) => node.scrollTop)).toBeGreaterThan(bottom - 200);

    await page.getByRole("radio", { name: "Table" }).check();
    await expect(page.getByRole("columnheader", { name: "Prompt" })).toBeVisible();
    await axe(page);
  });

  test("the index fills by itself, is searched, and survives a reload", async ({ page }) => {
    await openHistory(page, "/history");
    await expect(page.getByText(/^Search covers/)).toHaveCount(0);
    await expect(page.getByText("400 jobs", { exact: true })).toBeAttached();
    await page.getByRole("searchbox", { name: "Search jobs" }).fill("tram -snow status:success");
    await expect(list(page).getByRole("link").first()).toHaveAccessibleName(/tram/i);
    for (const link of await list(page).getByRole("link").all()) {
      await expect(link).toHaveAccessibleName(/tram(?!.*snow)/);
    }
    await axe(page);
    let lists = 0;
    page.on("request", (request) => {
      if (/\/apikey\/requests\?/.test(request.url())) lists += 1;
    });
    await page.reload();
    await expect(page.getByRole("searchbox", { name: "Search jobs" })).toHaveValue("tram -snow status:success");
    await expect(list(page).getByRole("link").first()).toHaveAccessibleName(/tram/i);
    // The newest page, and what came since.
    expect(lists).toBeLessThanOrEqual(3);
  });

  test("the viewer has zoom, details, a star, a filmstrip and keys", async ({ page }) => {
    await openHistory(page, "/history?type=image");
    await list(page).getByRole("link").first().click();
    const viewer = page.getByRole("dialog");
    await expect(viewer.getByRole("img").first()).toBeVisible();
    const address = page.url();
    expect(address).toContain("open=");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await expect(viewer.locator("[style*='scale(2.25)']")).toBeVisible();
    await page.keyboard.press("0");
    await expect(viewer.locator("[style*='scale(1)']")).toBeVisible();
    await page.keyboard.press("i");
    await expect(viewer.getByRole("complementary", { name: "Details" })).toBeVisible();
    await page.keyboard.press("s");
    await expect(viewer.getByRole("button", { name: "Star" })).toHaveAttribute("aria-pressed", "true");
    await axe(page, { always: true });
    await viewer.getByRole("button", { name: "Reuse" }).click();
    await page.getByRole("menuitem", { name: "Use as input" }).click();
    const asInput = page.getByRole("dialog", { name: /as input$/ });
    await expect(asInput.getByRole("status")).toHaveText(/^\d+ models?$/);
    await axe(page);
    await page.keyboard.press("Escape");
    await expect(asInput).toHaveCount(0);
    // The viewer has its keys back once the focus is back in it.
    await expect.poll(() => viewer.evaluate((node) => node.contains(document.activeElement))).toBe(true);
    // The keys work in full screen as well.
    const isFull = () => page.evaluate(() => document.fullscreenElement !== null);
    await page.keyboard.press("f");
    await expect.poll(isFull).toBe(true);
    await page.keyboard.press("ArrowRight");
    await expect(page).not.toHaveURL(address);
    await page.keyboard.press("f");
    await expect.poll(isFull).toBe(false);
    await page.keyboard.press("Escape");
    await expect(viewer).toHaveCount(0);
    await expect(list(page)).toBeFocused();
    await expect(page.getByRole("img", { name: "Starred" })).toBeVisible();
    await page.keyboard.press("Space");
    await chosen(page).getByRole("button", { name: "Add to collection" }).click();
    const collection = page.getByRole("textbox", { name: "Collection" });
    await axe(page);
    await collection.fill("Client");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Starred & tags" }).click();
    await axe(page);
    await page.getByRole("checkbox", { name: "client" }).focus();
    await page.keyboard.press("Space");
    await expect(list(page).getByRole("link")).toHaveCount(1);
  });

  test("a clip is stepped by frames, and a frame is saved", { tag: "@slow" }, async ({ page }) => {
    await openHistory(page, "/history?type=video&status=success");
    await list(page).getByRole("link").first().click();
    const clip = page.getByRole("dialog").locator("video").first();
    // The sandbox makes the clip first, which takes long beside other stories.
    test.slow();
    const widthOfClip = () => clip.evaluate((node: HTMLVideoElement) => node.videoWidth);
    await expect.poll(widthOfClip).toBeGreaterThan(0);
    await page.keyboard.press(".");
    await page.keyboard.press(".");
    await expect.poll(() => clip.evaluate((node: HTMLVideoElement) => node.currentTime)).toBeGreaterThan(0.08);
    const width = await clip.evaluate((node: HTMLVideoElement) => node.videoWidth);
    const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Save frame" }).click());
    expect(name).toMatch(/-frame\.png$/);
    expect(pngSize(bytes).width).toBe(width);
    // What the button says is so from the start.
    const loops = () => clip.evaluate((node: HTMLVideoElement) => node.loop);
    await expect(page.getByRole("button", { name: "Loop" })).toHaveAttribute("aria-pressed", "true");
    expect(await loops()).toBe(true);
    await page.getByRole("button", { name: "Loop" }).click();
    expect(await loops()).toBe(false);
    // Beside the next one: both move together.
    await page.keyboard.press("m");
    const clips = page.getByRole("dialog", { name: "Compare" }).locator("video");
    await expect(clips).toHaveCount(2);
    const moments = () => clips.evaluateAll((nodes) => nodes.map((node) => (node as HTMLVideoElement).currentTime));
    for (const at of [0, 1]) {
      const ready = () => clips.nth(at).evaluate((node: HTMLVideoElement) => node.readyState);
      await expect.poll(ready).toBeGreaterThan(1);
    }
    await page.keyboard.press("Space");
    await expect.poll(async () => Math.min(...(await moments()))).toBeGreaterThan(0.1);
    await page.keyboard.press("Space");
    const apart = (await moments()).reduce((one, other) => Math.abs(one - other));
    expect(apart).toBeLessThan(0.3);
  });

  test("files are saved to a zip or folder with their settings", { tag: "@slow" }, async ({ page, faults }) => {
    // The files of the oldest jobs are over their 60 days.
    faults.allow(/404/);
    // No test can operate the file picker. Without it the browser downloads.
    await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    await giveFolder(page);
    const dayBack = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    await openHistory(page, `/history?model=lumen-2&status=success&after=${dayBack(7)}`);
    await list(page).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowRight");
    const { name, bytes } = await download(page, () =>
      chosen(page).getByRole("button", { name: "Download zip" }).click(),
    );
    expect(name).toMatch(/^safelight-[\d-]+\.zip$/);
    expect(bytes.subarray(0, 4).toString("latin1")).toBe("PK\x03\x04");
    const text = bytes.toString("latin1");
    expect(text).toContain("manifest.json");
    expect(text.match(/iTXtSafelight/g)).toHaveLength(2);
    await expect(page.getByText(/^2 files saved as/)).toBeVisible();
    await page.keyboard.press("Escape");
    // Everything that matches.
    const fromMenu = async (name: string) => {
      await page.getByRole("button", { name: "Download and refresh" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    const all = await download(page, () => fromMenu("Download matching jobs"));
    await expect(page.getByText(/^([3-9]|\d\d+) files saved as/)).toBeVisible();
    expect(all.bytes.length).toBeGreaterThan(bytes.length);
    // Straight into a folder: the newest, and around the 60th day some that are over.
    await page.goto(`/history?type=image&status=success&after=${dayBack(61)}&before=${dayBack(59)}`);
    await expect(list(page).getByRole("link").first()).toBeVisible();
    await fromMenu("Save matching jobs to folder");
    const ended = page.getByText(/^\d+ files? saved to archive$/);
    await expect(ended).toBeVisible();
    await axe(page);
    const failed = page.getByText(/^\d+ files? couldn’t be downloaded/);
    const lost = Number(/\d+/.exec(await failed.innerText())?.[0]);
    const there = await filesIn(page);
    const textOf = (name: string) => there.find((file) => file.name === name)?.text ?? "";
    const listed: { file: string }[] = JSON.parse(textOf("manifest.json")).files;
    await expect(ended).toHaveText(`${listed.length} files saved to archive`);
    for (const { file } of listed) expect(there.find(({ name }) => name === file)?.size).toBeGreaterThan(1000);
    // On the very day one may be gone at the service and not yet by the device's clock.
    expect(textOf("errors.txt").match(/: (Expired|No longer there)/g)).toHaveLength(lost);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("0 files saved to archive")).toBeVisible();
  });

  test("finished jobs are saved into a chosen folder automatically", { tag: "@long-stories" }, async ({
    page,
    faults,
  }) => {
    // The files of the oldest jobs are over their 60 days.
    faults.allow(/404/);
    test.slow();
    await giveFolder(page);
    const files = () => filesIn(page);
    const make = async (prompt: string) => {
      await page.goto("/create/lumen-2-fast");
      await page.getByRole("textbox", { name: "Prompt", exact: true }).fill(prompt);
      await run(page);
    };
    await openSandbox(page, "/settings");
    await page.getByRole("textbox", { name: "File names" }).fill("{prompt:9}-{index}");
    await expect(page.getByLabel("Example")).toHaveText("A lightho-1.png");
    await page.getByRole("button", { name: "Choose folder" }).click();
    await expect(page.getByRole("switch", { name: "Save finished jobs to a folder" })).toBeChecked();
    await axe(page);
    await make("Moss garden");
    await expect.poll(files).toMatchObject([{ name: "Moss gard-1.png" }]);
    await make("Kite festival");
    await expect
      .poll(async () => (await files()).map(({ name }) => name).sort())
      .toEqual(["Kite fest-1.png", "Moss gard-1.png"]);
    await expect.poll(async () => (await files()).every(({ size }) => size > 1000)).toBe(true);
    // After a restart a browser asks again before a page may write.
    await page.addInitScript(() => {
      Object.assign(FileSystemHandle.prototype, {
        queryPermission: async () => "prompt",
        requestPermission: async () => "granted",
      });
    });
    await page.goto("/history");
    await expect(list(page).getByRole("link").first()).toBeVisible();
    await expect(page.getByText("Finished jobs are waiting to be saved")).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Allow access" }).click();
    await expect(page.getByText("Finished jobs are waiting to be saved")).toHaveCount(0);
    // Jobs of other clients, which History has listed by now, are saved as well, each once.
    await expect.poll(async () => (await files()).length).toBeGreaterThan(3);
    await page.getByRole("searchbox", { name: "Search jobs" }).fill("is:saved");
    await expect.poll(() => list(page).getByRole("link").count()).toBeGreaterThan(2);
    const names = (await files()).map(({ name }) => name);
    expect(names.filter((name) => name === "Moss gard-1.png")).toHaveLength(1);
  });

  test("deleting the media of many jobs counts them first and leaves the records", async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    await openHistory(page, "/history?type=image&status=success");
    const before = await list(page).getByRole("link").count();
    await list(page).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowRight");
    await chosen(page).getByRole("button", { name: "Delete files" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete files of 2 jobs?" });
    await expect(dialog).toContainText("Not deleted");
    await axe(page);
    const { name } = await download(page, () => dialog.getByRole("button", { name: "Download first" }).click());
    expect(name).toMatch(/\.zip$/);
    await expect(dialog.getByText(/^2 files saved as/)).toBeVisible();
    await axe(page);
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(list(page).getByText("Files deleted", { exact: true })).toHaveCount(2);
    expect(await list(page).getByRole("link").count()).toBe(before);
  });
});
