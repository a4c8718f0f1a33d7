// npm run bench -- forms [--rounds=5] [--fields=200] [--pages=open,folded,rjsf,plain]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";
import { runBench } from "../run-bench.mjs";
import { loadText, median, shuffled } from "../samples.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { startBrowser } from "../start-browser.mjs";
import { measureForm } from "./measure-form.mjs";

/** Ours with everything open and with the usual folding; RJSF with its stock validator; plain DOM as the floor. */
const PAGES = ["open", "folded", "rjsf", "plain"];
const TEXT = "a fox jumps over the lazy dog at dawn in";

/** @typedef {Awaited<ReturnType<typeof measureForm>>} Figures */

/** @type {{ figure: keyof Figures, words: string, most: Record<string, number> }[]} */
const TARGETS = [
  { figure: "scriptPerKey", words: "script per key", most: { open: 0.25, folded: 0.25 } },
  { figure: "taskPerKey", words: "task per key", most: { open: 0.55, folded: 0.55 } },
  { figure: "mount", words: "mount, the first form of a cold page", most: { open: 0.75, folded: 0.5 } },
  { figure: "remount", words: "mount, the next form of the page", most: { open: 0.75, folded: 0.5 } },
];
/** @type {[figure: keyof Figures, head: string][]} */
const COLUMNS = [
  ["mount", "mount ms"],
  ["remount", "next mount ms"],
  ["whole", "with all ms"],
  ["firstPaint", "first paint ms"],
  ["taskPerKey", "task a key ms"],
  ["scriptPerKey", "script a key ms"],
  ["controls", "controls"],
  ["allControls", "with all"],
  ["nodes", "nodes"],
];
const HEADINGS = `Every page is built with the same options.
mount: until every field is there and what is near has its controls; this is what the targets hold.
with all: a next mount, until the controls far out of sight are made too (those of a folded tail when it is opened).`;
/** @type {Record<string, string>} */
const PAGE_WORDS = { open: "everything open", folded: "usual folding" };

/** @param {string} name */
const html = (
  name,
) => `<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>${name}</title><body>
<div id="root"></div><script type="module" src="/.bench/forms/pages/${name}.mjs"></script></body></html>`;

const bench = { name: "forms", rounds: 5, minutes: { whole: 15, short: 10 }, options: ["fields", "pages"] };
await runBench(bench, async ({ rounds, number, names, doing, target }) => {
  const pages = names("pages", PAGES);
  const asked = { fields: number("fields", 200), text: TEXT };
  /** @type {Record<string, Figures[]>} */
  const runs = Object.fromEntries(pages.map((page) => [page, []]));
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
  // The stock validator compiles with new Function, so these pages come without the studio's content policy.
  const server = await serveFolder(folder);
  const browser = await startBrowser();
  try {
    for (const page of pages) {
      doing(`building the page "${page}"`);
      await buildPage(folder, page, html(page));
    }
    for (let round = 0; round <= rounds; round++) {
      for (const page of round === 0 ? pages : shuffled(pages)) {
        doing(`measuring the page "${page}", ${round === 0 ? "the run that does not count" : `round ${round}`}`);
        const figures = await measureForm(browser, `${server.origin}/${page}/${page}.html`, asked);
        // The first run of each does not count.
        if (round > 0) runs[page]?.push(figures);
      }
    }
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /** @type {(page: string, figure: keyof Figures) => number} */
  const of = (page, figure) => median((runs[page] ?? []).map((run) => run[figure]));
  console.log(
    `${asked.fields} fields, ${TEXT.length} keys, median of ${rounds}, each after one run that does not count`,
  );
  console.log(HEADINGS);
  console.log(`  ${"".padEnd(8)}${COLUMNS.map(([, head]) => head.padStart(16)).join("")}`);
  for (const page of pages) {
    const cells = COLUMNS.map(([figure]) =>
      of(page, figure)
        .toFixed(figure.endsWith("Key") ? 2 : 0)
        .padStart(16),
    );
    console.log(`  ${page.padEnd(8)}${cells.join("")}`);
  }
  console.log(`  ${loadText()}`);
  for (const { figure, words, most } of pages.includes("rjsf") ? TARGETS : []) {
    for (const [page, bound] of Object.entries(most).filter(([name]) => pages.includes(name))) {
      const ratio = of(page, figure) / of("rjsf", figure);
      target(ratio <= bound, `${words}, ${PAGE_WORDS[page]}: ${ratio.toFixed(3)} of RJSF (at most ${bound})`);
    }
  }
});
