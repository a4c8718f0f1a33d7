// npm run bench -- markdown [--rounds=3] [--count=10000] [--cases=mixed-500,code-500] [--pages=ours,plain]
// The targets are for 10,000 tokens and three rounds. One short round has 2,000 tokens of two cases, to see a direction.
import { rmSync } from "node:fs";
import { runBench } from "../run-bench.mjs";
import { loadText, median, shuffled } from "../samples.mjs";
import { startBrowser } from "../start-browser.mjs";
import { buildPages } from "./build-pages.mjs";
import { measureStream } from "./measure-stream.mjs";
import { serve } from "./serve.mjs";

/**
 * @typedef {Awaited<ReturnType<typeof measureStream>>} Figures
 * @typedef {{ name: string, shape: string, rate: number, slowdown: number, pages: string[], most: Record<string, number> }} Case
 */

const PAGES = ["ours", "plain", "react-markdown", "streamdown"];
const OF_ALL = { plain: 1.6, "react-markdown": 0.25, streamdown: 0.45 };
/** @type {Case[]} */
const CASES = [
  { name: "mixed-500", shape: "mixed", rate: 500, slowdown: 1, pages: PAGES, most: OF_ALL },
  { name: "mixed-1000", shape: "mixed", rate: 1000, slowdown: 1, pages: PAGES, most: OF_ALL },
  { name: "code-500", shape: "code", rate: 500, slowdown: 1, pages: ["ours", "plain"], most: { plain: 1.5 } },
  {
    name: "mixed-500-slow-4x",
    shape: "mixed",
    rate: 500,
    slowdown: 4,
    pages: ["ours", "plain"],
    most: { plain: 1.35 },
  },
];
const SHORT_CASES = ["mixed-1000", "code-500"];
const MAX_DROPPED_PERCENT = 1;

const bench = {
  name: "markdown",
  rounds: 3,
  minutes: { whole: 45, short: 10 },
  options: ["count", "cases", "pages"],
};
await runBench(bench, async ({ rounds, isShort, option, number, names, doing, target, must }) => {
  const count = number("count", isShort ? 2000 : 10_000);
  const pages = names("pages", PAGES);
  const asked = names(
    "cases",
    CASES.map(({ name }) => name),
  ).filter((name) => !isShort || option("cases") !== undefined || SHORT_CASES.includes(name));
  doing("building its pages");
  const folder = await buildPages(pages);
  const server = await serve(folder);
  const browser = await startBrowser();
  try {
    for (const one of CASES.filter(({ name }) => asked.includes(name))) await runCase(one);
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /** @param {Case} one */
  async function runCase({ name, pages: all, most, ...stream }) {
    const measured = all.filter((page) => pages.includes(page));
    /** @type {Record<string, Figures[]>} */
    const runs = Object.fromEntries(measured.map((page) => [page, []]));
    for (let round = 0; round < rounds; round++) {
      for (const page of shuffled(measured)) {
        doing(`streaming ${name} into the page "${page}", round ${round + 1}`);
        runs[page]?.push(await measureStream(browser, `${server.origin}/${page}/${page}.html`, { ...stream, count }));
      }
    }
    console.log(
      `\n${name}: ${count} tokens at ${stream.rate} a second, processor slowed ${stream.slowdown} times, median of ${rounds}`,
    );
    /** @type {(page: string, figure: Exclude<keyof Figures, "isEqual">) => number} */
    const of = (page, figure) => median((runs[page] ?? []).map((run) => run[figure]));
    for (const page of measured) {
      const each = (runs[page] ?? []).map(({ task }) => task.toFixed(0)).join(" ");
      console.log(
        `  ${page.padEnd(15)} task ${of(page, "task").toFixed(0).padStart(6)} ms   dropped ${of(page, "droppedPercent").toFixed(1).padStart(5)} %   long tasks ${of(page, "longTasks")}, longest ${of(page, "longest").toFixed(0)} ms   each run: ${each}`,
      );
    }
    console.log(`  ${loadText()}`);
    if (!measured.includes("ours")) return;
    for (const [page, bound] of Object.entries(most).filter(([other]) => measured.includes(other))) {
      const ratio = of("ours", "task") / of(page, "task");
      target(ratio <= bound, `${ratio.toFixed(3)} of ${page} (at most ${bound})`);
    }
    const dropped = of("ours", "droppedPercent");
    target(dropped <= MAX_DROPPED_PERCENT, `${dropped.toFixed(1)} % dropped (at most ${MAX_DROPPED_PERCENT})`);
    target(of("ours", "longTasks") === 0, `${of("ours", "longTasks")} tasks over 50 ms (none)`);
    must(runs.ours?.every(({ isEqual }) => isEqual) ?? false, "ends as the full parse");
  }
});
