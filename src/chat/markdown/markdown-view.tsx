import "./markdown.css";
import { useLayoutEffect, useRef } from "react";
import { IMAGE_ADDRESS, loadedImage } from "./build-blocks.ts";
import { createMarkdownSource, type MarkdownSource } from "./markdown-source.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** Finished Markdown, safely: raw HTML is text, no picture is loaded without a click (H1, H2). */
export function MarkdownView({ text }: { text: string }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return;
    const source = createMarkdownSource();
    source.append(text);
    source.end();
    return showMarkdown(root.current, source);
  }, [text]);
  return <div ref={root} className="markdown" />;
}

/** Markdown that grows, written once per frame at most. Ends as the same document as `MarkdownView` of the whole text. */
export function StreamedMarkdown({ source }: { source: MarkdownSource }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (root.current ? showMarkdown(root.current, source) : undefined), [source]);
  return <div ref={root} className="markdown" />;
}

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

/** What was on the page a moment ago: its writer, the text that it was given, and whether it was told that this is all. */
interface Left {
  writer: MarkdownWriter;
  text: string;
  isWhole: boolean;
}

let lefts: Left[] = [];

/** Keeps what a view leaves until the end of the same update: the finished answer stands where the growing one stood. */
function leave(one: Left): void {
  lefts.push(one);
  queueMicrotask(() => {
    lefts = [];
  });
}

/** The same text as it was left, moved into `root`: nothing is written or laid out a second time, and nothing jumps. */
function takeOver(root: HTMLElement, source: MarkdownSource): Left | undefined {
  const text = source.text();
  const fits = (one: Left) => (one.isWhole ? one.text === text : one.text !== "" && text.startsWith(one.text));
  const found = source.isEnded() ? lefts.find(fits) : undefined;
  if (!found) return undefined;
  lefts = lefts.filter((one) => one !== found);
  found.writer.moveTo(root);
  return found;
}

/** Shows the source in `root`, at once and as it grows. Returns the way to stop. */
function showMarkdown(root: HTMLElement, source: MarkdownSource): () => void {
  const before = takeOver(root, source);
  const writer = before?.writer ?? new MarkdownWriter(root);
  let taken = before?.text.length ?? 0;
  let isWhole = false;
  let frame = 0;
  let notBefore = 0;

  const write = (budgetMs: number) => {
    const text = source.text();
    const isFast = text.length - taken > MANY_CHARACTERS;
    if (text.length > taken) writer.take(text.slice(taken));
    taken = text.length;
    isWhole = source.isEnded();
    if (isWhole) writer.end();
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
    leave({ writer, text: source.text().slice(0, taken), isWhole });
  };
}

const COPIED_MS = 2_000;

/** Serves every button in written Markdown: copy and wrap of code, loading a picture, showing more. */
function answerClick(event: Event, writer: MarkdownWriter, writeMore: () => void): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  const address = button.getAttribute(IMAGE_ADDRESS);
  if (address !== null) {
    writer.shownImages.add(address);
    button.replaceWith(loadedImage(button.getAttribute("data-alt") ?? "", address));
  } else if (button.hasAttribute("data-more")) {
    writer.showMore();
    writeMore();
  } else if (button.dataset.code === "wrap") toggleWrap(button);
  else if (button.dataset.code === "copy") void copyCode(button);
}

function toggleWrap(button: HTMLButtonElement): void {
  const isWrapped = button.closest(".md-code")?.classList.toggle("md-wrapped") ?? false;
  button.setAttribute("aria-pressed", String(isWrapped));
}

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const code = button.closest(".md-code")?.querySelector("code")?.textContent ?? "";
  const result = await navigator.clipboard.writeText(code).then(
    () => "Copied",
    () => "Not copied",
  );
  button.textContent = result;
  button.setAttribute("aria-label", result);
  setTimeout(() => {
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy code");
  }, COPIED_MS);
}
