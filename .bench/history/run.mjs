// npm run bench -- history [--rounds=3] [--count=100000] [--most=1000000] [--parts=lists,index,studio,million]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";
import { runBench } from "../run-bench.mjs";
import { loadText, median } from "../samples.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { startBrowser } from "../start-browser.mjs";
import { startStudio } from "../start-studio.mjs";
import { measureIndex, measureList } from "./measure-lists.mjs";
import { measureStudio } from "./measure-studio.mjs";

/**
 * @typedef {import("@playwright/test").Browser} Browser
 * @typedef {Awaited<ReturnType<typeof measureList>>} ListFigures
 * @typedef {Awaited<ReturnType<typeof measureIndex>>} IndexFigures
 */

const LISTS = /** @type {const} */ (["ours", "virtuoso"]);
const PARTS = ["lists", "index", "studio", "million"];
/** The jobs of the studio in one short round: its index is full at once. */
const FEW = 2000;

/** @param {string} name */
const html = (name) => `<!doctype html><html lang="en" data-theme="dark"><meta charset="utf-8"><title>${name}</title>
<style>#list{height:748px;width:1075px;display:flex;flex-direction:column}</style>
<div id="list"></div><script type="module" src="/.bench/history/pages/${name}.mjs"></script>`;

const bench = {
  name: "history",
  rounds: 3,
  minutes: { whole: 45, short: 10 },
  options: ["count", "most", "parts"],
};
await runBench(bench, async (run) => {
  const { rounds, isShort, doing } = run;
  const parts = run.names("parts", isShort ? ["lists", "index", "studio"] : PARTS);
  const count = run.number("count", 100_000);
  const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
  const server = await serveFolder(folder);
  const browser = await startBrowser();
  try {
    doing("building its pages");
    for (const name of LISTS) await buildPage(folder, name, html(name));
    if (parts.includes("lists")) await compareLists(browser, server.origin);
    if (parts.includes("index")) await openIndex(browser, server.origin);
    if (parts.includes("studio")) await openStudio(browser, isShort ? run.number("count", FEW) : count);
    if (parts.includes("million")) await openStudio(browser, run.number("most", 1_000_000));
    console.log(`  ${loadText()}`);
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /**
   * @param {number} value
   * @param {number} most
   * @param {string} text
   */
  function judge(value, most, text) {
    run.target(value <= most, `${text}: ${value.toFixed(2)} (at most ${most})`);
  }

  /**
   * @param {Browser} browser
   * @param {string} origin
   */
  async function compareLists(browser, origin) {
    for (const slowdown of isShort ? [1] : [1, 4]) {
      const runs = { ours: /** @type {ListFigures[]} */ ([]), virtuoso: /** @type {ListFigures[]} */ ([]) };
      for (let round = 0; round < rounds; round++) {
        for (const list of round % 2 ? LISTS : LISTS.toReversed()) {
          doing(`scrolling the list "${list}", ${slowdown} times slowed, round ${round + 1}`);
          runs[list].push(await measureList(browser, `${origin}/${list}/${list}.html`, { count, slowdown }));
        }
      }
      console.log(`\n${count} rows, processor slowed ${slowdown} times, median of ${rounds}, for each frame`);
      for (const pace of /** @type {const} */ (["slow", "fast"])) {
        /** @type {(list: "ours" | "virtuoso", name: "task" | "script" | "nodes") => number} */
        const of = (list, name) => median(runs[list].map((figures) => figures[pace][name]));
        for (const list of LISTS) {
          const over = median(runs[list].map((figures) => figures[pace].gaps.filter((gap) => gap > 50).length));
          console.log(
            `  ${pace} ${list.padEnd(9)} task ${of(list, "task").toFixed(2)} ms   script ${of(list, "script").toFixed(2)} ms   over 50 ms ${over}   nodes ${of(list, "nodes")}`,
          );
        }
        judge(of("ours", "task") / of("virtuoso", "task"), 1, `${pace}: our task for a frame, of virtuoso's`);
      }
    }
  }

  /**
   * @param {Browser} browser
   * @param {string} origin
   */
  async function openIndex(browser, origin) {
    doing("opening and searching the index");
    const first = await measureIndex(browser, `${origin}/ours/ours.html`, count);
    const runs = [first];
    for (let round = 1; round < rounds; round++) {
      runs.push(await measureIndex(browser, `${origin}/ours/ours.html`, count));
    }
    // The quickest, for others may share the processor.
    /** @param {(figures: IndexFigures) => number} of */
    const least = (of) => Math.min(...runs.map(of));
    console.log(
      `\nindex of ${first.jobs} jobs, quickest of ${rounds}: written in ${least(({ writeMs }) => writeMs).toFixed(0)} ms`,
    );
    judge(
      least(({ openMs }) => openMs),
      300,
      "opened and sorted, ms",
    );
    console.log(`  texts made in idle moments, ${least(({ textsMs }) => textsMs).toFixed(0)} ms in all`);
    for (const [place, { query, found }] of first.searches.entries()) {
      const ms = least(({ searches }) => searches[place]?.ms ?? Number.POSITIVE_INFINITY);
      judge(ms, 10, `search ${query} (${found} found), ms`);
    }
  }

  /**
   * @param {Browser} browser
   * @param {number} jobs
   */
  async function openStudio(browser, jobs) {
    doing("starting the studio");
    const studio = await startStudio(jobs);
    try {
      const jumps = isShort ? 6 : 30;
      const { first, reading, views, thumbs } = await measureStudio(browser, studio.origin, { jumps, doing });
      console.log(`\nthe studio with ${jobs} jobs, read into the index in ${reading.seconds.toFixed(1)} s`);
      judge(reading.requests, 129, "requests to read what the index holds");
      judge(first, 1000, "first rows while the index is empty, ms");
      for (const { view, firstRowsMs, task, script, p95, over50, longTasks, nodes, isAtEnd, jumps, heap } of views) {
        console.log(
          `  ${view}: task ${task.toFixed(2)} ms a frame, script ${script.toFixed(2)}, frames p95 ${p95.toFixed(0)} ms, ${longTasks} long tasks, all jumps shift ${jumps.shift.toFixed(4)}`,
        );
        run.must(isAtEnd, `${view}: scrolls to its end`);
        judge(firstRowsMs, 1000, `${view}: first rows after opening, ms`);
        judge(over50, 0, `${view}: frames over 50 ms from top to bottom`);
        judge(jumps.longest, 50, `${view}: longest frame in jumps, ms`);
        judge(jumps.worstShift, 0.02, `${view}: layout shift of a jump`);
        judge(nodes, 1499, `${view}: elements at most`);
        judge(heap, 250, `${view}: memory of scripts, MB`);
      }
      const { tiles, late, median: half, p90, originals, media } = thumbs;
      /** @param {{ files: number, bytes: number }} read */
      const mb = ({ files, bytes }) => `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
      console.log(
        `  jumps again over ${tiles} tiles that were seen: painted after ${half.toFixed(0)} ms, p90 ${p90.toFixed(0)} ms`,
      );
      judge(late, 0.1, "share of them painted later than 300 ms after the jump");
      console.log(`  files read at the first visit: ${mb(originals)}; at the second: ${mb(media)}`);
      judge(media.bytes / originals.bytes, 0.1, "bytes of files at the second visit, of those at the first");
    } finally {
      studio.close();
    }
  }
});
