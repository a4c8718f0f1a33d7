import { axe, expect, test } from "./fixtures.ts";
import { openSandbox, paste, run } from "./steps.ts";

/** As it stands in a service's docs, with the key that whoever reads them has put in. */
const exampleOf = (url: string, key = "sandbox-key") =>
  [
    `curl -X POST ${url}/sandbox/api/v1/queue/apikey/requests \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -d '{"model": "lumen-2", "payload": {"prompt": "A lighthouse"}}'`,
  ].join("\n");

test.describe("connect", () => {
  test("with a curl example in the clipboard the first result needs no address", async ({ page, host }) => {
    await page.goto("/create/lumen-2");
    const box = page.getByRole("textbox", { name: /^Paste a URL, or a curl command/ });
    await paste(page, box, exampleOf(host.url));
    const found = page.getByRole("list", { name: "Found in your paste" });
    await expect(found.getByText(/^\d+ models$/)).toHaveCount(2);
    await expect(found.getByText("Accepted")).toBeVisible();
    await expect(box).toHaveValue(exampleOf(host.url, "····-key"));
    await expect(page.getByLabel("Queue URL")).toHaveValue(`${host.url}/sandbox/api/v1/queue`);
    await expect(page.getByLabel("Inference URL")).toHaveValue(`${host.url}/sandbox`);
    await axe(page);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp in the fog");
    await run(page);
    await expect(page.getByRole("region", { name: "Result" }).getByRole("img").first()).toBeVisible();
  });

  test("a placeholder for the key is none, and the key typed below connects", { tag: "@long-stories" }, async ({
    page,
    host,
    canary,
  }) => {
    await page.goto("/connect");
    await paste(page, page.getByLabel(/^Paste a URL/), exampleOf(host.url, "$API_KEY"));
    await expect(page.getByText("Placeholder")).toBeVisible();
    await page.getByLabel("API key").pressSequentially(canary);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  });

  // The canary of this story looks for it everywhere, the heap included.
  test("a key that was pasted is nowhere in the page once the studio is open", { tag: "@heap" }, async ({
    page,
    host,
    canary,
  }) => {
    await page.goto("/connect");
    await paste(page, page.getByLabel(/^Paste a URL/), exampleOf(host.url, canary));
    await expect(page.getByText("Accepted")).toBeVisible();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(`key ····${canary.slice(-4)}`)).toBeVisible();
  });

  test("where addresses and key are found folds and unfolds on a phone", { tag: "@long-stories" }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/connect");
    // Of the studio itself: what is painted before it has the same words.
    const line = page.locator("#root").getByText(/Open the service’s docs, copy a curl example/);
    await expect(line).toBeHidden();
    await page.locator("#root").getByText("Where to find these").click();
    await expect(line).toBeVisible();
    await axe(page);
  });

  test("a visitor without a connection returns to the wanted screen after Connect", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await page.goto("/history?status=failed");
    await expect(page.getByRole("heading", { name: "Connect your service" })).toBeVisible();
    await axe(page);
    await page.getByRole("button", { name: "Open sandbox" }).click();
    await expect(page).toHaveURL(/\/history\?status=/);
  });

  // Spec 5.
  test("a key and two addresses are checked, and the studio opens without the key", { tag: "@long-stories" }, async ({
    page,
    host,
    canary,
  }) => {
    await page.goto("/connect");
    await page.getByLabel("API key").pressSequentially(canary);
    await page.getByLabel("Queue URL").fill(`${host.url}/sandbox/api/v1/queue`);
    await page.getByLabel("Inference URL").fill(`${host.url}/sandbox`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(/Queue, \d+ models/)).toBeVisible();
    await expect(page.getByText(/Text, \d+ models/)).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
    await expect(page.getByText(`key ····${canary.slice(-4)}`)).toBeVisible();
  });

  // Spec 5.5.
  test("a revoked key is refused in words and stays out of the page", { tag: "@long-key" }, async ({
    page,
    host,
    faults,
  }) => {
    faults.allow(/401/);
    await page.goto("/connect");
    await page.getByLabel("API key").fill("revoked-key");
    await page.getByLabel("Queue URL").fill(`${host.url}/sandbox/api/v1/queue`);
    await page.getByLabel("Inference URL").fill(`${host.url}/sandbox`);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByText(/missing, invalid or revoked/i).first()).toBeVisible();
    expect(page.url()).not.toContain("revoked-key");
    await axe(page);
  });

  test("a broken address says what is wrong with it before anything is sent", { tag: "@long-stories" }, async ({
    page,
  }) => {
    await page.goto("/connect");
    await page.getByLabel("API key").fill("sandbox-key");
    await page.getByLabel("Queue URL").fill("not an address");
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await expect(page.getByLabel("Queue URL")).toHaveAttribute("aria-invalid", "true");
    await axe(page);
  });

  test("after connecting, the key is in no address, text or lasting storage", { tag: "@long-key" }, async ({
    page,
  }) => {
    await openSandbox(page);
    for (const name of ["History", "Spend"]) {
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name }).click();
      expect(page.url()).not.toContain("sandbox-key");
      await expect(page.locator("body")).not.toContainText("sandbox-key");
    }
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(kept).not.toContain("sandbox-key");
  });
});
