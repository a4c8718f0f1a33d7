/** Starts counting a page's main-thread time. It is processor time, not time on the clock, so neighbours disturb less. */
export async function threadTime(page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return {
    /** Milliseconds so far: `task` is everything, `script` its JavaScript part. */
    async read() {
      const { metrics } = await devtools.send("Performance.getMetrics");
      const of = (name) => metrics.find((metric) => metric.name === name).value * 1000;
      return { task: of("TaskDuration"), script: of("ScriptDuration") };
    },
  };
}
