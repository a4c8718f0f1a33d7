import "../../../src/styles.css";

const FRAME_MS = 1000 / 60;
const LONGEST_STILL_MS = 30_000;
const afterFrame = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    }),
  );

/** @type {number[]} */
const longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration);
}).observe({ type: "longtask" });

export const output = /** @type {HTMLElement} */ (document.getElementById("output"));

/**
 * Registers a page: `onText` takes each token, `onEnd` the end, `check` says if the document is the full parse's.
 * @param {object} page
 * @param {(text: string) => void} page.onText
 * @param {() => void | Promise<void>} page.onEnd
 * @param {() => Promise<boolean | undefined>} [page.check]
 */
export function registerPage({ onText, onEnd, check = async () => undefined }) {
  const scroller = /** @type {HTMLElement} */ (document.getElementById("scroller"));
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(output);
  window.streamPage = {
    async stream(query) {
      await document.fonts.ready;
      longTasks.length = 0;
      const frames = watchFrames();
      await readEvents(`/stream?${new URLSearchParams(query)}`, onText);
      await onEnd();
      await untilStill();
      const { dropped, expected } = frames.stop();
      if (!output.textContent?.trim()) throw new Error("Nothing of the stream stands on the page.");
      return { dropped, expected, longTasks: [...longTasks] };
    },
    check,
  };
}

/**
 * @param {string} address
 * @param {(text: string) => void} onText
 */
async function readEvents(address, onText) {
  const response = await fetch(address);
  if (!response.body) throw new Error(`${address} answered without a body.`);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (buffer + value).split("\n\n");
    buffer = events.pop() ?? "";
    for (const event of events) onText(JSON.parse(event.slice("data: ".length)).text);
  }
}

async function untilStill() {
  const since = performance.now();
  for (let length = -1, still = 0; still < 12; ) {
    const now = output.textContent?.length ?? 0;
    still = now === length ? still + 1 : 0;
    length = now;
    await afterFrame();
    if (performance.now() - since > LONGEST_STILL_MS) {
      throw new Error(`The text still grows ${LONGEST_STILL_MS / 1000} s after the end of the stream.`);
    }
  }
}

function watchFrames() {
  /** @type {number[]} */
  const gaps = [];
  let isOn = true;
  /** @type {number | undefined} */
  let last;
  /** @param {number} now */
  const note = (now) => {
    if (last !== undefined) gaps.push(now - last);
    last = now;
    if (isOn) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  return {
    stop() {
      isOn = false;
      const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0);
      return { dropped, expected: gaps.length + dropped };
    },
  };
}
