// npm run bench -- history [--reps=3] [--count=100000] [--most=1000000] [--only=lists,index,studio,million]
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "../build-page.mjs";
import { serveFolder } from "../serve-folder.mjs";
import { startBrowser } from "../start-browser.mjs";
import { startStudio } from "../start-studio.mjs";
import { measureIndex, measureList } from "./measure-lists.mjs";
import { measureStudio } from "./measure-studio.mjs";
import { median } from "./page-metrics.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const reps = Number(options.reps ?? 3);
const count = Number(options.count ?? 100_000);
const most = Number(options.most ?? 1_000_000);
const isAsked = (name) => options.only === undefined || options.only.split(",").includes(name);
const LISTS = ["ours", "virtuoso"];
let isAllHeld = true;

function judge(value, most, text) {
  isAllHeld &&= value <= most;
  console.log(`  ${value <= most ? "holds " : "MISSED"} ${text}: ${value.toFixed(2)} (at most ${most})`);
}

async function compareLists(browser, origin) {
  for (const slowdown of [1, 4]) {
    const runs = { ours: [], virtuoso: [] };
    for (let rep = 0; rep < reps; rep++) {
      for (const list of rep % 2 ? LISTS : LISTS.toReversed()) {
        runs[list].push(await measureList(browser, `${origin}/${list}/${list}.html`, { count, slowdown }));
      }
    }
    console.log(`\n${count} rows, processor slowed ${slowdown} times, median of ${reps}, for each frame`);
    for (const pace of ["slow", "fast"]) {
      const of = (list, name) => median(runs[list].map((run) => run[pace][name]));
      for (const list of LISTS) {
        const over = median(runs[list].map((run) => run[pace].gaps.filter((gap) => gap > 50).length));
        console.log(
          `  ${pace} ${list.padEnd(9)} task ${of(list, "task").toFixed(2)} ms   script ${of(list, "script").toFixed(2)} ms   over 50 ms ${over}   nodes ${of(list, "nodes")}`,
        );
      }
      judge(of("ours", "task") / of("virtuoso", "task"), 1, `${pace}: our task for a frame, of virtuoso's`);
    }
  }
}

async function openIndex(browser, origin) {
  const runs = [];
  for (let rep = 0; rep < reps; rep++) runs.push(await measureIndex(browser, `${origin}/ours/ours.html`, count));
  // The quickest, for others may share the processor.
  const least = (of) => Math.min(...runs.map(of));
  const [{ jobs, searches }] = runs;
  console.log(`\nindex of ${jobs} jobs, quickest of ${reps}: written in ${least((run) => run.writeMs).toFixed(0)} ms`);
  judge(
    least((run) => run.openMs),
    300,
    "opened and sorted, ms",
  );
  console.log(`  texts made in idle moments, ${least((run) => run.textsMs).toFixed(0)} ms in all`);
  for (const [place, { query, found }] of searches.entries()) {
    const ms = least((run) => run.searches[place].ms);
    judge(ms, 10, `search ${query} (${found} found), ms`);
  }
}

async function openStudio(browser, jobs) {
  const studio = await startStudio(jobs);
  try {
    const { first, reading, views, thumbs } = await measureStudio(browser, studio.origin);
    console.log(`\nthe studio with ${jobs} jobs, read into the index in ${reading.seconds.toFixed(1)} s`);
    judge(reading.requests, 129, "requests to read what the index holds");
    judge(first, 1000, "first rows while the index is empty, ms");
    for (const { view, firstRowsMs, task, script, p95, over50, longTasks, nodes, isAtEnd, jumps, heap } of views) {
      console.log(
        `  ${view}: task ${task.toFixed(2)} ms a frame, script ${script.toFixed(2)}, frames p95 ${p95.toFixed(0)} ms, ${longTasks} long tasks, ${isAtEnd ? "to the end" : "NOT to the end"}, all jumps shift ${jumps.shift.toFixed(4)}`,
      );
      judge(firstRowsMs, 1000, `${view}: first rows after opening, ms`);
      judge(over50, 0, `${view}: frames over 50 ms from top to bottom`);
      judge(jumps.longest, 50, `${view}: longest frame in jumps, ms`);
      judge(jumps.worstShift, 0.02, `${view}: layout shift of a jump`);
      judge(nodes, 1499, `${view}: elements at most`);
      judge(heap, 250, `${view}: memory of scripts, MB`);
    }
    const { tiles, late, median: half, p90, originals, media } = thumbs;
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

const page = (name) => `<!doctype html><html lang="en" data-theme="dark"><meta charset="utf-8"><title>${name}</title>
<style>#list{height:748px;width:1075px;display:flex;flex-direction:column}</style>
<div id="list"></div><script type="module" src="/.bench/history/pages/${name}.mjs"></script>`;

const folder = mkdtempSync(join(tmpdir(), "safelight-bench-pages-"));
for (const name of LISTS) await buildPage(folder, name, page(name));
const server = await serveFolder(folder);
const browser = await startBrowser();
try {
  if (isAsked("lists")) await compareLists(browser, server.origin);
  if (isAsked("index")) await openIndex(browser, server.origin);
  if (isAsked("studio")) await openStudio(browser, count);
  if (isAsked("million")) await openStudio(browser, most);
  console.log(`  load of this machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} processors`);
  if (!isAllHeld) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
