/** Main-thread time of a page: processor time, not time on the clock. */
export async function pageMetrics(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  return {
    /** What `work` costs for each of so many frames, in milliseconds, and what it gives back. */
    async perFrame(frames, work) {
      const before = await read();
      const result = await work();
      const after = await read();
      const each = (name) => ((after[name] - before[name]) * 1000) / frames;
      return { ...result, task: each("TaskDuration"), script: each("ScriptDuration") };
    },
    slowDown: (rate) => devtools.send("Emulation.setCPUThrottlingRate", { rate }),
    async heapMegabytes() {
      await devtools.send("HeapProfiler.collectGarbage");
      return (await read()).JSHeapUsedSize / 1e6;
    },
  };
}

export const percentile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
export const median = (values) => percentile(values, 0.5);
