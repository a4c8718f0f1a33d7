import "/src/styles.css";

const FRAME_MS = 1000 / 60;
const afterFrame = () =>
  new Promise((resolve) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    }),
  );

const longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longTasks.push(duration);
}).observe({ type: "longtask" });

export const output = document.getElementById("output");

/** Registers a page: `onText` takes each token, `onEnd` the end, `check` says if the document is the full parse's. */
export function registerPage({ onText, onEnd, check = () => undefined }) {
  const scroller = document.getElementById("scroller");
  new ResizeObserver(() => {
    scroller.scrollTop = scroller.scrollHeight;
  }).observe(output);
  window.bench = {
    async stream(query) {
      await document.fonts.ready;
      longTasks.length = 0;
      const frames = watchFrames();
      await readEvents(`/stream?${new URLSearchParams(query)}`, onText);
      await onEnd();
      await untilStill();
      const { dropped, expected } = frames.stop();
      return { dropped, expected, longTasks: [...longTasks], length: output.textContent.length };
    },
    check,
  };
}

async function readEvents(address, onText) {
  const response = await fetch(address);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const events = (buffer + value).split("\n\n");
    buffer = events.pop();
    for (const event of events) onText(JSON.parse(event.slice("data: ".length)).text);
  }
}

async function untilStill() {
  for (let length = -1, still = 0; still < 12; ) {
    const now = output.textContent.length;
    still = now === length ? still + 1 : 0;
    length = now;
    await afterFrame();
  }
}

function watchFrames() {
  const times = [];
  let isOn = true;
  const note = (now) => {
    times.push(now);
    if (isOn) requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
  return {
    stop() {
      isOn = false;
      const gaps = times.slice(1).map((time, at) => time - times[at]);
      const dropped = gaps.reduce((sum, gap) => sum + Math.max(0, Math.round(gap / FRAME_MS) - 1), 0);
      return { dropped, expected: gaps.length + dropped };
    },
  };
}
