import "./markdown.css";
import { useLayoutEffect, useRef } from "react";
import { openFileOrigin } from "#connection/connection-store.ts";
import { localHold } from "#connection/relay.ts";
import { IMAGE_ADDRESS, loadingImage } from "./build-blocks.ts";
import { createMarkdownSource, type MarkdownSource } from "./markdown-source.ts";
import { MarkdownWriter } from "./markdown-writer.ts";

/** What a view has written: its writer, and the text that the writer was given. */
interface Written {
  writer: MarkdownWriter;
  text: string;
}

/**
 * Markdown, safely: raw HTML is text, and no picture is loaded without a click (H1 and H2 in `test/README.md`). A text
 * that grows is written at most once per frame, and ends as the same document as the whole text. If `text` changes from
 * a source to its whole text, what is written stays, with what the reader opened, loaded or selected in it.
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

/** Whether the source continues what is written, or equals it where that has ended. */
function isContinued({ writer, text }: Written, source: MarkdownSource): boolean {
  return writer.isEnded ? source.isEnded() && source.text() === text : source.text().startsWith(text);
}

/** Half of a frame: layout and paint need the other half. A long text goes on in the next frame. */
const FRAME_BUDGET_MS = 8;
/** The first write may take longer, so that most texts are complete at once. */
const FIRST_BUDGET_MS = 24;
/** A slow write is followed by a pause this many times as long, so that typing and scrolling stay smooth. */
const PAUSE_PER_WORK = 2;
/**
 * With more new characters than this in one write, whole words appear each time. Thirty writes a second then look as
 * smooth as sixty, at half the cost.
 */
const MANY_CHARACTERS = 30;
/** A frame and a half at 60 a second, so that the next write comes in the second frame from now. */
const PAUSE_MS = 25;

/** Writes the source into `root`, at once and as it grows. Returns the way to stop. */
function follow(source: MarkdownSource, written: Written, root: HTMLElement): () => void {
  const { writer } = written;
  let frame = 0;
  let nextWriteAt = 0;

  const write = (budgetMs: number) => {
    const text = source.text();
    const added = text.slice(written.text.length);
    const isFast = added.length > MANY_CHARACTERS;
    if (added !== "") writer.take(added);
    written.text = text;
    if (source.isEnded()) writer.end();
    const started = performance.now();
    const hasMore = writer.write(budgetMs);
    // Hides what stands under the response until all is written: it would jump down with each frame.
    root.toggleAttribute("data-behind", hasMore && source.isEnded());
    const tookMs = performance.now() - started;
    const pauseMs = Math.max(isFast ? PAUSE_MS : 0, tookMs > FRAME_BUDGET_MS ? tookMs * (1 + PAUSE_PER_WORK) : 0);
    nextWriteAt = hasMore || source.isEnded() ? 0 : started + pauseMs;
    if (hasMore) schedule();
  };
  const onFrame = (now: number) => {
    frame = 0;
    if (now < nextWriteAt && !source.isEnded()) schedule();
    else write(FRAME_BUDGET_MS);
  };
  const schedule = () => {
    frame ||= requestAnimationFrame(onFrame);
  };
  const onClick = (event: Event) => handleClick(event, writer, schedule);

  write(FIRST_BUDGET_MS);
  const unsubscribe = source.subscribe(schedule);
  root.addEventListener("click", onClick);
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
    root.removeEventListener("click", onClick);
  };
}

/** How long the button says "Copied". */
const COPIED_MS = 2_000;

/** Serves every button in written Markdown: copy and wrap of code, loading a picture, showing more. */
function handleClick(event: Event, writer: MarkdownWriter, writeMore: () => void): void {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  const address = button.getAttribute(IMAGE_ADDRESS);
  if (address !== null) {
    writer.shownImages.add(address);
    // The button names the address.
    if (localHold(address) === "closed") openFileOrigin(new URL(address).origin);
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
