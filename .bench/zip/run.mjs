// npm run bench -- zip [--rounds=2] [--files=100] [--megabytes=1024] [--lost=7]
// One short round saves a tenth. The memory of the processes is known on Linux alone.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArguments } from "../../.scripts/find-chromium.mjs";
import { buildPage } from "../build-page.mjs";
import { openPage } from "../open-page.mjs";
import { runBench } from "../run-bench.mjs";
import { loadText } from "../samples.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { chromiumPath } from "../start-browser.mjs";
import { largeFile } from "./large-files.mjs";
import { watchMemory } from "./process-memory.mjs";

const MAX_MEGABYTES = 300;
const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>zip</title>
<script type="module" src="/.bench/zip/page.mjs"></script>`;

const bench = {
  name: "zip",
  rounds: 2,
  minutes: { whole: 20, short: 10 },
  options: ["files", "megabytes", "lost"],
};
await runBench(bench, async ({ rounds, isShort, number, doing, target, must }) => {
  const files = number("files", 100);
  const megabytes = number("megabytes", isShort ? 100 : 1024);
  const lost = number("lost", 7);
  doing("building its page");
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-zip-"));
  const server = await serveFolder(folder, { "/file": largeFile });
  try {
    await buildPage(folder, "zip", html);
    for (let round = 1; round <= rounds; round++) {
      for (const into of /** @type {const} */ (["sink", "download"])) {
        doing(`saving ${megabytes} MB into a ${into}, round ${round}`);
        await measure(into);
      }
    }
    console.log(`  ${loadText()}`);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /** @param {"sink" | "download"} into */
  async function measure(into) {
    // A browser and a profile of its own: nothing of an earlier run counts, and private storage is on the disk, as a
    // person's is.
    const profile = mkdtempSync(join(tmpdir(), "safelight-bench-profile-"));
    const args = [...chromiumArguments, "--headless=new"];
    const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath(), args });
    try {
      const { page: tab, orFail } = await openPage(context, `${server.origin}/zip/zip.html`, "makeZip");
      const stop = process.platform === "linux" ? watchMemory(profile) : undefined;
      const bytes = Math.ceil((megabytes * 1024 * 1024) / (files - lost));
      const made = await orFail(tab.evaluate((given) => window.makeZip(given), { files, bytes, lost, into }));
      const memory = stop?.();
      console.log(
        `  into a ${into}: ${(made.bytes / 1e6).toFixed(0)} MB of ${files - lost} files, ${made.failures} to retry, in ${(made.ms / 1000).toFixed(1)} s`,
      );
      must(made.failures === lost && made.bytes > megabytes * 1024 * 1024, "every file that could be had is in it");
      if (!memory) return;
      const { page, grown } = memory;
      target(page <= MAX_MEGABYTES, `the page's process at its peak: ${page.toFixed(0)} MB (at most ${MAX_MEGABYTES})`);
      target(
        grown <= MAX_MEGABYTES,
        `all processes together grew by ${grown.toFixed(0)} MB (at most ${MAX_MEGABYTES})`,
      );
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }
});
