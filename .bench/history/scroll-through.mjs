/**
 * Scrolls by `step` pixels a frame, or from the top to the bottom in `frames` where no step is given. Runs in the page,
 * also as a text of its own, so it uses nothing from outside.
 * @param {Element} scroller
 * @param {{ frames: number, step?: number }} options
 */
export async function scrollThrough(scroller, { frames, step }) {
  /** @type {number[]} */
  const longTasks = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  });
  observer.observe({ type: "longtask" });
  if (!step) scroller.scrollTop = 0;
  const pixels = step ?? (scroller.scrollHeight - scroller.clientHeight) / frames;
  /** @type {number[]} */
  const gaps = [];
  let nodes = 0;
  const from = scroller.scrollTop;
  /** @type {number} */
  let last = await new Promise(requestAnimationFrame);
  for (let frame = 0; frame < frames; frame++) {
    // Not from where it stands: that was rounded.
    scroller.scrollTop = from + pixels * (frame + 1);
    /** @type {number} */
    const now = await new Promise(requestAnimationFrame);
    gaps.push(now - last);
    last = now;
    if (frame % 10 === 0) nodes = Math.max(nodes, document.getElementsByTagName("*").length);
  }
  observer.disconnect();
  return { gaps, nodes, longTasks, isAtEnd: scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2 };
}
