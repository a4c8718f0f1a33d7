import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { openSandbox } from "./steps.ts";

const QUEUE = "/sandbox/api/v1/queue";
const headers = { Authorization: "Bearer sandbox-key" };

/** Runs jobs one after the other, outside of the page; their ids. */
async function runJobs(page: Page, jobs: readonly (readonly [model: string, payload: Record<string, unknown>])[]) {
  const ids: string[] = [];
  for (const [model, payload] of jobs) {
    const answer = await page.request.post(`${QUEUE}/apikey/requests`, { headers, data: { model, payload } });
    ids.push((await answer.json()).request_id);
  }
  return ids;
}

/** Opens the sandbox, and then an address whose window lies over the navigation. */
async function openAt(page: Page, path: string) {
  await openSandbox(page, "/history");
  await page.goto(path);
}

/** Until the files of the comparison have their sizes. */
async function shownPictures(page: Page, count: number) {
  const pictures = page.getByRole("dialog", { name: "Compare" }).locator("img[alt]:not([alt=''])");
  await expect(pictures).toHaveCount(count);
  await expect
    .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)))
    .toBe(true);
  return pictures;
}

const divider = (page: Page) => page.getByRole("slider", { name: "Divider between A and B" });
const share = async (page: Page) => Number(await divider(page).getAttribute("aria-valuenow"));
const A_LIGHTHOUSE = "A lighthouse at dusk";

test.describe("comparing", () => {
  test("the divider is dragged on the picture, by mouse and by key", async ({ page }) => {
    const ids = await runJobs(page, [
      ["lumen-2", { prompt: A_LIGHTHOUSE, seed: 1 }],
      ["lumen-2", { prompt: "A lighthouse in fog", seed: 2 }],
    ]);
    await openAt(page, `/history?compare=${ids}`);
    await expect(page.getByRole("row", { name: /Model.*same for all/ })).toBeVisible();
    const [picture] = await (await shownPictures(page, 2)).all();
    expect(await share(page)).toBe(50);
    const box = await picture?.boundingBox();
    if (!box) throw new Error("The picture has no place.");
    const at = (part: number) => [box.x + part * box.width, box.y + 0.8 * box.height] as const;
    await page.mouse.move(...at(0.7));
    await page.mouse.down();
    expect(Math.abs((await share(page)) - 70)).toBeLessThanOrEqual(1);
    await page.mouse.move(...at(0.25), { steps: 4 });
    await page.mouse.up();
    expect(Math.abs((await share(page)) - 25)).toBeLessThanOrEqual(1);
    await expect(divider(page)).toBeFocused();
    await page.keyboard.press("Home");
    expect(await share(page)).toBe(0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await share(page)).toBe(11);
    await expect(divider(page)).toHaveAttribute("aria-valuetext", /^11% A lumen-2, 89% B lumen-2$/);
    await page.keyboard.press("End");
    expect(await share(page)).toBe(100);
    await page.mouse.dblclick(...at(0.3));
    expect(await share(page)).toBe(50);
    await axe(page, { always: true });
    // What differs stands first, what is the same folds.
    const rows = page.getByRole("region", { name: "Details" }).getByRole("row");
    await expect(rows.filter({ hasText: "Model" })).toBeVisible();
    await page.getByRole("button", { name: /the same for all$/ }).click();
    await expect(rows.filter({ hasText: "Model" })).toHaveCount(0);
    await page.keyboard.press("c");
    await expect(divider(page)).toBeVisible();
    for (const way of ["Side by side", "Flicker", "Difference", "Slider"]) {
      await page.keyboard.press("v");
      await expect(page.getByRole("radio", { name: way })).toBeChecked();
    }
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Compare" })).toHaveCount(0);
  });

  test("files of two shapes are shown at one scale, and zoomed together", { tag: "@long-stories" }, async ({
    page,
  }) => {
    const ids = await runJobs(page, [
      ["grainfield", { prompt: A_LIGHTHOUSE, aspect_ratio: "16:9" }],
      ["grainfield", { prompt: A_LIGHTHOUSE, aspect_ratio: "9:16" }],
    ]);
    await openAt(page, `/history?compare=${ids}`);
    const pictures = await shownPictures(page, 2);
    const scales = () =>
      pictures.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().height / (one as HTMLImageElement).naturalHeight),
      );
    const heights = () => pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    const apart = ([one = 0, other = 0]: number[]) => Math.abs(one / other - 1);
    await expect(page.getByRole("button", { name: "Scale: Same pixel scale" })).toBeVisible();
    await expect.poll(async () => apart(await scales())).toBeLessThan(0.01);
    const scale = page.getByRole("button", { name: /^Scale:/ });
    await scale.click();
    await expect.poll(async () => apart(await heights())).toBeLessThan(0.01);
    await scale.click();
    const before = await scales();
    await page.keyboard.press("v");
    await page.keyboard.press("+");
    await page.keyboard.press("+");
    await expect.poll(async () => apart(await scales())).toBeLessThan(0.01);
    for (let press = 0; press < 12; press += 1) await page.keyboard.press("+");
    const most = await scales();
    expect(Math.min(...most)).toBeGreaterThan(Math.max(...before));
    expect(Math.max(...most)).toBeLessThanOrEqual(8.5);
    await page.keyboard.press("0");
    await axe(page);
  });

  test("a file that is lost says so beside the other, not over it", { tag: "@long-stories" }, async ({
    page,
    faults,
  }) => {
    faults.allow(/404/);
    const ids = await runJobs(page, [
      ["grainfield", { prompt: A_LIGHTHOUSE, aspect_ratio: "16:9" }],
      ["grainfield", { prompt: A_LIGHTHOUSE, aspect_ratio: "9:16" }],
    ]);
    await openSandbox(page, "/history");
    await page.route(/\/storage\/(?!inputs|uploads)/, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`/history?compare=${ids}`);
    const lost = page.getByRole("dialog", { name: "Compare" }).getByText("File not found");
    await expect(lost).toHaveCount(2);
    const boxes = await Promise.all((await lost.all()).map((one) => one.boundingBox()));
    const [first, last] = boxes.flatMap((box) => box ?? []).sort((one, other) => one.x - other.x);
    if (!first || !last) throw new Error("The words have no place.");
    expect(first.x + first.width).toBeLessThan(last.x);
    await expect(divider(page)).toBeHidden();
    await axe(page);
  });

  test("three models are compared from one prompt, and lead one after the other over the first", {
    tag: "@long-stories",
  }, async ({ page }) => {
    // The sandbox paints three pictures first.
    test.slow();
    const ids = await runJobs(page, [
      ["lumen-2", { prompt: A_LIGHTHOUSE }],
      ["lumen-2-pro", { prompt: "a lighthouse  at dusk" }],
      ["lumen-2-pro", { prompt: "A lighthouse in fog" }],
      ["grainfield", { prompt: A_LIGHTHOUSE }],
    ]);
    await openAt(page, `/history?open=${ids[0]}`);
    await page.getByRole("button", { name: "Compare models" }).click();
    await shownPictures(page, 3);
    const results = page.getByRole("dialog", { name: "Compare" }).getByRole("list", { name: "Results" });
    await expect(results.getByRole("listitem")).toHaveText([
      /lumen-2/,
      /grainfield|lumen-2-pro/,
      /grainfield|lumen-2-pro/,
    ]);
    await results.getByRole("button", { name: "Star B" }).click();
    await expect(results.getByRole("button", { name: "Star B" })).toHaveAttribute("aria-pressed", "true");
    await axe(page);
    await page.getByRole("radio", { name: "Slider" }).check();
    const strip = page.getByRole("list", { name: "Filmstrip" });
    const pressed = () => strip.getByRole("button", { pressed: true }).allInnerTexts();
    const first = await pressed();
    await page.getByRole("dialog", { name: "Compare" }).focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(pressed).not.toEqual(first);
    await strip.getByRole("button", { pressed: false }).click();
    await expect.poll(pressed).toEqual(first);
    await axe(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog", { name: "Compare" })).toHaveCount(0);
  });
});

test.describe("comparing by touch", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });
  test("a finger on the picture moves the divider", { tag: "@long-stories" }, async ({ page }) => {
    const ids = await runJobs(page, [
      ["lumen-2", { prompt: A_LIGHTHOUSE, seed: 1 }],
      ["lumen-2", { prompt: A_LIGHTHOUSE, seed: 2 }],
    ]);
    await openAt(page, `/history?compare=${ids}`);
    const [picture] = await (await shownPictures(page, 2)).all();
    const box = await picture?.boundingBox();
    if (!box) throw new Error("The picture has no place.");
    const finger = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", part?: number) =>
      finger.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: part === undefined ? [] : [{ x: box.x + part * box.width, y: box.y + box.height / 2 }],
      });
    await touch("touchStart", 0.5);
    for (const part of [0.6, 0.7, 0.8]) await touch("touchMove", part);
    await touch("touchEnd");
    await expect.poll(() => share(page)).toBeGreaterThan(70);
    await axe(page);
  });
});

test.describe("the viewer", () => {
  test.use({ hostEnvironment: { SAFELIGHT_SANDBOX_HISTORY: "60" } });

  test("keeps its file in the middle of the filmstrip, and the zoom over files of one size", {
    tag: "@long-stories",
  }, async ({ page }) => {
    await openSandbox(page, "/history?model=lumen-2&status=success");
    await page.getByRole("grid", { name: "Jobs" }).getByRole("link").first().click();
    const viewer = page.getByRole("dialog");
    const strip = viewer.getByRole("navigation", { name: "Filmstrip" });
    const offCentre = () =>
      strip.locator("[aria-current]").evaluate((node) => {
        const { left, width } = node.getBoundingClientRect();
        return Math.abs(left + width / 2 - window.innerWidth / 2);
      });
    await expect.poll(offCentre).toBeLessThan(2);
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowRight");
    await expect.poll(offCentre).toBeLessThan(2);
    await expect(viewer.getByRole("status").first()).toContainText(/^4 of/);
    await expect(viewer.getByRole("button", { name: /^Actual size, now \d/ })).toBeVisible();
    await page.keyboard.press("+");
    await expect(viewer.locator("[style*='scale(1.5)']")).toBeVisible();
    await page.keyboard.press("ArrowRight");
    await expect(viewer.getByRole("status").first()).toContainText(/^5 of/);
    await expect(viewer.locator("[style*='scale(1.5)']")).toBeVisible();
    // The keys stand there, and the details beside the picture.
    await expect(viewer.locator("[data-keys]")).toContainText("Edit and run again");
    await page.keyboard.press("i");
    const details = viewer.getByRole("complementary", { name: "Details" });
    const [panel, image] = await Promise.all([
      details.boundingBox(),
      viewer.locator("[data-phase]").first().boundingBox(),
    ]);
    if (panel && image) expect(panel.x).toBeGreaterThanOrEqual(200);
    await axe(page);
  });

  test("a clip is played by keys, from a bar of the studio's own", { tag: "@long-stories" }, async ({ page }) => {
    test.slow();
    await openSandbox(page, "/history?type=video&status=success");
    await page.getByRole("grid", { name: "Jobs" }).getByRole("link").first().click();
    const viewer = page.getByRole("dialog");
    const clip = viewer.locator("video[aria-label]");
    await expect(clip).not.toHaveAttribute("controls");
    // The sandbox makes the clip first.
    await expect.poll(() => clip.evaluate((node: HTMLVideoElement) => node.duration)).toBeGreaterThan(1);
    const seconds = () => clip.evaluate((node: HTMLVideoElement) => node.currentTime);
    const isPaused = () => clip.evaluate((node: HTMLVideoElement) => node.paused);
    await page.keyboard.press("Space");
    await expect.poll(isPaused).toBe(false);
    await page.keyboard.press("k");
    await expect.poll(isPaused).toBe(true);
    await page.keyboard.press("u");
    await expect(viewer.getByRole("button", { name: "Mute" })).toHaveAttribute("aria-pressed", "true");
    const playhead = viewer.getByRole("slider", { name: "Position" });
    await playhead.focus();
    await page.keyboard.press("Home");
    await expect.poll(seconds).toBe(0);
    await page.keyboard.press("l");
    await expect.poll(seconds).toBeGreaterThanOrEqual(1);
    await page.keyboard.press(".");
    await expect.poll(seconds).toBeGreaterThan(1);
    await expect(playhead).toHaveAttribute("aria-valuetext", /^0:01\.\d of 0:0\d\.\d$/);
    await viewer.getByRole("combobox", { name: "Speed" }).selectOption("2");
    expect(await clip.evaluate((node: HTMLVideoElement) => node.playbackRate)).toBe(2);
    await axe(page);
  });
});
