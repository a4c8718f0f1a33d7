import type { Page } from "@playwright/test";
import { axe, test as base, expect } from "./fixtures.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { download, openModel, paste, pngSize, run } from "./steps.ts";

const KEY = { Authorization: "Bearer sandbox-key" };

/** A service on another origin that, like most real ones, lets no page read its answers. */
const test = base.extend<{ service: TestHost; isListed: boolean }>({
  isListed: [true, { option: true }],
  service: async ({ browserName: _ }, use) => {
    const service = await startHost({
      SAFELIGHT_SANDBOX_SPEED: "60",
      SAFELIGHT_SANDBOX_QUIRKS: "no-cors-api,no-cors-storage,no-cors-uploads",
    });
    await use(service);
    await service.stop();
  },
  hostEnvironment: async ({ service, isListed }, use) => use(isListed ? { SAFELIGHT_UPSTREAMS: service.url } : {}),
});

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.goto("/connect");
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("Queue URL").fill(`${address}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${address}/sandbox`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
}

// Whatever the page asks another origin for is a fault of the story (`fixtures.ts`), and so is a line on the console.
for (const isListed of [true, false]) {
  const title = isListed ? "a service that the host's settings name" : "a local service typed on Connect";
  test.describe(title, { tag: isListed ? [] : "@long-stories" }, () => {
    test.use({ isListed });

    test("is used by way of the host, from Connect to download and upload", { tag: "@heap" }, async ({
      page,
      service,
      canary,
    }) => {
      await connect(page, service.url, canary);
      const checks = page.getByRole("list", { name: "Checks" });
      await expect(checks.getByText(/^Queue, \d+ models$/)).toBeVisible();
      await expect(checks.getByText(/^Text, \d+ models$/)).toBeVisible();
      // Everything answered: the studio opens by itself soon after. A press on its button would have to be faster.
      await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();

      await page.goto("/create/lumen-2");
      await page.getByRole("textbox", { name: "Prompt" }).fill("A lamp in the fog");
      await run(page);
      const image = page.getByRole("region", { name: "Result" }).getByRole("img", { name: /A lamp/ });
      await expect(image).toBeVisible();
      await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBeGreaterThan(0);
      const button = page.getByRole("button", { name: "Download" }).first();
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
  });
}

const pages = base.extend<{ service: TestHost }>({
  service: async ({ browserName: _ }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX_QUIRKS: "page-for-unknown", SAFELIGHT_SANDBOX_SPEED: "60" });
    await use(service);
    await service.stop();
  },
});

pages(
  "a docs address is told from the service's, and one press uses the right host",
  { tag: "@long-stories" },
  async ({ page, service }) => {
    await page.goto("/connect");
    const docs = `${service.url.replace("127.0.0.1", "localhost")}/sandbox/docs/v1/chat`;
    const curl = `curl ${service.url}/sandbox/api/v1/queue/apikey/models -H "Authorization: Bearer sandbox-key"`;
    await paste(page, page.getByLabel(/^Paste a URL/), `${curl}\n\n${docs}`);
    await expect(page.getByText("This URL returns a web page, not a list of models")).toBeVisible();
    await expect(page.getByText(/Playground needs the inference URL/)).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: `Use ${new URL(service.url).host}` }).click();
    const found = page.getByRole("list", { name: "Found in your paste" });
    await expect(found.getByText(/^\d+ models$/)).toHaveCount(2);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    // The service ends with the story: nothing may still be on its way then.
    await expect(page.getByText("Price for this run").or(page.getByText("Prompt needs a value"))).toBeVisible();
  },
);

base(
  "an address that the host's settings do not name is refused in words",
  { tag: "@long-stories" },
  async ({ page, faults }) => {
    faults.allow(/status of 403/);
    await connect(page, "http://192.0.2.1:8080", "sandbox-key");
    const checks = page.getByRole("list", { name: "Checks" });
    await expect(checks.getByText("Queue: This URL is not allowed")).toBeVisible();
    await expect(checks.getByText(/SAFELIGHT_UPSTREAMS/).first()).toBeVisible();
    await axe(page);
  },
);

// M1, M2: over HTTP/1.1 a browser repeats by itself a POST whose connection broke.
base(
  "at the default address a run whose reply is lost ends as one job",
  { tag: "@long-money" },
  async ({ page, host, request, faults }) => {
    // The host says that the outcome is not known.
    faults.allow(/status of 409/);
    await openModel(page, "halide-turbo");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A kite over dunes, lose:reply");
    await run(page);
    await expect(page.locator("section[aria-label=Result] video")).toBeVisible();
    const list = await request.get(`${host.url}/sandbox/api/v1/queue/apikey/requests`, { headers: KEY });
    expect((await list.json()).requests).toHaveLength(1);
    await page.goto("/spend");
    await expect(page.getByText(/possible duplicate/i)).toHaveCount(0);
  },
);
