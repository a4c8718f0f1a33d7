/**
 * Jumps to the same places of the list as `jumpThrough` and waits at each until every picture in view is painted, at most
 * `longestMs`. Gives what was seen of each tile whose job is named in `only`, or of every tile: the job, and the
 * milliseconds from the jump until the browser painted its picture; none where it did not in that time. Runs in the page,
 * also as a text of its own, so it uses nothing from outside.
 * @param {Element} scroller
 * @param {{ jumps: number, longestMs: number, only?: string[] }} options
 */
export async function thumbTimes(scroller, { jumps, longestMs, only }) {
  const wanted = only && new Set(only);
  /** @type {WeakMap<Element, number>} */
  const painted = new WeakMap();
  // `renderTime` is when the picture stood on the screen, decoded; the attribute has to be there before.
  const paints = new PerformanceObserver((list) => {
    const entries = /** @type {(PerformanceEntry & { element: Element | null, renderTime: number })[]} */ (
      list.getEntries()
    );
    for (const { element, renderTime } of entries) if (element) painted.set(element, renderTime);
  });
  paints.observe({ type: "element" });
  const name = () => {
    for (const image of scroller.querySelectorAll("a img:not([elementtiming])"))
      image.setAttribute("elementtiming", "");
  };
  const arrivals = new MutationObserver(name);
  arrivals.observe(scroller, { subtree: true, childList: true });
  name();
  const frame = scroller.getBoundingClientRect();
  const inView = () => {
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const all = scroller.querySelectorAll("[role=grid] a[href^='/jobs/']");
    return [...all].filter((link) => {
      const { top, bottom, height } = link.getBoundingClientRect();
      return height > 0 && bottom > frame.top && top < frame.bottom && (!wanted || wanted.has(link.pathname));
    });
  };
  /** @type {{ job: string, ms: number | undefined }[]} */
  const tiles = [];
  const height = scroller.scrollHeight - scroller.clientHeight;
  for (let jump = 0; jump < jumps; jump++) {
    const start = performance.now();
    scroller.scrollTop = height * ((jump * 0.618034) % 1);
    /** @param {Element} link */
    const timeOf = (link) => {
      const image = link.querySelector("img[src^='blob:']");
      const time = image ? painted.get(image) : undefined;
      return time === undefined ? undefined : time - start;
    };
    let links = inView();
    do {
      await new Promise((resolve) => setTimeout(resolve, 100));
      links = inView();
    } while (
      performance.now() - start < longestMs &&
      !(performance.now() - start > 500 && links.every((link) => timeOf(link) !== undefined))
    );
    for (const link of links) tiles.push({ job: link.pathname, ms: timeOf(link) });
  }
  paints.disconnect();
  arrivals.disconnect();
  return tiles;
}
