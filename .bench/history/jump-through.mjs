/**
 * Jumps to so many places of the list, the same each time, and rests at each. Runs in the page, also as a text of its own,
 * so it uses nothing from outside.
 * @param {Element} scroller
 * @param {{ jumps: number, restMs: number }} options
 */
export async function jumpThrough(scroller, { jumps, restMs }) {
  /** @type {number[]} */
  const longTasks = [];
  let shift = 0;
  let worstShift = 0;
  const tasks = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  });
  tasks.observe({ type: "longtask" });
  const shifts = new PerformanceObserver((list) => {
    const entries = /** @type {(PerformanceEntry & { value: number, hadRecentInput: boolean })[]} */ (
      list.getEntries()
    );
    for (const { value, hadRecentInput } of entries) if (!hadRecentInput) shift += value;
  });
  shifts.observe({ type: "layout-shift" });
  /** @type {number[]} */
  const gaps = [];
  let isOver = false;
  /** @type {number} */
  let last = await new Promise(requestAnimationFrame);
  /** @param {number} now */
  const watch = (now) => {
    gaps.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
  const height = scroller.scrollHeight - scroller.clientHeight;
  for (let jump = 0; jump < jumps; jump++) {
    const before = shift;
    // Spread over the list without an order, by the golden ratio.
    scroller.scrollTop = height * ((jump * 0.618034) % 1);
    await new Promise((resolve) => setTimeout(resolve, restMs));
    worstShift = Math.max(worstShift, shift - before);
  }
  isOver = true;
  tasks.disconnect();
  shifts.disconnect();
  return { gaps, longTasks, shift, worstShift };
}
