import { threadTime } from "../thread-time.mjs";

/**
 * Main-thread time of a page for each frame: processor time, not time on the clock.
 * @param {import("@playwright/test").Page} page
 */
export async function pageMetrics(page) {
  const time = await threadTime(page);
  return {
    /**
     * What `work` costs for each of so many frames, in milliseconds, and what it gives back.
     * @template Result
     * @param {number} frames
     * @param {() => Promise<Result>} work
     */
    async perFrame(frames, work) {
      const before = await time.read();
      const result = await work();
      const after = await time.read();
      const { task, script } = after;
      return { ...result, task: (task - before.task) / frames, script: (script - before.script) / frames };
    },
    slowDown: time.slowDown,
    heapMegabytes: time.heapMegabytes,
  };
}
