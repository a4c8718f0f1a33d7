import type { Page } from "@playwright/test";
import { axe, expect } from "./fixtures.ts";
import { connectByKey, goTo, keyLine, test } from "./session-host.ts";
import { SESSION_SECRET } from "./start-host.ts";
import { run } from "./steps.ts";

const connectHeading = (page: Page) => page.getByRole("heading", { name: "Connect your service" });
const prompt = (page: Page) => page.getByRole("textbox", { name: "Prompt", exact: true });

async function forgetKey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
}

async function nameIt(page: Page, name: string): Promise<void> {
  await page.goto("/settings");
  const field = page.getByRole("textbox", { name: "Name", exact: true });
  await field.fill(name);
  await field.press("Enter");
  await expect(page.getByRole("button", { name: `Connections: ${name}` })).toBeVisible();
}

async function jobsAt(serviceUrl: string): Promise<unknown[]> {
  const headers = { Authorization: "Bearer sandbox-key" };
  const list = await fetch(`${serviceUrl}/sandbox/api/v1/queue/apikey/requests`, { headers });
  return (await list.json()).requests;
}

/** From an open form to a picture that has come as a whole: a session that ends cuts off what is still on its way. */
async function makePicture(page: Page, words: string): Promise<void> {
  await page.goto("/create/lumen-2");
  await prompt(page).fill(words);
  await run(page);
  const picture = page.getByRole("region", { name: "Result" }).getByRole("img").first();
  await expect(picture).toBeVisible();
  const hasCome = (shown: SVGElement | HTMLElement) =>
    shown instanceof HTMLImageElement && shown.complete && shown.naturalWidth > 0;
  await expect.poll(() => picture.evaluate(hasCome)).toBe(true);
}

test.describe("a session", () => {
  test("outlives reloads, in a cookie that no script reads", { tag: "@heap" }, async ({
    page,
    context,
    service,
    canary,
  }) => {
    await page.goto("/connect");
    await connectByKey(page, service.url, canary);
    await page.goto("/settings");
    await expect(page.getByText(`Ends in ${canary.slice(-4)}`)).toBeVisible();
    await page.reload();
    await expect(keyLine(page, canary)).toBeVisible();
    const cookies = await context.cookies();
    expect(cookies.map(({ httpOnly, sameSite, expires }) => ({ httpOnly, sameSite, expires }))).toEqual([
      { httpOnly: true, sameSite: "Strict", expires: -1 },
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
  });

  test("that a restart has ended says why, and the same key finds everything again", { tag: "@long-key" }, async ({
    page,
    studio,
    service,
    canary,
    faults,
  }) => {
    // The picture may be asked for while the host is gone.
    faults.allow(/status of 401|ERR_CONNECTION_(REFUSED|RESET)/);
    await page.goto("/connect");
    await connectByKey(page, service.url, canary);
    await makePicture(page, "A lamp in the fog");
    await goTo(page, "History");
    const menu = page.getByRole("button", { name: "Download and refresh" });
    await expect(menu).toBeVisible();
    await menu.click();
    await studio.restart();
    // A press tells it, unless the page asked for something by itself before.
    await page.getByRole("menuitem", { name: "Refresh jobs" }).or(connectHeading(page)).first().click();
    await expect(page.getByText(/^Disconnected from 127\.0\.0\.1:\d+/)).toBeVisible();
    await expect(page.getByText(/no longer has a key for this page\. The server was restarted/)).toBeVisible();
    await axe(page);
    await expect(page.getByLabel("Queue URL")).toHaveValue(`${service.url}/sandbox/api/v1/queue`);
    await expect(page.getByLabel("API key")).toHaveValue("");
    await page.getByLabel("API key").pressSequentially(canary);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page).toHaveURL(/\/history/);
    await expect(
      page
        .getByRole("main")
        .getByText(/A lamp in the fog/)
        .first(),
    ).toBeVisible();
    await goTo(page, "Spend");
    await expect(
      page
        .getByRole("main")
        .getByText(/lumen-2/i)
        .first(),
    ).toBeVisible();
  });

  test("that ends between the click and the host leaves no doubt once the key is back", async ({
    page,
    studio,
    service,
    canary,
    faults,
  }) => {
    // Without a session, and then of an attempt that was never sent.
    faults.allow(/status of (401|410)/);
    await page.goto("/connect");
    await connectByKey(page, service.url, canary);
    await page.goto("/create/lumen-2");
    await prompt(page).fill("A lamp in the fog");
    let isFirst = true;
    await page.route("**/apikey/requests", async (route) => {
      const request = route.request();
      if (isFirst && request.method() === "POST") {
        isFirst = false;
        const ticket = (await request.allHeaders())["x-safelight-session"] ?? "";
        const headers = { "X-Safelight-Session": ticket, Origin: studio.url, "Sec-Fetch-Site": "same-origin" };
        expect((await page.request.delete("/session", { headers })).status()).toBe(204);
      }
      await route.continue();
    });
    await run(page);
    await expect(page.getByText(/^Disconnected from /)).toBeVisible();
    await page.getByLabel("API key").pressSequentially(canary);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    // The host remembers attempts for longer than keys, and has none of this name: the form is free again.
    await expect(prompt(page)).toHaveValue("A lamp in the fog");
    expect(await jobsAt(service.url)).toEqual([]);
    await run(page);
    await expect(page.getByRole("region", { name: "Result" }).getByRole("img").first()).toBeVisible();
    expect(await jobsAt(service.url)).toHaveLength(1);
  });

  test.describe("under a secret", () => {
    test.use({ hostEnvironment: SESSION_SECRET });

    test("outlives a restart of the host, and its end outlives one too", async ({
      page,
      context,
      studio,
      service,
      canary,
      faults,
    }) => {
      // Code that comes after the first screen may be asked for while the host is gone.
      faults.allow(/status of 401|ERR_CONNECTION_(REFUSED|RESET)/);
      await page.goto("/connect");
      await connectByKey(page, service.url, canary);
      await studio.restart();
      await makePicture(page, "A pier at dusk");
      const [cookie] = await context.cookies();
      const stored = await page.evaluate(() => ({ ...sessionStorage }));
      await forgetKey(page);
      await expect(connectHeading(page)).toBeVisible();
      await expect.poll(() => context.cookies()).toEqual([]);
      await studio.restart();
      // Whoever kept both halves of it gains nothing.
      await context.addCookies(cookie ? [cookie] : []);
      await page.evaluate((entries) => Object.assign(sessionStorage, entries), stored);
      await page.goto("/history");
      await expect(page.getByText(/the key was removed/)).toBeVisible();
    });
  });

  test("that is forgotten ends in the other tab, with the answer that comes there", { tag: "@heap" }, async ({
    page,
    context,
    service,
    canary,
    faults,
  }) => {
    // The host ends the answer, too: whichever side is first.
    faults.allow(/ERR_INCOMPLETE_CHUNKED_ENCODING/);
    await page.goto("/connect");
    await connectByKey(page, service.url, canary, true);
    const other = await context.newPage();
    await other.goto("/playground");
    await other.getByRole("textbox", { name: /^Message/ }).fill("Why do neap tides happen? tps:20 long:5000");
    await other.getByRole("textbox", { name: /^Message/ }).press("Enter");
    await expect(other.getByText(/chunks$/)).toBeVisible();
    const cut = other.waitForEvent(
      "requestfailed",
      (request) => request.method() === "POST" && /\/v1\//.test(request.url()),
    );
    await forgetKey(page);
    await cut;
    await expect(connectHeading(other)).toBeVisible();
    await expect(other.getByText(/This key was removed in another tab/)).toBeVisible();
  });

  test("that is forgotten ends in a tab that heard nothing, with its next request", { tag: "@long-key" }, async ({
    page,
    context,
    service,
    canary,
    faults,
  }) => {
    faults.allow(/status of 401/);
    await page.goto("/connect");
    await connectByKey(page, service.url, canary, true);
    const deaf = await context.newPage();
    await deaf.addInitScript(() => {
      Object.assign(globalThis, { BroadcastChannel: undefined });
      addEventListener("storage", (event) => event.stopImmediatePropagation(), true);
    });
    await deaf.goto("/create");
    await expect(keyLine(deaf, canary)).toBeVisible();
    await forgetKey(page);
    await expect(connectHeading(page)).toBeVisible();
    await goTo(deaf, "History");
    await expect(deaf.getByText(/^Disconnected from /)).toBeVisible();
  });
});

test.describe("several connections", () => {
  test("have names, histories and drafts of their own, and are switched in the rail", { tag: "@slow" }, async ({
    page,
    service,
    canary,
  }) => {
    await page.goto("/connect");
    await connectByKey(page, service.url, canary);
    await makePicture(page, "A lamp in the fog");
    await nameIt(page, "North");
    await page.getByRole("button", { name: "Connections: North" }).click();
    await page.getByRole("menuitem", { name: "Add connection" }).click();
    await connectByKey(page, service.url, "sandbox-key-2");
    await nameIt(page, "South");
    await goTo(page, "History");
    await expect(page.getByRole("button", { name: "Connections: South" })).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText("A lamp in the fog");
    await page.goto("/create/lumen-2");
    await prompt(page).fill("A letter from the south");

    await page.getByRole("button", { name: "Connections: South" }).click();
    await page.getByRole("menuitem", { name: /^North/ }).click();
    await expect(page.getByRole("button", { name: "Connections: North" })).toBeVisible();
    await page.goto("/create/lumen-2");
    await expect(prompt(page)).not.toHaveValue("A letter from the south");
    await goTo(page, "History");
    await expect(
      page
        .getByRole("main")
        .getByText(/A lamp in the fog/)
        .first(),
    ).toBeVisible();

    await page.getByRole("button", { name: "Connections: North" }).click();
    await page.getByRole("menuitem", { name: /^South/ }).click();
    await expect(page.getByRole("main")).not.toContainText("A lamp in the fog");
    await page.goto("/create/lumen-2");
    await expect(prompt(page)).toHaveValue("A letter from the south");
  });

  test("are asked for in a new tab, unless one is open in every tab", { tag: "@long-key" }, async ({
    page,
    context,
    service,
    canary,
  }) => {
    await page.goto("/connect");
    await connectByKey(page, service.url, canary);
    const asked = await context.newPage();
    await asked.goto("/history");
    await expect(connectHeading(asked)).toBeVisible();
    await page.goto("/settings");
    await page.getByRole("checkbox", { name: "Use in all tabs of this browser" }).check();
    const connected = await context.newPage();
    await connected.goto("/history");
    await expect(keyLine(connected, canary)).toBeVisible();
    await expect(connected).toHaveURL(/\/history/);
    await page.getByRole("checkbox", { name: "Use in all tabs of this browser" }).uncheck();
    await expect(connectHeading(connected)).toBeVisible();
    await expect(keyLine(page, canary)).toBeVisible();
  });
});
