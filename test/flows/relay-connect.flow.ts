import { axe, test as base, expect } from "./fixtures.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { download, pngSize, run } from "./steps.ts";

/** A service on another origin that, like most real ones, lets no page read its answers. */
const test = base.extend<{ service: TestHost }>({
  service: async ({ playwright }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_SPEED: "60" });
    const request = await playwright.request.newContext();
    const quirks = ["no-cors-api", "no-cors-storage", "no-cors-uploads"];
    const answer = await request.put(`${service.url}/sandbox/settings`, { data: { quirks } });
    expect(answer.ok()).toBe(true);
    await use(service);
    await service.stop();
  },
  hostEnvironment: async ({ service }, use) => use({ SAFELIGHT_UPSTREAMS: service.url }),
});

test("a service without CORS is used through the relay throughout", async ({ page, service, faults }) => {
  // The direct way is tried first; the browser says on its console that it was refused.
  faults.allow(/CORS policy|Failed to load resource|request to/);
  await page.goto("/connect");
  await page.getByLabel("API key").fill("sandbox-key");
  await page.getByLabel("Queue address").fill(`${service.url}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference address").fill(`${service.url}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const checks = page.getByRole("list", { name: "Checks" });
  await expect(checks.getByText(/^Queue, \d+ models, through the relay$/)).toBeVisible();
  await expect(checks.getByText(/^Text, \d+ models, through the relay$/)).toBeVisible();
  await expect(
    checks.getByText("Storage does not allow uploads and downloads from this page; using the relay"),
  ).toBeVisible();
  await checks.getByText("Why?").click();
  await expect(checks.getByText(/CORS headers/)).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Open the studio" }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

  await page.goto("/create/lumen-2");
  await page.getByRole("textbox", { name: "Prompt" }).fill("A lamp in the fog");
  await run(page);
  const button = page.getByRole("button", { name: "Download" }).first();
  await expect(button).toBeEnabled();
  const file = await download(page, () => button.click());
  expect(pngSize(file.bytes).width).toBeGreaterThan(0);

  await page.goto("/create/grainfield-edit");
  const [stored] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "PUT"),
    page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "lamp.png", mimeType: "image/png", buffer: file.bytes }),
  ]);
  expect(stored.url()).toContain("/relay/upload/http/");
  expect(stored.status()).toBe(200);
  expect(stored.request().headers().authorization).toBeUndefined();
});
