import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { openModel, run } from "./steps.ts";

const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt", exact: true });
const runButton = (page: Page) => page.getByRole("button", { name: "Run", exact: true });
const frames = (page: Page) => page.locator("section[aria-label=Result] [data-waiting-frame]");

/** Where the one element is on the page, found and read in one step: the studio may replace it between two. */
async function placeOf(locator: Locator): Promise<DOMRect> {
  const boxes = await locator.evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()));
  expect(boxes).toHaveLength(1);
  return boxes[0];
}

/** Every request that starts a job, with its payload. */
function watchSubmits(page: Page): Record<string, unknown>[] {
  const payloads: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname.endsWith("/requests"))
      payloads.push(request.postDataJSON()?.payload);
  });
  return payloads;
}

test.describe("a video that is waited for", () => {
  test.use({ sandboxSpeed: 10 });

  test("Run shows its frame at once, and the result takes the same place", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await openModel(page, "halide-turbo");
    await expect(prompt(page)).toBeFocused();
    await prompt(page).fill("Camera drifts past the lighthouse");
    await expect(page.getByText("Price for this run")).toBeVisible();
    // Every state of the pane from the press on is looked at: it is never empty.
    await page.evaluate(() => {
      const pane = document.querySelector("section[aria-label=Result]");
      const seen: boolean[] = [];
      Object.assign(globalThis, { seenInResult: seen });
      document.addEventListener(
        "click",
        () => {
          const look = () => {
            seen.push(pane?.querySelector("[data-waiting-frame], video") !== null);
            requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        },
        { once: true, capture: true },
      );
    });
    await runButton(page).click();
    await expect(frames(page)).toHaveCount(1);
    const waited = await placeOf(frames(page));
    await expect(page.getByRole("timer", { name: "Elapsed" })).toHaveText(/^0:\d\d$/);
    await expect(page.getByText("You can close this page.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Copy job ID" })).toBeVisible();
    await expect(page.getByText("Refunded in full if the job fails")).toBeVisible();
    const video = page.locator("section[aria-label=Result] video");
    await expect(video).toBeVisible();
    const shown = await placeOf(video);
    for (const side of ["x", "y", "width", "height"] as const)
      expect(Math.abs(shown[side] - waited[side]), side).toBeLessThan(4);
    const seen = await page.evaluate(() => (globalThis as { seenInResult?: boolean[] }).seenInResult ?? []);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.filter((isFilled) => !isFilled)).toEqual([]);
  });
});

test.describe("a narrow video that is waited for", () => {
  const offer = (page: Page) => page.getByRole("main").getByRole("button", { name: /when done$/ });

  test("the offer to notify is in view without scrolling", { tag: "@long-accessibility" }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openModel(page, "halide-turbo");
    await page.getByRole("radio", { name: "9:16", exact: true }).check();
    await prompt(page).fill("stuck:hour A dancer on a roof");
    await run(page);
    await expect(offer(page)).toBeInViewport({ ratio: 1 });
    const created = page.url();
    await page.getByRole("link", { name: "Open job" }).click();
    await expect(page).toHaveURL(/\/jobs\//);
    await expect(offer(page)).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(created);
    await page.getByRole("radio", { name: "Result", exact: true }).check();
    await expect(offer(page)).toBeInViewport({ ratio: 1 });
  });

  test.describe("on a phone on its side", () => {
    test.use({ sandboxSpeed: 10, viewport: { width: 844, height: 390 } });

    test("its frame is about as large as the result", { tag: "@long-accessibility" }, async ({ page }) => {
      await openModel(page, "halide-turbo");
      await page.getByRole("radio", { name: "9:16", exact: true }).check();
      await prompt(page).fill("A dancer on a roof");
      await run(page);
      await expect(offer(page)).toBeVisible();
      await expect(frames(page)).toBeInViewport();
      const waited = await placeOf(frames(page));
      const video = page.locator("section[aria-label=Result] video");
      await expect(video).toBeVisible();
      const shown = await placeOf(video);
      expect(Math.abs(shown.height - waited.height)).toBeLessThan(48);
    });
  });
});

test("Ctrl+Enter right after a change submits one job, at the new price", async ({ page, request }) => {
  await openModel(page, "lumen-2");
  await prompt(page).fill("A lamp in the fog");
  await expect(runButton(page)).toContainText("$0.035");
  const submits = watchSubmits(page);
  // As fast as no hand is: the price of the change cannot have been asked for yet.
  await page.evaluate(() => {
    const four = document.querySelector<HTMLInputElement>("section[aria-label=Inputs] input[type=radio][value='4']");
    const keys = { key: "Enter", code: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    window.addEventListener("click", ({ target }) => {
      if (target !== four) return;
      for (let times = 0; times < 5; times += 1) four?.dispatchEvent(new KeyboardEvent("keydown", keys));
    });
  });
  await page.getByRole("region", { name: "Inputs" }).getByRole("radio", { name: "4", exact: true }).check();
  await expect(page.getByRole("list", { name: "Results" }).getByRole("listitem")).toHaveCount(4);
  await expect(page.getByText("Charged $0.14")).toBeVisible();
  expect(submits).toHaveLength(1);
  const list = await request.get("/sandbox/api/v1/queue/apikey/requests", {
    headers: { Authorization: "Bearer sandbox-key" },
  });
  expect((await list.json()).requests).toHaveLength(1);
});

test("a change after the press cancels a run that waits for its price", { tag: "@long-stories" }, async ({ page }) => {
  await openModel(page, "lumen-2");
  await prompt(page).fill("A lamp");
  await expect(runButton(page)).toContainText("$0.035");
  const submits = watchSubmits(page);
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/estimate$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole("radio", { name: "4", exact: true }).check();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Runs as soon as the price loads")).toBeVisible();
  await page.getByRole("radio", { name: "2", exact: true }).check();
  await expect(page.getByText(/The form changed, so the run was cancelled/)).toBeVisible();
  answer();
  await expect(runButton(page)).toContainText("$0.07");
  expect(submits).toHaveLength(0);

  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("Charged $0.07")).toBeVisible();
  expect(submits).toHaveLength(1);
});
