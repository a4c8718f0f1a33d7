import { test as base, expect, settled } from "./fixtures.ts";
import { copyBuild, type OwnBuild } from "./own-build.ts";
import { startHost } from "./start-host.ts";
import { run } from "./steps.ts";

/** A host with a build of its own, which can change under the open tab. */
const test = base.extend<{ build: OwnBuild }>({
  build: async ({ browserName: _ }, use) => {
    const build = await copyBuild();
    await use(build);
    await build.remove();
  },
  host: async ({ build }, use) => {
    const host = await startHost({}, build.mainFile);
    await use(host);
    await host.stop();
    expect(host.stderr(), "the host's stderr").toBe("");
  },
});

// P21, P22, P23.
test("a deployment under an open tab causes one reload, where it helps", { tag: "@slow" }, async ({
  page,
  build,
  faults,
}) => {
  faults.allow(/404|Failed to load resource|dynamically imported module|MissingCodeError/);
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  // P21: the code of the shell and of Create is gone.
  const partBack = await build.takeAway(/^result-stage-.*\.js$/);
  const studioBack = await build.takeAway(/^studio-.*\.js$/);
  await page.goto("/create/lumen-2-fast");
  await page.getByRole("button", { name: "Open sandbox" }).click();
  await expect(page.getByRole("heading", { name: "This screen couldn’t be loaded" })).toBeVisible();
  await studioBack();
  await page.getByRole("button", { name: "Reload" }).click();

  // P21: the code of what shows results is gone. A run needs none of it: it is submitted once, and the queue follows it.
  await expect(page.getByText("A part of Safelight couldn’t be loaded")).toBeVisible();
  await page.getByRole("textbox", { name: "Prompt" }).fill("A run with a part missing");
  await run(page);
  const queue = page.getByRole("region", { name: "Queue" });
  await expect(queue.getByText("A run with a part missing")).toBeVisible();
  await expect(queue.getByText("Done")).toBeVisible();
  await partBack();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("button", { name: /^A run with a part missing, Done/ })).toHaveCount(1);
  await expect(page.getByText("Charged $0.009")).toBeVisible();

  // P21: a screen's chunk is gone, and nothing newer is served: a panel with a way on, and nothing reloads by itself.
  const before = loads;
  const putBack = await build.takeAway(/^spend-screen-.*\.js$/);
  await page.getByRole("link", { name: "Spend" }).click();
  await expect(page.getByRole("heading", { name: "This screen couldn’t be loaded" })).toBeVisible();
  expect(loads - before).toBe(0);
  await putBack();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Spend", level: 1 })).toBeVisible();

  // P23: a service worker of another site answers for this address.
  const leaver = await page.context().newPage();
  // A page without the studio's policy, which would not let it in.
  await leaver.route("/blank", (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await leaver.goto("/blank");
  await leaver.evaluate(async () => {
    await navigator.serviceWorker.register("/sandbox-worker.js?of=another-site");
    await navigator.serviceWorker.ready;
  });
  await leaver.close();
  await page.reload();
  // It is unregistered, and the page loaded once more without it.
  await expect(async () => {
    expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  }).toPass();
  await expect(page.getByRole("heading", { name: "Spend", level: 1 })).toBeVisible();

  // P22: the host serves another studio by now. It is offered, and nothing reloads by itself.
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Spend", level: 1 })).toBeVisible();
  // The worker for a studio without a network fetches every file. A file that is deployed over while it is read is an
  // error that the host reports, and not what is told here.
  await page.clock.fastForward("00:09");
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await build.deployNext();
  const focus = () => page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await focus();
  await page.clock.fastForward("09:00");
  await focus();
  await expect(page.getByText("A new version of Safelight is available")).toBeHidden();
  await page.clock.fastForward("02:00");
  await focus();
  await expect(page.getByText("A new version of Safelight is available")).toBeVisible();
  const entry = page.locator("script[type=module][src]");
  await expect(entry).not.toHaveAttribute("src", /next/);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(entry).toHaveAttribute("src", /next/);
  await expect(page.getByRole("heading", { name: "Spend", level: 1 })).toBeVisible();

  // P21: a screen's chunk is gone with the studio that it belonged to. One reload brings the new one.
  await settled(page);
  const beforeSecond = loads;
  await build.deployNext();
  await page.getByRole("link", { name: "History" }).click();
  await expect(entry).toHaveAttribute("src", /next.*next/);
  await expect(page.getByRole("heading", { name: "History", level: 1 })).toBeVisible();
  expect(loads - beforeSecond).toBe(1);
});
