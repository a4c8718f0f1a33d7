import type { Page } from "@playwright/test";
import { axe, expect, test } from "./fixtures.ts";
import { startRedirectingProxy } from "./redirecting-proxy.ts";
import { openModel, openSandbox, run, sameSession } from "./steps.ts";

const REQUESTS = "/sandbox/api/v1/queue/apikey/requests";
const isSubmit = (request: { method(): string; url(): string }) =>
  request.method() === "POST" && request.url().endsWith(REQUESTS);

async function countJobs(page: Page): Promise<number> {
  const answer = await page.request.get(REQUESTS, { headers: { Authorization: "Bearer sandbox-key" } });
  return (await answer.json()).requests.length;
}

// M3, M4, M5, M22, M25. No worker holds the key, so what crashes here is the tab.
test("twenty clicks in two tabs are one job; going back sends nothing", { tag: "@slow" }, async ({ page, context }) => {
  let submits = 0;
  context.on("request", (request) => {
    if (isSubmit(request)) submits += 1;
  });
  await openModel(page, "lumen-2-fast");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Moss garden");
  await sameSession(page);
  const other = await context.newPage();
  await other.goto("/create/lumen-2-fast");
  await other.getByRole("textbox", { name: "Prompt", exact: true }).fill("Moss garden");
  const press = async (tab: Page) => {
    const button = tab.getByRole("button", { name: "Run", exact: true });
    await expect(button).toContainText("$0.009");
    await expect(button).not.toHaveAttribute("aria-disabled", "true");
    return () =>
      button.evaluate((element: HTMLButtonElement) => {
        const enter = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
        for (let index = 0; index < 20; index += 1) {
          element.click();
          element.dispatchEvent(new KeyboardEvent("keydown", enter));
        }
      });
  };
  const presses = [await press(page), await press(other)];
  await Promise.all(presses.map((all) => all()));
  const refusals = /Another tab is submitting a run|This run was already submitted|earlier run of this model/;
  const notices = async () => (await page.getByText(refusals).count()) + (await other.getByText(refusals).count());
  await expect.poll(notices).toBeGreaterThan(0);
  await expect.poll(() => countJobs(page)).toBe(1);
  expect(submits).toBe(1);

  // M22: away to another document and back.
  await page.goto("about:blank");
  await page.goBack();
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  await other.close();
  expect(submits).toBe(1);

  // M5: the job is made, and the page dies before the answer.
  await page.goto("/create/halide-turbo");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("stuck:hour A kite");
  await page.request.put("/sandbox/settings", { data: { quirks: ["slow-submit"] } });
  await run(page);
  await expect.poll(() => countJobs(page)).toBe(2);
  const dying = await context.newCDPSession(page);
  dying.send("Page.crash").catch(() => {});
  const next = await context.newPage();
  await next.goto("/spend");
  const line = next.getByText("No response, but the job was found in the job list");
  await expect(line).toBeVisible();
  expect(await countJobs(next)).toBe(2);
  expect(submits).toBe(2);
});

// M27.
test("a redirected submit is not followed; the host says that it never left", async ({ page, host, faults, atEnd }) => {
  faults.allow(/request to http:|ERR_FAILED|Failed to load resource|redirect/);
  const proxy = await startRedirectingProxy(host.url);
  atEnd(() => proxy.close());
  await openSandbox(page, `${proxy.url}/create/lumen-2-fast`);
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("Moss garden");
  await run(page);
  const inputs = page.getByRole("region", { name: "Inputs" });
  await expect(inputs.getByText("Lost connection to the Safelight server")).toBeVisible();
  await axe(page);
  expect(proxy.followed()).toBe(0);
  expect(await countJobs(page)).toBe(0);
  proxy.letPass();
  await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
  expect(await countJobs(page)).toBe(1);
});

// M13, M8: the window of the job list comes from the service, not from the device.
for (const days of [3, -3]) {
  test(`a device ${days} days off finds the job of an unclear answer`, { tag: "@long-money" }, async ({
    page,
    faults,
  }) => {
    faults.allow(/Bad Gateway/);
    await page.addInitScript((offsetMs) => {
      const Real = Date;
      globalThis.Date = class extends Real {
        constructor(...given: []) {
          if (given.length === 0) super(Real.now() + offsetMs);
          else super(...given);
        }
        static override now() {
          return Real.now() + offsetMs;
        }
      } as DateConstructor;
    }, days * 86_400_000);
    await openModel(page, "lumen-2");
    await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("gateway:after A lamp in the fog");
    await run(page);
    await expect(page.getByText(/The response was 502: Bad Gateway/)).toBeVisible();
    await expect(page.getByText(/Waiting for the last run to be confirmed/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Download" }).first()).toBeVisible();
    expect(await countJobs(page)).toBe(1);
  });
}
