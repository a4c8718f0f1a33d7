import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { noteConnected } from "#connection/relay.ts";
import { createMarkdownSource } from "#text/markdown/markdown-source.ts";
import { MarkdownView } from "#text/markdown/markdown-view.tsx";
import { MarkdownWriter } from "#text/markdown/markdown-writer.ts";
import { cases } from "../../setup/cases.ts";
import { SAMPLE } from "./markdown-samples.ts";
import { giveFrames, runFrame, untilWritten, write, writtenHtml } from "./written-html.ts";

const fence = (info: string, code: string) => `\`\`\`${info}\n${code}\n\`\`\`\n`;

describe("code", () => {
  it("is copied unchanged", async () => {
    const user = userEvent.setup();
    const code = Array.from({ length: 95 }, (_, at) => `const a${at} = "x"; // ${at}`).join("\n");
    render(<MarkdownView text={fence("ts", code)} />);
    await user.click(screen.getByRole("button", { name: "Copy code" }));
    expect(await navigator.clipboard.readText()).toBe(code);
    expect(screen.getByRole("button", { name: "Copied" })).toBeVisible();
  });

  it("wraps on request", async () => {
    const user = userEvent.setup();
    render(<MarkdownView text={fence("", "long")} />);
    const wrap = screen.getByRole("button", { name: "Wrap lines", pressed: false });
    await user.click(wrap);
    expect(wrap).toHaveAttribute("aria-pressed", "true");
  });

  it("is shown in chunks of 40 lines, coloured for a known language", () => {
    const code = Array.from({ length: 100 }, () => "let a = 1").join("\n");
    const root = write([fence("js", code)]);
    expect(root.querySelectorAll(".md-chunk")).toHaveLength(3);
    expect(root.querySelectorAll(".md-keyword")).toHaveLength(100);
    expect(write([fence("unknown", code)]).querySelectorAll(".md-keyword")).toHaveLength(0);
  });

  it("colours comments and strings across lines and chunks", () => {
    const comment = write([fence("js", `/*\n${"let\n".repeat(60)}*/ let`)]);
    expect(comment.querySelectorAll(".md-keyword")).toHaveLength(1);
    const text = write([fence("py", `"""\n${"if\n".repeat(60)}""" if`)]);
    expect(text.querySelectorAll(".md-keyword")).toHaveLength(1);
  });

  it("is coloured line by line as it comes, and a finished line is not written again", () => {
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const take = (text: string) => {
      writer.take(text);
      writer.write(8);
    };
    take("```ts\nconst a = 1;\nlet b");
    expect([...root.querySelectorAll(".md-keyword")].map(({ textContent }) => textContent)).toEqual(["const"]);
    const [first] = root.querySelectorAll(".md-keyword");
    take(" = 2;\nreturn b;\n``");
    expect(root.querySelector("code")?.textContent).toBe("const a = 1;\nlet b = 2;\nreturn b;");
    expect(root.querySelectorAll(".md-keyword")).toHaveLength(2);
    take("`\n");
    expect(root.querySelectorAll(".md-keyword")).toHaveLength(3);
    expect(root.querySelector(".md-keyword")).toBe(first);
  });

  it("of many lines costs no more at its end than at its beginning", () => {
    const lines = cases(1000, 5000);
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const changed: number[] = [];
    const watch = new MutationObserver(() => undefined);
    watch.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    writer.take("```ts\n");
    for (let line = 0; line < lines; line++) {
      writer.take(`const a${line} = call(${line}); // line\n`);
      writer.write(Number.POSITIVE_INFINITY);
      changed.push(watch.takeRecords().length);
    }
    expect(Math.max(...changed.slice(0.8 * lines))).toBeLessThanOrEqual(Math.max(...changed.slice(40, 0.2 * lines)));
  });
});

describe("reading", () => {
  it("has names for tables, code, buttons and tasks, and what scrolls can have the focus", async () => {
    giveFrames();
    const { container } = render(<MarkdownView text={SAMPLE} />);
    await untilWritten(container);
    const table = screen.getByRole("group", { name: "Table: n, v" });
    expect(table).toHaveAttribute("tabindex", "0");
    expect(within(table).getAllByRole("columnheader")).toHaveLength(2);
    expect(screen.getByRole("group", { name: "Code, ts" })).toHaveAttribute("tabindex", "0");
    const names: string[] = [];
    for (const role of ["button", "checkbox", "link"])
      screen.getAllByRole(role, {
        name: (name, element) => element.closest("[hidden]") === null && names.push(name) > 0,
      });
    const picture = "Image: pic pictures.example/p.png?q=1 Load";
    const links = ["a link(example.com)", "ref(example.org)"];
    const code = ["Wrap lines", "Copy code"];
    expect(names).toEqual([...code, picture, ...code, "Done", ...links]);
  });

  it("hides the marks of unfinished bold text and code", () => {
    const text = "One **bold word** and `code * here`, (**two**).\n\n- **An item.** Text\n- `npm i` and **more **";
    for (let end = 1; end <= text.length - 3; end++) {
      const root = document.createElement("div");
      const writer = new MarkdownWriter(root);
      writer.take(text.slice(0, end));
      writer.write(Number.POSITIVE_INFINITY);
      expect(root.textContent?.replace("code * here", "").replace("code *", ""), text.slice(0, end)).not.toMatch(
        /[*`]/,
      );
    }
  });

  it("has no heading without words, such as one whose answer was stopped there", () => {
    expect(write(["# Tides\n\n##"]).querySelectorAll("h3, h4")).toHaveLength(1);
    expect(write(["# Tides\n\n##", " Neap"]).querySelectorAll("h3, h4")).toHaveLength(2);
  });

  it("never skips a level of headings", () => {
    const root = write(["# a\n#### b\n## c\n###### d\n# e\n"]);
    expect([...root.querySelectorAll("h3, h4, h5, h6")].map((found) => found.tagName)).toEqual([
      "H3",
      "H4",
      "H4",
      "H5",
      "H3",
    ]);
  });

  it("shows formulas as MathML, and dollar amounts as text", async () => {
    const { container } = render(
      <MarkdownView text={"It is $x^2$ or \\(y\\).\n\n$$\n\\frac{a}{b}\n- c\n$$\n\n$5 and $6, $\\nope{$"} />,
    );
    // The code for formulas comes late, and a slow machine writes the last paragraph in another frame.
    await waitFor(() => {
      expect(container.querySelectorAll("math")).toHaveLength(3);
      expect(container).toHaveTextContent("$5 and $6");
    });
    expect(container.querySelector("mfrac")).not.toBeNull();
  });

  it("resolves a link whose definition comes later", () => {
    const root = write(["[a] and [b][A]\n\n", "text\n\n".repeat(20), "[a]: https://ok.example\n"]);
    expect(root.querySelectorAll("a")).toHaveLength(2);
  });

  // H19.
  it("shows a very long text in parts", async () => {
    const user = userEvent.setup();
    const { container } = render(<MarkdownView text={`${"word ".repeat(60)}\n\n`.repeat(700)} />);
    const more = await screen.findByRole("button", { name: "Show more" });
    const before = container.querySelectorAll("p").length;
    expect(before).toBeLessThan(400);
    await user.click(more);
    await waitFor(() => expect(container.querySelectorAll("p").length).toBeGreaterThan(before));
  });
});

// H1.
describe("pictures", () => {
  it("show their address; a click loads them without a referrer", async () => {
    render(<MarkdownView text={"![A fox](https://pictures.example/fox.png?q=1)"} />);
    expect(document.querySelector("img")).toBeNull();
    const chip = screen.getByRole("button", { name: /Image: A fox pictures\.example\/fox\.png\?q=1 Load/ });
    await userEvent.click(chip);
    const image = screen.getByRole("img", { name: "A fox" });
    expect(image).toHaveAttribute("src", "https://pictures.example/fox.png?q=1");
    expect(image).toHaveAttribute("referrerpolicy", "no-referrer");
  });

  it("of this computer are not loaded where the service is elsewhere, which takes their place in words", async () => {
    noteConnected(undefined, ["https://api.example.com"]);
    onTestFinished(() => noteConnected(undefined, []));
    render(<MarkdownView text={"![A fox](http://localhost:9000/fox.png)"} />);
    await userEvent.click(screen.getByRole("button", { name: /Image: A fox/ }));
    expect(await screen.findByText(/^A fox Safelight does not use http:\/\/localhost:9000, which is on/)).toBeVisible();
    expect(document.querySelector("img")).toBeNull();
  });
});

/** An answer on the page of which `first` has come. `add` brings more; `end` ends it and gives its place the whole text. */
async function growing(first: string) {
  giveFrames();
  const source = createMarkdownSource();
  source.append(first);
  const { container, rerender } = render(<MarkdownView text={source} />);
  const root = container.firstElementChild as HTMLElement;
  await untilWritten(root);
  return {
    root,
    rerender,
    user: userEvent.setup(),
    async add(more: string) {
      act(() => source.append(more));
      await untilWritten(root);
    },
    async end(whole = source.text()) {
      source.end();
      rerender(<MarkdownView text={whole} />);
      await untilWritten(root);
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

describe("an answer that ends", () => {
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
    await untilWritten(root);
    more.end();
    await untilWritten(root);
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
    await user.click(screen.getByRole("button", { name: /Image: A fox/ }));
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
    await untilWritten(root);
    const shown = paragraphs();
    expect(shown).toBeGreaterThan(before);
    await end();
    expect(paragraphs()).toBe(shown);
  });

  it.each([
    ["words", "Low water is at ", "water is", "noon."],
    ["words beside bold ones", "Low **water** is at", " is ", " noon."],
    [
      "code over a line that is coloured when it ends",
      "```ts\nconst low = 1;\nlet high",
      "low = 1;\nlet",
      " = 2;\n```",
    ],
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
    giveFrames();
    // Each look at the clock is another frame: one block is written in each.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (nowMs += 100));
    const { container } = render(<MarkdownView text={"A line.\n\n".repeat(30)} />);
    const isWaiting = () => container.querySelector("[data-behind]") !== null;
    runFrame();
    expect(isWaiting()).toBe(true);
    // React looks at it, too.
    clock.mockRestore();
    await untilWritten(container);
    expect(screen.getAllByText("A line.")).toHaveLength(30);
    expect(isWaiting()).toBe(false);
  });
});
