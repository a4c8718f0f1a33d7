import { test as base, expect, type Page } from "@playwright/test";
import { axe } from "./fixtures.ts";
import { saidKinds, startHost, type TestHost } from "./start-host.ts";
import { download, openSandbox, pngSize, run } from "./steps.ts";

const PASSWORD = "correct horse battery";

/** A host that asks for a password, and whose sandbox is for its own page alone. */
const test = base.extend<{ host: TestHost }>({
  host: async ({ browserName: _ }, use) => {
    const host = await startHost({
      SAFELIGHT_ACCESS: `password:${PASSWORD}`,
      SAFELIGHT_SANDBOX: "on",
      SAFELIGHT_SANDBOX_SPEED: "60",
    });
    await use(host);
    await host.stop();
    // The page without the password, and the wrong one.
    expect(saidKinds(host), "the host's stderr").toEqual(["Rejected: access_required", "Rejected: wrong_password"]);
  },
  baseURL: async ({ host }, use) => use(host.url),
});

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("the password opens the studio where one wanted to go, and everything in it works", async ({ page }) => {
  await page.goto("/create/lumen-2");
  await expect(page.getByRole("heading", { name: "Sign in to Safelight" })).toBeVisible();
  await axe(page);
  await signIn(page, "a wrong password");
  await expect(page.getByRole("alert")).toHaveText("Wrong password.");
  await axe(page);
  await signIn(page, PASSWORD);
  await expect(page).toHaveURL(/\/create\/lumen-2$|\/connect/);

  // Pictures, uploads and downloads of the sandbox pass the checks of a real browser's requests.
  await openSandbox(page, "/create/lumen-2");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp in the fog");
  await run(page);
  const picture = page.getByRole("img", { name: "A lamp in the fog" }).first();
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const { bytes } = await download(page, () => page.getByRole("button", { name: "Download" }).first().click());
  expect(pngSize(bytes)).toEqual({ width: 1024, height: 1024 });
  await page.goto("/create/grainfield-edit");
  const stored = page.waitForResponse((response) => response.request().method() === "PUT");
  const file = { name: "lamp.png", mimeType: "image/png", buffer: bytes };
  await page.locator("input[type=file]").first().setInputFiles(file);
  expect((await stored).status()).toBe(200);

  await page.goto("/settings");
  await page.getByRole("link", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "You are signed in" })).toBeVisible();
  await axe(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Password")).toBeVisible();
  await page.goto("/create/lumen-2");
  await expect(page.getByLabel("Password")).toBeVisible();
});

test("a page that stayed open says that one has to sign in again", { tag: "@long-key" }, async ({ page, context }) => {
  await page.goto("/connect");
  await signIn(page, PASSWORD);
  await openSandbox(page, "/create/lumen-2");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  await context.clearCookies({ name: "safelight-access" });
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp");
  await expect(page.getByText(/Reload the page and sign in\. Drafts are kept\.$/).first()).toBeVisible();
  // Code that was still to be loaded is refused, too: that takes nothing from the page.
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("A lamp");
});
