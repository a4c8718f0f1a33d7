import { pageMetrics, percentile } from "./page-metrics.mjs";
import { scrollThrough } from "./scroll-through.mjs";

const FRAMES = 240;

/** The built studio with so many jobs at its sandbox: read into the index, opened again, scrolled to its end. */
export async function measureStudio(browser, origin, count) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "dark" });
  try {
    const page = await context.newPage();
    let lists = 0;
    page.on("request", (request) => {
      if (/\/apikey\/requests\?/.test(request.url())) lists++;
    });
    await page.goto(`${origin}/history`);
    await page.getByRole("button", { name: "Open the sandbox" }).click();
    const rows = page.getByRole("grid", { name: "Jobs" }).getByRole("link");
    await rows.first().waitFor();
    lists = 0;
    const start = Date.now();
    await page.getByRole("button", { name: "Read all" }).click();
    await page
      .getByText(`All of your ${count.toLocaleString("en-US")} jobs are indexed.`)
      .waitFor({ timeout: 180_000 });
    const reading = { seconds: (Date.now() - start) / 1000, requests: lists };

    const metrics = await pageMetrics(page);
    const views = [];
    for (const view of ["grid", "table"]) {
      await page.goto(`${origin}/history?q=*${view === "table" ? "&view=table" : ""}`);
      await rows.first().waitFor();
      const firstRowsMs = await page.evaluate(() => performance.now());
      await scroll(page, { frames: 60, step: 900 });
      const seen = await metrics.perFrame(FRAMES, () => scroll(page, { frames: FRAMES }));
      views.push({
        view,
        firstRowsMs,
        task: seen.task,
        script: seen.script,
        p95: percentile(seen.gaps, 0.95),
        over50: seen.gaps.filter((gap) => gap > 50).length,
        longTasks: seen.longTasks.length,
        nodes: seen.nodes,
        isAtEnd: seen.isAtEnd,
        heap: await metrics.heapMegabytes(),
      });
    }
    return { reading, views };
  } finally {
    await context.close();
  }
}

function scroll(page, options) {
  const source = `(${scrollThrough})(document.querySelector("[data-history-scroller]"), ${JSON.stringify(options)})`;
  return page.evaluate(source);
}
