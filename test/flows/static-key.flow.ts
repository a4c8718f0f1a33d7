import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { newCanary, watchCanary } from "./canary.ts";
import { axe, test as base, expect } from "./fixtures.ts";
import { serveStatic } from "./serve-static.ts";
import { startHost, type TestHost } from "./start-host.ts";
import { run } from "./steps.ts";

/** The studio on a host that only hands out files, and a service on another origin that admits pages. */
const test = base.extend<{ service: TestHost }>({
  host: async ({ hostEnvironment: _ }, use) => {
    const host = await serveStatic();
    await use(host);
    await host.stop();
  },
  service: async ({ browserName: _ }, use) => {
    const service = await startHost({ SAFELIGHT_SANDBOX: "open", SAFELIGHT_SANDBOX_SPEED: "60" });
    await use(service);
    await service.stop();
  },
});

const PASSPHRASE = "four words of mine";

async function fill(page: Page, service: TestHost, key: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("Queue URL").fill(`${service.url}/sandbox/api/v1/queue`);
  await page.getByLabel("Inference URL").fill(`${service.url}/sandbox`);
}

async function connect(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

const open = (page: Page, screen: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: screen, exact: true }).click();

/** Where the key is, besides the requests that carry it to its service. */
async function placesOf(watch: ReturnType<typeof watchCanary>): Promise<string[]> {
  return (await watch.find()).filter((place) => !/^a header of a request: \/sandbox\//.test(place));
}

test.describe("a key on a page without a host", () => {
  // K1, K2, K3, K12.
  test("is in the Worker alone: it runs jobs, streams, and is asked for after a reload", { tag: "@slow" }, async ({
    page,
    context,
    service,
    faults,
  }) => {
    faults.allow(new RegExp(`status of 404|request to ${service.url}`));
    const key = newCanary();
    const watch = watchCanary(context, key);
    await page.goto("/");
    await expect(page.getByText("A background worker of this page sends it")).toBeVisible();
    await fill(page, service, key);
    await connect(page);

    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Paper boats on a canal");
    await run(page);
    const image = page.getByRole("region", { name: "Result" }).getByRole("img", { name: /Paper boats/ });
    await expect(image).toBeVisible();
    await open(page, "Playground");
    const composer = page.getByRole("textbox", { name: /^Message/ });
    await composer.fill("Why do neap tides happen? tps:400");
    await composer.press("Enter");
    await expect(page.getByText(/^[\d,]+ tokens$/)).toHaveCount(1);

    expect(await placesOf(watch)).toEqual([]);
    // Where the search could find something: a text that the page does hold.
    await page.evaluate((text) => Reflect.set(globalThis, "planted", text), key);
    expect((await placesOf(watch)).join()).toMatch(/heap/);

    await page.reload();
    await expect(page.getByText("Disconnected from")).toBeVisible();
    await expect(page.getByLabel("API key")).toHaveValue("");
    await expect(page.getByLabel("Queue URL")).toHaveValue(`${service.url}/sandbox/api/v1/queue`);
  });

  // K15.
  test("is kept under a passphrase, and unlocked with it alone", async ({ page, context, service, faults }) => {
    faults.allow(new RegExp(`status of 404|request to ${service.url}`));
    const key = newCanary();
    const watch = watchCanary(context, key);
    await page.goto("/");
    await fill(page, service, key);
    await page.getByLabel("Save on this device, encrypted with a passphrase").check();
    await page.getByLabel("Passphrase", { exact: true }).fill("short");
    await page.getByLabel("Repeat passphrase").fill("shorter");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(/Use at least 12 characters/)).toBeVisible();
    await expect(page.getByText("The passphrases don’t match.")).toBeVisible();
    await axe(page);
    await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await page.getByLabel("Repeat passphrase").fill(PASSPHRASE);
    await connect(page);

    await page.reload();
    const panel = page.getByRole("form", { name: /^Unlock/ });
    await expect(panel).toContainText(new URL(service.url).host);
    await axe(page);
    const passphrase = panel.getByLabel("Passphrase");
    await passphrase.fill("four words of yours");
    await panel.getByRole("button", { name: "Unlock" }).click();
    await expect(panel).toContainText("Wrong passphrase.");
    await passphrase.fill(PASSPHRASE);
    await panel.getByRole("button", { name: "Unlock" }).click();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await open(page, "Spend");
    await open(page, "Create");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Paper boats on a canal");
    await expect(page.getByRole("button", { name: "Run", exact: true })).toContainText(/\$\d/);
    expect(await placesOf(watch)).toEqual([]);
    expect(await page.evaluate((text) => JSON.stringify({ ...localStorage }).includes(text), PASSPHRASE)).toBe(false);
  });

  // K12, K15.
  test("waits after wrong passphrases, also after a reload, and is forgotten for good", { tag: "@long-key" }, async ({
    page,
    service,
    faults,
  }) => {
    faults.allow(new RegExp(`status of 404|request to ${service.url}`));
    await page.goto("/");
    await fill(page, service, newCanary());
    await page.getByLabel("Save on this device, encrypted with a passphrase").check();
    await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await page.getByLabel("Repeat passphrase").fill(PASSPHRASE);
    await connect(page);
    // The wait lasts as long as the story does.
    await page.clock.setFixedTime(new Date());
    await page.reload();
    const panel = page.getByRole("form", { name: /^Unlock/ });
    const passphrase = panel.getByLabel("Passphrase");
    for (const wrong of ["first wrong one", "second wrong one", "third wrong one"]) {
      await passphrase.fill(wrong);
      await panel.getByRole("button", { name: "Unlock" }).click();
      await expect(panel).toContainText("Wrong passphrase");
      await expect(passphrase).toHaveValue("");
    }
    await expect(panel).toContainText("You can try again in 5 seconds");
    await page.reload();
    await expect(panel.getByRole("button", { name: "Unlock" })).toHaveAttribute("aria-disabled", "true");

    await panel.getByRole("button", { name: "Remove key" }).click();
    await expect(panel).toHaveCount(0);
    await page.reload();
    await expect(page.getByLabel("API key")).toBeVisible();
    await expect(panel).toHaveCount(0);
  });

  // K11.
  test("is not asked for inside another page", async ({ page, host, faults, atEnd }) => {
    // No further script runs in the frame, and the browser says so.
    faults.allow(/status of 404|request to http:\/\/localhost|script-src/);
    const outer = createServer((_incoming, outgoing) => {
      outgoing.setHeader("Content-Type", "text/html");
      outgoing.end(`<iframe src="${host.url}/connect" width="600" height="400"></iframe>`);
    });
    await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
    atEnd(() => {
      outer.close();
      outer.closeAllConnections();
    });
    await page.goto(`http://localhost:${(outer.address() as AddressInfo).port}/`);
    const frame = page.frameLocator("iframe");
    const link = frame.getByRole("link", { name: "Open Safelight in a new tab" });
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute("href", `${host.url}/connect`);
    await expect(frame.getByLabel("API key")).toHaveCount(0);
    await expect(frame.locator("#root")).toHaveCount(0);
  });
});
