// npm run shots: a picture of every screen, both themes, desk and phone, into .shots/.
// `npm run shots -- create` takes only those whose name begins with "create".
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureInstalled, projectRoot } from "./ensure-installed.mjs";
import { chromiumArguments } from "./find-chromium.mjs";

await ensureInstalled();
await ensureBuilt();
const { chromium } = await import("@playwright/test");

/** @typedef {import("@playwright/test").Page} Page */

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
/** @param {Page} page */
const run = (page) => page.getByRole("button", { name: /^Run/ });

/**
 * Each screen: its name and how to get there once the sandbox is open.
 * @type {{ name: string, visit: (page: Page) => Promise<unknown> }[]}
 */
const SCREENS = [
  { name: "create", visit: (page) => page.goto("/create") },
  { name: "create-result", visit: createResult },
  { name: "job", visit: firstJob },
  { name: "history", visit: (page) => page.goto("/history") },
  { name: "viewer", visit: viewer },
  { name: "playground", visit: (page) => page.goto("/playground") },
  { name: "batch", visit: batch },
  { name: "batch-sheet", visit: batchSheet },
  { name: "prices", visit: prices },
  { name: "spend", visit: (page) => page.goto("/spend") },
  { name: "settings", visit: (page) => page.goto("/settings") },
];

const only = process.argv[2] ?? "";
const folder = join(projectRoot, ".shots");
mkdirSync(folder, { recursive: true });

const host = await startHost();
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: chromiumArguments });
try {
  for (const colorScheme of /** @type {const} */ (["dark", "light"])) {
    for (const [size, viewport] of Object.entries(SIZES)) {
      const context = await browser.newContext({
        baseURL: host.url,
        viewport,
        colorScheme,
        reducedMotion: "reduce",
        hasTouch: size === "phone",
      });
      const page = await context.newPage();
      /** @param {string} name */
      const shoot = async (name) => {
        if (!name.startsWith(only)) return;
        await settled(page);
        const path = join(folder, `${name}-${colorScheme}-${size}.png`);
        await page.screenshot({ path });
        console.log(path);
      };
      await page.goto("/connect");
      await shoot("connect");
      await page.getByRole("button", { name: "Open sandbox" }).first().click();
      await run(page).waitFor();
      for (const { name, visit } of SCREENS) {
        if (!name.startsWith(only)) continue;
        await visit(page).catch((error) => console.error(`${name}: ${error.message.split("\n")[0]}`));
        await shoot(name);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  host.stop();
}

/**
 * The screen, its fonts and its pictures are there and painted. Polling never rests, so the network is no measure.
 * @param {Page} page
 */
async function settled(page) {
  await page
    .waitForFunction(
      () => {
        const isEmpty = !document.querySelector("main")?.innerText.trim();
        return !isEmpty && document.querySelector('[aria-busy="true"], main .animate-pulse') === null;
      },
      null,
      { timeout: 5000 },
    )
    .catch(() => {});
  await page.evaluate(async () => {
    await document.fonts.ready;
    const late = new Promise((resolve) => setTimeout(resolve, 2000));
    await Promise.race([late, Promise.all([...document.images].map((image) => image.decode().catch(() => {})))]);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** @param {Page} page */
async function createResult(page) {
  await page.goto("/create/lumen-2");
  const prompt = page.getByRole("textbox", { name: /prompt|text/i }).first();
  await prompt.fill("A lighthouse on basalt cliffs, blue hour, long exposure");
  await run(page).click();
  await page.locator("main img").first().waitFor({ timeout: 30_000 });
}

/** @param {Page} page */
async function firstJob(page) {
  await page.goto("/history");
  const address = await page.locator('main a[href^="/jobs/"]').first().getAttribute("href");
  if (!address) throw new Error("History has no job.");
  await page.goto(address);
}

/** @param {Page} page */
async function viewer(page) {
  await page.goto("/history");
  await page.locator('main a[href^="/jobs/"]').first().click();
}

/**
 * The six runs of an answer in Playground as a table.
 * @param {Page} page
 */
async function batch(page) {
  await page.goto("/playground");
  const message = page.getByRole("textbox", { name: /^Message/ });
  await message.fill("A lighthouse in fog, propose:runs tps:2000");
  await message.press("Enter");
  await page.getByRole("button", { name: "Open in Batch" }).last().click();
  await page.waitForURL(/\/batch\/./);
  await page
    .getByText(/\$0\.03\d/)
    .first()
    .waitFor();
}

/**
 * The same, run, as a contact sheet.
 * @param {Page} page
 */
async function batchSheet(page) {
  await batch(page);
  await page.getByRole("button", { name: /^Run 6 for/ }).click();
  await page.getByRole("link", { name: /^Done 6/ }).waitFor({ timeout: 60_000 });
  await page.getByRole("radio", { name: "Sheet" }).check({ force: true });
  await page.locator("main img").first().waitFor();
}

/**
 * A price table, all of whose prices are known.
 * @param {Page} page
 */
async function prices(page) {
  await page.goto("/prices/lumen-2-pro");
  await page.waitForFunction(() => (document.querySelector("main")?.innerText.match(/\$\d/g) ?? []).length >= 12);
}

/**
 * The built host on a free port, with a past of its own so that lists have something to show.
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
function startHost() {
  const env = {
    ...process.env,
    PORT: "0",
    SAFELIGHT_SANDBOX_SPEED: "60",
    SAFELIGHT_SANDBOX_HISTORY: "60",
    SAFELIGHT_SANDBOX_SEED: "1",
  };
  const child = spawn(process.execPath, ["dist-host/main.js"], {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`The host ended with ${code}.`)));
    child.stdout.on("data", (chunk) => {
      const url = / at (\S+)/.exec(String(chunk))?.[1];
      if (url) resolve({ url, stop: () => child.kill() });
    });
  });
}
