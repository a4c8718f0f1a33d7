import { axe, expect, test } from "./fixtures.ts";
import { download, openModel, openSandbox, pngSize, run } from "./steps.ts";

test.describe("create", () => {
  // Spec 2.
  test("a new visitor downloads a picture of the asked size after at most five clicks, its price on the button", {
    tag: "@heap",
  }, async ({ page }) => {
    let clicks = 0;
    await page.exposeFunction("countClick", () => {
      clicks += 1;
    });
    await page.addInitScript(() => {
      addEventListener(
        "click",
        (event) => event.isTrusted && (window as never as { countClick(): void }).countClick(),
        {
          capture: true,
        },
      );
    });
    await page.goto("/");
    await page.getByRole("button", { name: "Open sandbox" }).click();
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lighthouse at dusk, rain on the window");
    await page.getByRole("radio", { name: "1536x1024" }).check();
    await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText("$0.035");
    await run(page);
    await expect(page.getByRole("img", { name: /A lighthouse at dusk/ }).first()).toBeVisible();
    await axe(page);
    const { name, bytes } = await download(page, () => page.getByRole("button", { name: "Download" }).click());
    expect(pngSize(bytes)).toEqual({ width: 1536, height: 1024 });
    expect(name).toMatch(/^lumen-2.*\.png$/);
    expect(clicks).toBeLessThanOrEqual(5);
  });

  test("a video is watched to success, over a reload, plays and can be sought", { tag: "@slow" }, async ({ page }) => {
    await openModel(page, "halide-turbo");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Storm over a glass harbour");
    await run(page);
    await expect(page.getByRole("region", { name: "Result" })).toContainText(/Queued/);
    await page.reload();
    await expect(page.getByRole("region", { name: "Result" })).toContainText(/Queued|Done/);
    await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("Storm over a glass harbour");
    const video = page.locator("section[aria-label=Result] video");
    await expect(video).toBeVisible();
    await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.videoWidth)).toBeGreaterThan(0);
    const seekable = await video.evaluate(
      (v: HTMLVideoElement) =>
        new Promise<number>((resolve) => {
          v.addEventListener("seeked", () => resolve(v.currentTime), { once: true });
          v.currentTime = v.duration / 2;
        }),
    );
    expect(seekable).toBeGreaterThan(1);
  });

  // Spec 3.
  test("a failed job shows the refund to the micro-USD", { tag: "@long-stories" }, async ({ page }) => {
    await openModel(page, "lumen-2");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("fail:moderation");
    await run(page);
    const result = page.getByRole("region", { name: "Result" });
    await expect(result).toContainText("The safety filter stopped this generation.");
    await expect(result).toContainText(/refunded.*\$0\.035|\$0\.035.*refunded/i);
    await axe(page);
  });

  // Spec 7.
  test("a refused payload keeps the form and says nothing was charged", { tag: "@long-stories" }, async ({
    page,
    faults,
  }) => {
    faults.allow(/400|Bad Request/);
    await openModel(page, "lumen-2");
    const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
    await prompt.fill("error:400");
    await run(page);
    await expect(page.getByRole("alert")).toContainText("Not charged: the service rejected this job.");
    await expect(prompt).toHaveValue("error:400");
  });

  // Spec 7.
  test("an unknown model shows a clear message and a link onward", { tag: "@long-stories" }, async ({
    page,
    faults,
  }) => {
    faults.allow(/404/);
    await openSandbox(page, "/create/no-such-model");
    await expect(page.getByRole("alert")).toContainText(/no-such-model|does not exist|unknown model/i);
    await page.getByRole("button", { name: "Choose another model" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await axe(page);
  });
});
