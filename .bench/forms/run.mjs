// npm run bench -- forms [--reps=5] [--fields=200] [--pages=open,folded,plain,rjsf]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";
import { loadText, median, shuffled } from "../samples.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { startBrowser } from "../start-browser.mjs";
import { measureForm } from "./measure-form.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const reps = Number(options.reps ?? 5);
const fields = Number(options.fields ?? 200);
// Ours with everything open and with the usual folding; RJSF with its stock validator; plain DOM as the floor.
const pages = (options.pages ?? "open,folded,rjsf,plain").split(",");
const TEXT = "a fox jumps over the lazy dog at dawn in";
const TARGETS = [
  ["scriptPerKey", "script per key", { open: 0.25, folded: 0.25 }],
  ["taskPerKey", "task per key", { open: 0.55, folded: 0.55 }],
  ["mount", "mount, the first form of a cold page", { open: 0.75, folded: 0.5 }],
  ["remount", "mount, the next form of the page", { open: 0.75, folded: 0.5 }],
];
const HEADINGS = `Every page is built with the same options.
mount: until every field is there and what is near has its controls; this is what the targets hold.
with all: a next mount, until the controls far out of sight are made too (those of a folded tail when it is opened).`;
const PAGE_WORDS = { open: "everything open", folded: "usual folding" };

const html = (
  name,
) => `<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>${name}</title><body>
<div id="root"></div><script type="module" src="/.bench/forms/pages/${name}.mjs"></script></body></html>`;

const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
for (const page of pages) await buildPage(folder, page, html(page));
// The stock validator compiles with new Function, so these pages come without the studio's content policy.
const server = await serveFolder(folder);
const browser = await startBrowser();
const runs = Object.fromEntries(pages.map((page) => [page, []]));
const asked = { fields, text: TEXT };
try {
  for (const page of pages) await measureForm(browser, `${server.origin}/${page}/${page}.html`, asked);
  for (let rep = 0; rep < reps; rep++) {
    for (const page of shuffled(pages)) {
      runs[page].push(await measureForm(browser, `${server.origin}/${page}/${page}.html`, asked));
    }
  }
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

const of = (page, figure) => median(runs[page].map((run) => run[figure]));
const columns = [
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
console.log(`${fields} fields, ${TEXT.length} keys, median of ${reps}, each after one run that does not count`);
console.log(HEADINGS);
console.log(`  ${"".padEnd(8)}${columns.map(([, head]) => head.padStart(16)).join("")}`);
for (const page of pages) {
  const cells = columns.map(([figure]) =>
    of(page, figure)
      .toFixed(figure.endsWith("Key") ? 2 : 0)
      .padStart(16),
  );
  console.log(`  ${page.padEnd(8)}${cells.join("")}`);
}
console.log(`  ${loadText()}`);
for (const [figure, words, most] of pages.includes("rjsf") ? TARGETS : []) {
  for (const page of Object.keys(most).filter((name) => runs[name])) {
    const ratio = of(page, figure) / of("rjsf", figure);
    const holds = ratio <= most[page];
    if (!holds) process.exitCode = 1;
    console.log(
      `  ${holds ? "holds " : "MISSED"} ${words}, ${PAGE_WORDS[page]}: ${ratio.toFixed(3)} of RJSF (at most ${most[page]})`,
    );
  }
}
