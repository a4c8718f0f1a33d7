import { act, render, waitFor } from "@testing-library/react";
import { createElement } from "react";
import { expect, onTestFinished, vi } from "vitest";
import { createMarkdownSource } from "#text/markdown/markdown-source.ts";
import { MarkdownView } from "#text/markdown/markdown-view.tsx";
import { MarkdownWriter } from "#text/markdown/markdown-writer.ts";

let frames = new Map<number, FrameRequestCallback>();
let lastFrame = 0;

/** For the rest of the test a frame comes when the test says, and with it the time for which a slow writer rests. */
export function giveFrames(): void {
  frames = new Map();
  const asking = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => {
    lastFrame += 1;
    frames.set(lastFrame, frame);
    return lastFrame;
  });
  const cancelling = vi.spyOn(window, "cancelAnimationFrame").mockImplementation((id) => void frames.delete(id));
  onTestFinished(() => {
    asking.mockRestore();
    cancelling.mockRestore();
  });
}

/** Runs the frames that were asked for. */
export function runFrame(): void {
  const asked = [...frames.values()];
  frames.clear();
  act(() => {
    for (const frame of asked) frame(Number.POSITIVE_INFINITY);
  });
}

/** Runs frames until all is written, and waits for the code of formulas. Gives the markup. */
export async function untilWritten(root: HTMLElement): Promise<string> {
  while (frames.size > 0) runFrame();
  await waitFor(() => expect(root.querySelector("[data-tex]")).toBeNull());
  return root.innerHTML;
}

/** What `MarkdownView` makes of a text, as markup for comparing. */
export async function viewHtml(text: string): Promise<string> {
  giveFrames();
  const { container, unmount } = render(createElement(MarkdownView, { text }));
  const html = await untilWritten(container);
  unmount();
  return html;
}

/** What it ends as when the text comes in these pieces, with a frame after each. */
export async function streamedHtml(pieces: string[]): Promise<string> {
  giveFrames();
  const source = createMarkdownSource();
  const { container, unmount } = render(createElement(MarkdownView, { text: source }));
  for (const piece of pieces) {
    source.append(piece);
    runFrame();
  }
  source.end();
  const html = await untilWritten(container);
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
