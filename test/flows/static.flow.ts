import { axe, test as base, expect } from "./fixtures.ts";
import { serveStatic } from "./serve-static.ts";
import { openSandbox, run } from "./steps.ts";

/** The built studio on a host that only hands out files: the sandbox runs in the page. */
const test = base.extend({
  host: async ({ hostEnvironment: _ }, use) => {
    const host = await serveStatic();
    await use(host);
    await host.stop();
  },
});

/** The browser's own line about a screen's address that is no file. */
const NO_SUCH_FILE = /status of 404/;

test.describe("the studio on a static file host", () => {
  test("a picture is made in the page and loads as an image", async ({ page, faults }) => {
    faults.allow(NO_SUCH_FILE);
    await openSandbox(page);
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Paper boats on a canal");
    await run(page);
    const image = page.getByRole("region", { name: "Result" }).getByRole("img", { name: /Paper boats/ });
    await expect(image).toBeVisible();
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  });

  test("a clip made after a direct visit plays in the page", { tag: "@long-stories" }, async ({ page, faults }) => {
    faults.allow(NO_SUCH_FILE);
    await openSandbox(page, "/create/halide-turbo");
    await page.evaluate(() =>
      fetch("/sandbox/settings", {
        method: "PUT",
        headers: { Authorization: "Bearer sandbox-key", "Content-Type": "application/json" },
        body: JSON.stringify({ speed: 60 }),
      }).then((answer) => {
        if (!answer.ok) throw new Error(`settings answered ${answer.status}`);
      }),
    );
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A kite over dunes");
    await run(page);
    const video = page.locator("section[aria-label=Result] video");
    await expect(video).toBeVisible();
    await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.videoWidth)).toBeGreaterThan(0);
  });

  test("Connect says what talking to a service directly costs", { tag: "@long-stories" }, async ({ page }) => {
    await page.goto("/");
    const note = page.getByText("This page sends requests directly to the service.");
    await expect(note).toBeVisible();
    await expect(page.getByText(/may repeat a request when/)).toBeHidden();
    await note.click();
    await expect(page.getByText(/may repeat a request when/)).toBeVisible();
    await axe(page);
  });

  test("a reload restores the sandbox, and a hard reload offers it", { tag: "@long-stories" }, async ({
    page,
    faults,
  }) => {
    faults.allow(NO_SUCH_FILE);
    await openSandbox(page);
    await page.reload();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();

    // While another tab uses the worker it stays, and a hard reload goes past it.
    const otherTab = await page.context().newPage();
    await openSandbox(otherTab);
    const session = await page.context().newCDPSession(page);
    await session.send("Page.reload", { ignoreCache: true });
    await expect(page.getByRole("alert")).toContainText("The sandbox is not running");
    await axe(page);
    await page.getByRole("button", { name: "Reload" }).click();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  });
});
