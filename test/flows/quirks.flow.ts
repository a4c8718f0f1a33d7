import type { Page } from "@playwright/test";
import { test as base, expect } from "./fixtures.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { download, ONE_PIXEL, openModel, pngSize, run } from "./steps.ts";

/** A service on another origin than the studio's, whose refusals of pages do not matter to the host. */
const elsewhere = base.extend<{ quirk: string; service: TestHost }>({
  quirk: ["", { option: true }],
  service: async ({ quirk }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60", SAFELIGHT_SANDBOX_QUIRKS: quirk });
    await use(service);
    await service.stop();
  },
  hostEnvironment: async ({ service }, use) => use({ SAFELIGHT_UPSTREAMS: service.url }),
});

async function connect(page: Page, address: string): Promise<void> {
  await page.goto("/connect");
  await page.getByLabel("API key").fill("sandbox-key");
  await page.getByLabel("Queue URL").fill(`${address}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${address}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

async function enter(page: Page): Promise<void> {
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** From an open form to a picture that is shown and saved as the PNG it is. */
async function makePicture(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp in the fog");
  await run(page);
  await expect(page.getByRole("img", { name: "A lamp in the fog" }).first()).toBeVisible();
  const { bytes } = await download(page, () => page.getByRole("button", { name: "Download" }).first().click());
  expect(pngSize(bytes)).toEqual({ width: 1024, height: 1024 });
}

elsewhere.describe("a service of another origin", { tag: "@long-stories" }, () => {
  elsewhere.describe("no-cors-api", () => {
    elsewhere.use({ quirk: "no-cors-api" });
    elsewhere("is used like any other", async ({ page, service }) => {
      await connect(page, service.url);
      await expect(page.getByText(/^Queue, \d+ models$/)).toBeVisible();
      await enter(page);
      await page.goto("/create/lumen-2");
      await makePicture(page);
    });
  });

  elsewhere.describe("no-cors-storage", () => {
    elsewhere.use({ quirk: "no-cors-storage" });
    elsewhere("shows its pictures and saves them", async ({ page, service }) => {
      await connect(page, service.url);
      await enter(page);
      await page.goto("/create/lumen-2");
      await makePicture(page);
    });
  });

  elsewhere.describe("no-cors-uploads", () => {
    elsewhere.use({ quirk: "no-cors-uploads" });
    elsewhere("takes a file", async ({ page, service }) => {
      await connect(page, service.url);
      await enter(page);
      await page.goto("/create/grainfield-edit");
      const file = { name: "lamp.png", mimeType: "image/png", buffer: ONE_PIXEL };
      const [stored] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === "PUT"),
        page.locator("input[type=file]").first().setInputFiles(file),
      ]);
      expect(stored.url()).toContain("/relay/upload/");
      expect(stored.status()).toBe(200);
    });
  });
});

base.describe("the sandbox of the studio's own host", { tag: "@long-stories" }, () => {
  base.describe("outcome-inline", () => {
    base.use({ hostEnvironment: { SAFELIGHT_SANDBOX_QUIRKS: "outcome-inline" } });
    base("shows and saves a picture that stands in the answer itself", async ({ page }) => {
      await openModel(page, "lumen-2");
      await makePicture(page);
    });
  });

  base.describe("slow-drip", () => {
    base.use({ hostEnvironment: { SAFELIGHT_SANDBOX_QUIRKS: "slow-drip" } });
    base("every answer takes two seconds to arrive, and the story passes", async ({ page }) => {
      await openModel(page, "lumen-2");
      await makePicture(page);
    });
  });

  base.describe("truncated-json", () => {
    base.use({ hostEnvironment: { SAFELIGHT_SANDBOX_QUIRKS: "truncated-json" } });
    base("Connect says that the answers cannot be read, and stays open for another try", async ({ page, host }) => {
      await connect(page, host.url);
      const checks = page.getByRole("list", { name: "Checks" });
      await expect(checks.getByText(/^Queue: Unreadable response/)).toBeVisible();
      await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
      await page.goto("/create/lumen-2");
      await expect(page.getByRole("heading", { name: "Connect your service" })).toBeVisible();
    });
  });
});
