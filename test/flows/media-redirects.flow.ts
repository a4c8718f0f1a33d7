import type { APIRequestContext, Page } from "@playwright/test";
import { axe, test as base, expect } from "./fixtures.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { download, pngSize, run } from "./steps.ts";

/** A service whose storage redirects every file, and says of none what it is. */
const UNSAID = ["no-cors-api", "no-cors-storage", "outcome-without-extension", "media-octet-stream"];

const test = base.extend<{ service: TestHost }>({
  service: async ({ browserName: _ }, use) => {
    const service = await startHost({
      SAFELIGHT_SANDBOX_SPEED: "60",
      SAFELIGHT_SANDBOX_QUIRKS: [...UNSAID, "media-redirects"].join(","),
    });
    await use(service);
    await service.stop();
  },
});

const setQuirks = (request: APIRequestContext, service: TestHost, ...quirks: string[]) =>
  request.put(`${service.url}/sandbox/settings`, { data: { quirks: [...UNSAID, ...quirks] } });

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.goto("/connect");
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("Queue URL").fill(`${address}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${address}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

test("files behind a redirect are shown and saved as what their bytes are", { tag: "@long-stories" }, async ({
  page,
  service,
  canary,
}) => {
  await connect(page, service.url, canary);
  await page.goto("/create/lumen-2");
  await page.getByRole("textbox", { name: "Prompt" }).fill("A lamp in the fog");
  await run(page);
  const result = page.getByRole("region", { name: "Result" });
  const image = result.getByRole("img", { name: /A lamp/ });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
  const file = await download(page, () => page.getByRole("button", { name: "Download" }).first().click());
  expect(file.name).toMatch(/\.png$/);
  expect(pngSize(file.bytes).width).toBeGreaterThan(0);

  await page.goto("/create/halide-turbo");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A slow tide");
  await run(page);
  const clip = result.locator("video");
  await expect(clip).toBeVisible();
  await expect.poll(() => clip.evaluate((shown: HTMLVideoElement) => shown.readyState)).toBeGreaterThan(0);
});

test("what a storage refuses is told as what it is", { tag: "@long-stories" }, async ({
  page,
  service,
  canary,
  request,
  faults,
}) => {
  faults.allow(/status of 40[34]/);
  await connect(page, service.url, canary);
  await setQuirks(request, service, "media-gone");
  await page.goto("/create/lumen-2");
  await page.getByRole("textbox", { name: "Prompt" }).fill("A lamp in the fog");
  await run(page);
  const result = page.getByRole("region", { name: "Result" });
  await expect(result.getByText("File not found")).toBeVisible();
  await expect(result.getByText(/The file host says: 404 NoSuchKey/)).toBeVisible();
  await axe(page);

  await setQuirks(request, service, "media-as-page");
  await result.getByRole("button", { name: "Try again" }).click();
  await expect(result.getByText("Web page")).toBeVisible();
  await expect(result.getByRole("link", { name: "Open in a new tab" })).toBeVisible();
  await expect(page.getByText("Sign in")).toHaveCount(0);
  await axe(page);
});
