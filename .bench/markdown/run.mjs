// npm run bench -- markdown [--quick] [--reps=3] [--count=10000] [--only=mixed-500,code-500] [--pages=ours,plain]
// The targets are for 10,000 tokens and three runs. Quick: once, 4,000 tokens, in about two minutes, to see a direction.
import { rmSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { chromium } from "@playwright/test";
import { chromiumArguments, findChromium } from "../../.scripts/find-chromium.mjs";
import { buildPages } from "./build-pages.mjs";
import { measureStream } from "./measure-stream.mjs";
import { serve } from "./serve.mjs";

const options = Object.fromEntries(process.argv.slice(2).map((word) => word.replace(/^--/, "").split("=")));
const isQuick = "quick" in options;
const reps = Number(options.reps ?? (isQuick ? 1 : 3));
const count = Number(options.count ?? (isQuick ? 4000 : 10_000));
const ALL = ["ours", "plain", "react-markdown", "streamdown"];
const CASES = [
  {
    name: "mixed-500",
    shape: "mixed",
    rate: 500,
    slowdown: 1,
    pages: ALL,
    targets: { plain: 1.6, "react-markdown": 0.25, streamdown: 0.45 },
  },
  {
    name: "mixed-1000",
    shape: "mixed",
    rate: 1000,
    slowdown: 1,
    pages: ALL,
    targets: { plain: 1.6, "react-markdown": 0.25, streamdown: 0.45 },
  },
  { name: "code-500", shape: "code", rate: 500, slowdown: 1, pages: ["ours", "plain"], targets: { plain: 1.5 } },
  {
    name: "mixed-500-slow-4x",
    shape: "mixed",
    rate: 500,
    slowdown: 4,
    pages: ["ours", "plain"],
    targets: { plain: 1.35 },
  },
];
const MOST_DROPPED_PERCENT = 1;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const shuffled = (values) =>
  values
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
const isAsked = ({ name }) => options.only === undefined || options.only.split(",").includes(name);
const arguments_ = [
  ...chromiumArguments,
  "--headless=new",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
];

async function runCase(browser, origin, { name, pages, targets, ...stream }) {
  const asked = pages.filter((page) => options.pages === undefined || options.pages.split(",").includes(page));
  const rows = Object.fromEntries(asked.map((page) => [page, []]));
  for (let rep = 0; rep < reps; rep++) {
    for (const page of shuffled(asked)) {
      rows[page].push(await measureStream(browser, `${origin}/${page}/${page}.html`, { ...stream, count }));
    }
  }
  console.log(
    `\n${name}: ${count} tokens at ${stream.rate} a second, processor slowed ${stream.slowdown} times, median of ${reps}`,
  );
  for (const [page, runs] of Object.entries(rows)) {
    const of = (key) => median(runs.map((run) => run[key]));
    console.log(
      `  ${page.padEnd(15)} task ${of("task").toFixed(0).padStart(6)} ms   dropped ${of("droppedPercent").toFixed(1).padStart(5)} %   long tasks ${of("longTasks")}, longest ${of("longest").toFixed(0)} ms   each run: ${runs.map((run) => run.task.toFixed(0)).join(" ")}`,
    );
  }
  // A starved browser draws less often: peers then skip most of their work, and everyone drops frames.
  console.log(
    `  load of this machine: ${loadavg()[0].toFixed(1)} on ${cpus().length} processors (trust ratios below ${cpus().length})`,
  );
  const { ours } = rows;
  if (!ours) return true;
  const medianOf = (runs, key) => median(runs.map((run) => run[key]));
  const verdicts = Object.entries(targets)
    .filter(([page]) => rows[page])
    .map(([page, most]) => {
      const ratio = medianOf(ours, "task") / medianOf(rows[page], "task");
      return [ratio <= most, `${ratio.toFixed(3)} of ${page} (at most ${most})`];
    });
  const dropped = medianOf(ours, "droppedPercent");
  verdicts.push([dropped <= MOST_DROPPED_PERCENT, `${dropped.toFixed(1)} % dropped (at most ${MOST_DROPPED_PERCENT})`]);
  verdicts.push([medianOf(ours, "longTasks") === 0, `${medianOf(ours, "longTasks")} tasks over 50 ms (none)`]);
  verdicts.push([ours.every(({ isEqual }) => isEqual), "ends as the full parse"]);
  for (const [holds, text] of verdicts) console.log(`  ${holds ? "holds " : "MISSED"} ${text}`);
  return verdicts.every(([holds]) => holds);
}

const executablePath = findChromium();
if (!executablePath) throw new Error("No Chromium was found. Set CHROMIUM_PATH.");
const folder = await buildPages(
  ALL.filter((page) => options.pages === undefined || options.pages.split(",").includes(page)),
);
const server = await serve(folder);
const browser = await chromium.launch({ executablePath, args: arguments_ });
try {
  const held = [];
  for (const each of CASES.filter(isAsked)) held.push(await runCase(browser, server.origin, each));
  if (!held.every(Boolean)) process.exitCode = 1;
} finally {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
