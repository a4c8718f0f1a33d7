import { answerClick } from "./answer-click.ts";
import type { MarkdownSource } from "./markdown-source.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** Milliseconds. What is left of a frame after layout and paint; a long text goes on in the next one. */
const FRAME_BUDGET_MS = 8;
const FIRST_BUDGET_MS = 24;
/** A slow write is followed by a pause this many times as long, so that typing and scrolling stay smooth. */
const REST_PER_WORK = 2;

/** Keeps `root` showing the source, and returns the way to stop. What is there already shows at once. */
export function showMarkdown(root: HTMLElement, source: MarkdownSource): () => void {
  const writer = new MarkdownWriter(root);
  let taken = 0;
  let frame = 0;
  let notBefore = 0;

  const write = (budgetMs: number) => {
    const text = source.text();
    if (text.length > taken) writer.take(text.slice(taken));
    taken = text.length;
    if (source.isEnded()) writer.end();
    const started = performance.now();
    const isBehind = writer.write(budgetMs);
    const tookMs = performance.now() - started;
    notBefore = tookMs > FRAME_BUDGET_MS && !isBehind && !source.isEnded() ? started + tookMs * (1 + REST_PER_WORK) : 0;
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
