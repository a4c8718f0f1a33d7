import "./markdown.css";
import { useLayoutEffect, useRef } from "react";
import { IMAGE_ADDRESS, loadingImage } from "./build-blocks.ts";
import { createMarkdownSource, type MarkdownSource } from "./markdown-source.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** What stands in a view: its writer, and the text that the writer was given. */
interface Written {
  writer: MarkdownWriter;
  text: string;
}

/**
 * Markdown, safely: raw HTML is text, no picture is loaded without a click (H1, H2). A text that grows is written once per
 * frame at most, and ends as the same document as the whole text. It may be replaced by the whole text in its place: what
 * is written already stays, with what the reader opened, loaded or selected in it.
 */
export function MarkdownView({ text }: { text: string | MarkdownSource }) {
  const root = useRef<HTMLDivElement>(null);
  const written = useRef<Written>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return;
    const source = typeof text === "string" ? wholeSource(text) : text;
    if (!written.current || !isContinued(written.current, source)) {
      written.current = { writer: new MarkdownWriter(root.current), text: "" };
    }
    return follow(source, written.current, root.current);
  }, [text]);
  return <div ref={root} className="markdown" />;
}

function wholeSource(text: string): MarkdownSource {
  const source = createMarkdownSource();
  source.append(text);
  source.end();
  return source;
}

/** Whether the source only goes on from what is written, or is the same if that was the end. */
function isContinued({ writer, text }: Written, source: MarkdownSource): boolean {
  return writer.isEnded ? source.isEnded() && source.text() === text : source.text().startsWith(text);
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

/** Writes the source into `root`, at once and as it grows. Returns the way to stop. */
function follow(source: MarkdownSource, written: Written, root: HTMLElement): () => void {
  const { writer } = written;
  let frame = 0;
  let notBefore = 0;

  const write = (budgetMs: number) => {
    const text = source.text();
    const added = text.slice(written.text.length);
    const isFast = added.length > MANY_CHARACTERS;
    if (added !== "") writer.take(added);
    written.text = text;
    if (source.isEnded()) writer.end();
    const started = performance.now();
    const isBehind = writer.write(budgetMs);
    // What stands under the answer waits for this: it would jump down with each frame.
    root.toggleAttribute("data-behind", isBehind && source.isEnded());
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
    button.replaceWith(loadingImage(button.getAttribute("data-alt") ?? "", address));
  } else if (button.hasAttribute("data-more")) {
    writer.showMore();
    writeMore();
  } else if (button.dataset.code === "wrap") toggleWrap(button);
  else if (button.dataset.code === "copy") void copyCode(button);
}

function toggleWrap(button: HTMLButtonElement): void {
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
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
