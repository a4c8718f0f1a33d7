/**
 * Starts counting a page's main-thread time. It is processor time, not time on the clock, so neighbours disturb less.
 * @param {import("@playwright/test").Page} page
 */
export async function threadTime(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const metrics = async () => {
    const { metrics: all } = await devtools.send("Performance.getMetrics");
    return Object.fromEntries(all.map(({ name, value }) => [name, value]));
  };
  return {
    /** Milliseconds so far: `task` is everything, `script` its JavaScript part. */
    async read() {
      const { TaskDuration = Number.NaN, ScriptDuration = Number.NaN } = await metrics();
      return { task: TaskDuration * 1000, script: ScriptDuration * 1000 };
    },
    /** @param {number} rate how many times the processor is slowed */
    slowDown: (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate }),
    async heapMegabytes() {
      await devtools.send("HeapProfiler.collectGarbage");
      const { JSHeapUsedSize = Number.NaN } = await metrics();
      return JSHeapUsedSize / 1e6;
    },
  };
}
