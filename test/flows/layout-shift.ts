import { setTimeout } from "node:timers/promises";
import type { BrowserContext, Page } from "@playwright/test";

/** What a person notices, as Core Web Vitals score it: 0.1 is "needs improvement", and this is a fifth of it. */
const MAX_SHIFT = 0.02;

type Watched = Window & {
  noteLayoutShift?: (document: string, shift: Shift) => Promise<void>;
  tellShifts?: () => void;
};

interface Shift {
  /** The share of the window that moved, times how far. */
  value: number;
  /** ms since the page began. */
  atMs: number;
  /** What moved, from where to where. */
  sources: string[];
}

/**
 * Watches how far the pages of a story move by themselves. `wrongs` gives a line for each document whose score (the
 * largest session window of shifts without input before them, as browsers define it) is above 0.02. A browser that does
 * not measure it gives none.
 */
export async function watchLayoutShift(context: BrowserContext): Promise<{ wrongs(): Promise<string[]> }> {
  const found = new Map<string, Shift[]>();
  await context.exposeBinding("noteLayoutShift", ({ frame }, document: string, shift: Shift) => {
    if (frame.parentFrame() !== null) return;
    found.set(document, [...(found.get(document) ?? []), shift]);
  });
  await context.addInitScript(observeShifts);
  return {
    wrongs: async () => {
      await Promise.all(context.pages().map(tellRest));
      return [...found].flatMap(([document, shifts]) => {
        const { score, window } = largestWindow(shifts);
        if (score <= MAX_SHIFT) return [];
        const moved = window.flatMap(({ value, atMs, sources }) => [
          `  ${value.toFixed(4)} at ${Math.round(atMs)} ms`,
          ...sources.map((source) => `    ${source}`),
        ]);
        return [[`${document.split(" ")[0]} moved by ${score.toFixed(3)}`, ...moved].join("\n")];
      });
    },
  };
}

/** Many times what a page takes to answer. */
const LONGEST_MS = 60_000;

/**
 * The page tells what it has measured and not reported yet; what it reported before has arrived by then. A page that is
 * closed or moves on meanwhile has told what it had; one that does not answer fails the story.
 */
async function tellRest(page: Page): Promise<void> {
  const told = page
    .evaluate(() => (window as Watched).tellShifts?.())
    .catch((error: Error) => {
      if (!page.isClosed() && !/destroyed|navigat|crashed/i.test(error.message)) throw error;
    });
  const over = new AbortController();
  const late = setTimeout(LONGEST_MS, "late", { signal: over.signal }).catch(() => undefined);
  if ((await Promise.race([told, late])) === "late") throw new Error(`${page.url()} did not say whether it moved.`);
  over.abort();
}

/** Shifts less than a second apart belong together, for at most five seconds; the worst such window is the score. */
export function largestWindow<T extends Pick<Shift, "value" | "atMs">>(
  shifts: readonly T[],
): { score: number; window: T[] } {
  let best: { score: number; window: T[] } = { score: 0, window: [] };
  let window: T[] = [];
  for (const shift of shifts) {
    const first = window[0];
    const last = window.at(-1);
    const goesOn = first && last && shift.atMs - last.atMs < 1000 && shift.atMs - first.atMs < 5000;
    window = goesOn ? [...window, shift] : [shift];
    const score = window.reduce((sum, { value }) => sum + value, 0);
    if (score > best.score) best = { score, window };
  }
  return best;
}

/** Runs in the page before any other script. */
function observeShifts(): void {
  const watched: Watched = window;
  if (window.top !== window.self || !PerformanceObserver.supportedEntryTypes?.includes("layout-shift")) return;
  const document_ = `${location.pathname} ${Math.random()}`;
  const rect = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(" ");
  const nameOf = (node: Node | null | undefined) => {
    const element = node instanceof Element ? node : node?.parentElement;
    if (!element) return "something that is gone";
    const text = (element.textContent ?? "").trim().slice(0, 40);
    return `<${element.tagName.toLowerCase()} class="${(element.getAttribute("class") ?? "").slice(0, 80)}"> ${text}`;
  };
  interface LayoutShift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node?: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  const tell = (entries: PerformanceEntryList) => {
    for (const entry of entries as LayoutShift[]) {
      if (entry.hadRecentInput) continue;
      const sources = entry.sources.map(
        ({ node, previousRect, currentRect }) => `${nameOf(node)}: ${rect(previousRect)} to ${rect(currentRect)}`,
      );
      void watched.noteLayoutShift?.(document_, { value: entry.value, atMs: entry.startTime, sources });
    }
  };
  const observer = new PerformanceObserver((list) => tell(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  watched.tellShifts = () => tell(observer.takeRecords());
}
