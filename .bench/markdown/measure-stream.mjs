const SETTLE_MS = 1500;

/** Streams once into one page and measures it; main-thread time is processor time, not time on the clock. */
export async function measureStream(browser, address, { shape, rate, slowdown, count }) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  try {
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error));
    const devtools = await context.newCDPSession(page);
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.goto(address);
    await page.waitForFunction("window.bench");
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    // Nobody asks in the moment in which a page opens: what it prepares when idle is done by then, on any page.
    await page.waitForTimeout(SETTLE_MS);
    const before = await taskMs(devtools);
    const seen = await page.evaluate((query) => window.bench.stream(query), { shape, rate, count });
    const task = (await taskMs(devtools)) - before;
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    const isEqual = await page.evaluate("window.bench.check()");
    if (errors[0]) throw errors[0];
    return {
      task,
      droppedPercent: (100 * seen.dropped) / seen.expected,
      longTasks: seen.longTasks.length,
      longest: Math.max(0, ...seen.longTasks),
      isEqual,
    };
  } finally {
    await context.close();
  }
}

async function taskMs(devtools) {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}
