import { answerClick } from "./answer-click.ts";
import type { MarkdownSource } from "./markdown-source.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** Milliseconds. What is left of a frame after layout and paint; a long text goes on in the next one. */
const FRAME_BUDGET_MS = 8;
const FIRST_BUDGET_MS = 24;
/** A slow write is followed by a pause this many times as long, so that typing and scrolling stay smooth. */
const REST_PER_WORK = 2;
/**
 * With more new characters than this in one write, whole words come each time. Thirty writes a second then look as smooth
 * as sixty, at half of the layout and paint.
 */
const MANY_CHARACTERS = 30;
/** A frame and a half at 60 a second: the next write is in the second frame from here. */
const PAUSE_MS = 25;

/** Keeps `root` showing the source, and returns the way to stop. What is there already shows at once. */
export function showMarkdown(root: HTMLElement, source: MarkdownSource): () => void {
  const writer = new MarkdownWriter(root);
  let taken = 0;
  let frame = 0;
  let notBefore = 0;

  const write = (budgetMs: number) => {
    const text = source.text();
    const isFast = text.length - taken > MANY_CHARACTERS;
    if (text.length > taken) writer.take(text.slice(taken));
    taken = text.length;
    if (source.isEnded()) writer.end();
    const started = performance.now();
    const isBehind = writer.write(budgetMs);
    const tookMs = performance.now() - started;
    const pauseMs = Math.max(isFast ? PAUSE_MS : 0, tookMs > FRAME_BUDGET_MS ? tookMs * (1 + REST_PER_WORK) : 0);
    notBefore = isBehind || source.isEnded() ? 0 : started + pauseMs;
    if (isBehind) schedule();
  };
  const onFrame = (now: number) => {
    frame = 0;
    if (now < notBefore && !source.isEnded()) schedule();
    else write(FRAME_BUDGET_MS);
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(onFrame);
  };
  const onClick = (event: Event) => answerClick(event, writer, schedule);

  write(FIRST_BUDGET_MS);
  const unsubscribe = source.subscribe(schedule);
  root.addEventListener("click", onClick);
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
    root.removeEventListener("click", onClick);
    root.replaceChildren();
  };
}
