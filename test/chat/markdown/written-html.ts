import { act, render } from "@testing-library/react";
import { createElement } from "react";
import { createMarkdownSource } from "#chat/markdown/markdown-source.ts";
import { MarkdownView } from "#chat/markdown/markdown-view.tsx";
import { MarkdownWriter } from "#chat/markdown/markdown-writer.ts";

// Loaded already, so that a formula takes its place within a few frames on a busy machine, too.
await import("#chat/markdown/render-formula.ts");

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Waits until the page no longer changes. */
export async function untilStill(container: HTMLElement): Promise<string> {
  for (let before = "", same = 0; same < 5; ) {
    await act(nextFrame);
    same = container.innerHTML === before ? same + 1 : 0;
    before = container.innerHTML;
  }
  return container.innerHTML;
}

/** What `MarkdownView` makes of a text, as markup for comparing. */
export async function viewHtml(text: string): Promise<string> {
  const { container, unmount } = render(createElement(MarkdownView, { text }));
  const html = await untilStill(container);
  unmount();
  return html;
}

/** What it ends as when the text comes in these pieces, with a frame after each. */
export async function streamedHtml(pieces: string[]): Promise<string> {
  const source = createMarkdownSource();
  const { container, unmount } = render(createElement(MarkdownView, { text: source }));
  for (const piece of pieces) {
    source.append(piece);
    await act(nextFrame);
  }
  source.end();
  const html = await untilStill(container);
  unmount();
  return html;
}

/** What the writer makes of these pieces, with a write after each: the same without waiting for frames. */
export function writtenHtml(pieces: string[]): string {
  return write(pieces).innerHTML;
}

/** The element written into. */
export function write(pieces: string[]): HTMLElement {
  const root = document.createElement("div");
  const writer = new MarkdownWriter(root);
  for (const piece of pieces) {
    writer.take(piece);
    writer.write(Number.POSITIVE_INFINITY);
  }
  writer.end();
  writer.write(Number.POSITIVE_INFINITY);
  return root;
}
