import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, onTestFinished, vi } from "vitest";
import { createMarkdownSource } from "#chat/markdown/markdown-source.ts";
import { MarkdownView } from "#chat/markdown/markdown-view.tsx";
import { SAMPLE } from "./markdown-samples.ts";
import { untilStill, writtenHtml } from "./written-html.ts";

/** An answer on the page of which `first` has come. `add` brings more; `end` ends it and gives its place the whole text. */
async function growing(first: string) {
  const source = createMarkdownSource();
  source.append(first);
  const { container, rerender } = render(<MarkdownView text={source} />);
  const root = container.firstElementChild as HTMLElement;
  await untilStill(root);
  return {
    root,
    rerender,
    user: userEvent.setup(),
    async add(more: string) {
      act(() => source.append(more));
      await untilStill(root);
    },
    async end(whole = source.text()) {
      source.end();
      rerender(<MarkdownView text={whole} />);
      await untilStill(root);
    },
  };
}

/** Selects `text`, from its end to its beginning, and gives what is selected now. */
function select(root: HTMLElement, text: string): () => string {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node instanceof Text; node = walker.nextNode()) texts.push(node);
  const at = texts
    .map(({ data }) => data)
    .join("")
    .indexOf(text);
  const placeOf = (offset: number) => {
    let left = offset;
    // What ends at a border of two texts stands in the first.
    for (const node of texts) {
      if (left <= node.length) return [node, left] as const;
      left -= node.length;
    }
    throw new Error("no such place");
  };
  document.getSelection()?.setBaseAndExtent(...placeOf(at + text.length), ...placeOf(at));
  const selected = () => document.getSelection()?.toString() ?? "";
  expect(selected()).toBe(text);
  return selected;
}

const wrap = () => screen.getByRole("button", { name: "Wrap lines" });

it("is the same document as the whole text, and nothing in it is written again", async () => {
  const text = `${SAMPLE}\nText.\n\nThe last line.`;
  const { root, end } = await growing(text);
  const blocks = [...root.querySelectorAll(".md-group > *")];
  expect(blocks.length).toBeGreaterThan(10);
  const changes: MutationRecord[] = [];
  const watch = new MutationObserver((records) => changes.push(...records));
  watch.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  await end();
  watch.disconnect();
  expect(changes).toEqual([]);
  expect(blocks.every((block) => root.contains(block))).toBe(true);
  expect(root.innerHTML).toBe(writtenHtml([text]));
});

it("shows what came with the end, behind what was written", async () => {
  const { root, end } = await growing("The first.\n\nThe ");
  const first = screen.getByText("The first.");
  await end("The first.\n\nThe **second**.\n");
  expect(screen.getByText("The first.")).toBe(first);
  expect(root.innerHTML).toBe(writtenHtml(["The first.\n\nThe **second**.\n"]));
});

it("is written anew where the whole text is another", async () => {
  const { root, end } = await growing("The first.\n\nThe second.");
  await end("The first.\n\nAnother.\n");
  expect(root.innerHTML).toBe(writtenHtml(["The first.\n\nAnother.\n"]));
});

it("is written anew where the whole text is shorter, or goes on after its end", async () => {
  const { root, end, rerender } = await growing("One, two");
  await end("One");
  expect(root.innerHTML).toBe(writtenHtml(["One"]));
  const more = createMarkdownSource();
  more.append("One");
  rerender(<MarkdownView text={more} />);
  expect(root).toHaveTextContent(/^OneShow more$/);
  act(() => more.append(" and **three**."));
  await untilStill(root);
  more.end();
  await untilStill(root);
  expect(root.innerHTML).toBe(writtenHtml(["One and **three**."]));
});

it.each([
  ["a block", "```ts\nconst a = 1;\n", "```"],
  ["a list", "- One:\n  ```ts\n  const a = 1;\n", "  ```"],
  ["indented lines", "One:\n\n    const a = 1;\n", "    const b = 2;"],
])("keeps code of %s wrapped", async (_, first, last) => {
  const { user, add, end } = await growing(first);
  await user.click(wrap());
  await add(last);
  await end();
  expect(wrap()).toHaveAttribute("aria-pressed", "true");
});

it("keeps a picture that the reader loaded", async () => {
  const { root, user, end } = await growing("A fox:\n\n![A fox](https://pictures.example/fox.png) in the ");
  await user.click(screen.getByRole("button", { name: /Picture: A fox/ }));
  const picture = screen.getByRole("img", { name: "A fox" });
  await end("A fox:\n\n![A fox](https://pictures.example/fox.png) in the snow.");
  expect(screen.getByRole("img", { name: "A fox" })).toBe(picture);
  expect(root).toHaveTextContent("in the snow.");
});

it("keeps the parts of a long text that the reader asked for", async () => {
  const { root, user, end } = await growing(`${"word ".repeat(60)}\n\n`.repeat(700));
  const paragraphs = () => root.querySelectorAll("p").length;
  const before = paragraphs();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  await untilStill(root);
  const shown = paragraphs();
  expect(shown).toBeGreaterThan(before);
  await end();
  expect(paragraphs()).toBe(shown);
});

it.each([
  ["words", "Low water is at ", "water is", "noon."],
  ["words beside bold ones", "Low **water** is at", " is ", " noon."],
  ["code over a line that is coloured when it ends", "```ts\nconst low = 1;\nlet high", "low = 1;\nlet", " = 2;\n```"],
  ["all of an open line", "```ts\nlet high", "let high", " = 2;\nreturn;\n"],
  ["a part of an open line behind spaces", "```ts\nif (a) {\n  const b = f(1)", "b = f(1", ";\n}\n```"],
  ["code whose last line ends the text", "```ts\nconst low = 1;", "low = 1;", ""],
])("keeps %s selected", async (_, first, text, rest) => {
  const { root, end } = await growing(first);
  const selected = select(root, text);
  await end(first + rest);
  expect(selected()).toBe(text);
});

it("what stands under a long answer is told to wait until the answer is written", async () => {
  // Each look at the clock is another frame: one block is written in each.
  let nowMs = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
  onTestFinished(() => void vi.restoreAllMocks());
  const { container } = render(<MarkdownView text={"A line.\n\n".repeat(30)} />);
  const isWaiting = () => container.querySelector("[data-behind]") !== null;
  expect(isWaiting()).toBe(true);
  await untilStill(container);
  expect(screen.getAllByText("A line.")).toHaveLength(30);
  expect(isWaiting()).toBe(false);
});
