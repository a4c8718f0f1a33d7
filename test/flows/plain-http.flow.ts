import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumArguments, findChromium } from "../../.scripts/find-chromium.mjs";
import { freePort } from "../setup/free-port.ts";
import { test as base, expect } from "./fixtures.ts";
import { saidKinds, startHost } from "./start-host.ts";
import { ask, openSandbox, run } from "./steps.ts";

const NAME = "studio.lan";
const PASSWORD = "correct horse battery";
const executablePath = findChromium();

/** A team's host without TLS, under a name. To a browser a page of it is no secure context. */
const test = base.extend({
  host: async ({ browserName: _ }, use) => {
    const port = await freePort();
    const url = `http://${NAME}:${port}`;
    const data = mkdtempSync(join(tmpdir(), "safelight-plain-"));
    const host = await startHost({
      PORT: String(port),
      SAFELIGHT_DATA: data,
      SAFELIGHT_PUBLIC_ORIGIN: url,
      SAFELIGHT_ACCESS: `password:${PASSWORD}`,
      SAFELIGHT_INSECURE_HTTP: "yes",
      SAFELIGHT_SANDBOX: "on",
      SAFELIGHT_SANDBOX_SPEED: "60",
    });
    await use({ ...host, url });
    await host.stop();
    rmSync(data, { recursive: true });
    // The page before somebody signed in.
    expect(saidKinds(host), "the host's stderr").toEqual(["Rejected: access_required"]);
  },
});

test.use({
  launchOptions: {
    args: [...chromiumArguments, `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
    ...(executablePath ? { executablePath } : {}),
  },
  // Such a page has no caches, so nothing can be in them.
  unsearched: /^not searched: the list of caches/,
});

test("over plain http under a name, which no browser counts as secure, the studio works", async ({ page, faults }) => {
  // The browser's own lines: the form came with 401, and a header counts on secure pages only.
  faults.allow(/status of 401/);
  faults.allow(/Cross-Origin-Opener-Policy header has been ignored/);
  await page.goto("/create/lumen-2");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await openSandbox(page, "/create/lumen-2");
  expect(await page.evaluate(() => [isSecureContext, navigator.locks, crypto.subtle])).toEqual([
    false,
    undefined,
    undefined,
  ]);

  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("A lamp in the fog");
  await run(page);
  const picture = page.getByRole("img", { name: "A lamp in the fog" }).first();
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);

  await page.goto("/playground");
  await ask(page, "Why do neap tides happen? tps:2000 long:50");
  await expect(page.getByText(/^[\d,]+ tokens$/)).toHaveCount(1);

  await page.goto("/history");
  await expect(page.getByText("A lamp in the fog").first()).toBeVisible();
});
