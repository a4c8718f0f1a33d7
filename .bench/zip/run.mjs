// npm run bench -- zip [--files=100] [--megabytes=1024] [--lost=7]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArguments, findChromium } from "../../.scripts/find-chromium.mjs";
import { buildPage } from "../build-page.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { largeFile } from "./large-files.mjs";
import { watchMemory } from "./process-memory.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const files = Number(options.files ?? 100);
const megabytes = Number(options.megabytes ?? 1024);
const lost = Number(options.lost ?? 7);
const MOST_MEGABYTES = 300;

const executablePath = findChromium();
if (!executablePath) throw new Error("No Chromium was found. Set CHROMIUM_PATH.");
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>zip</title>
<script type="module" src="/.bench/zip/page.mjs"></script>`;

async function measure(origin, into) {
  // A browser and a profile of its own: nothing of an earlier run counts, and private storage is on the disk, as a
  // person's is.
  const profile = mkdtempSync(join(tmpdir(), "safelight-bench-profile-"));
  const args = [...chromiumArguments, "--headless=new"];
  const context = await chromium.launchPersistentContext(profile, { executablePath, args });
  try {
    const tab = await context.newPage();
    await tab.goto(`${origin}/zip/zip.html`);
    await tab.waitForFunction("window.makeZip");
    const stop = watchMemory(profile);
    const bytes = Math.ceil((megabytes * 1024 * 1024) / (files - lost));
    const made = await tab.evaluate((given) => window.makeZip(given), { files, bytes, lost, into });
    const { page, grown } = stop();
    const isWhole = made.failures === lost && made.bytes > megabytes * 1024 * 1024;
    console.log(
      `  into a ${into}: ${(made.bytes / 1e6).toFixed(0)} MB of ${files - lost} files, ${made.failures} to retry, in ${(made.ms / 1000).toFixed(1)} s`,
    );
    for (const [holds, text] of [
      [isWhole, "every file that could be had is in it"],
      [page <= MOST_MEGABYTES, `the page's process at its peak: ${page.toFixed(0)} MB (at most ${MOST_MEGABYTES})`],
      [grown <= MOST_MEGABYTES, `all processes together grew by ${grown.toFixed(0)} MB (at most ${MOST_MEGABYTES})`],
    ]) {
      console.log(`  ${holds ? "holds " : "MISSED"} ${text}`);
      if (!holds) process.exitCode = 1;
    }
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

const folder = mkdtempSync(join(tmpdir(), "safelight-bench-zip-"));
await buildPage(folder, "zip", html);
const server = await serveFolder(folder, { "/file": largeFile });
try {
  for (const into of ["sink", "download"]) await measure(server.origin, into);
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
