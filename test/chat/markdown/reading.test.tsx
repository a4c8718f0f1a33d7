import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { MarkdownView } from "#chat/markdown/markdown-view.tsx";
import { MarkdownWriter } from "#chat/markdown/markdown-writer.ts";
import { SAMPLE } from "./markdown-samples.ts";
import { write } from "./written-html.ts";

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

  it("of 5,000 lines costs no more at its end than at its beginning", () => {
    const root = document.createElement("div");
    const writer = new MarkdownWriter(root);
    const changed: number[] = [];
    const watch = new MutationObserver(() => undefined);
    watch.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
    writer.take("```ts\n");
    for (let line = 0; line < 5000; line++) {
      writer.take(`const a${line} = call(${line}); // line\n`);
      writer.write(Number.POSITIVE_INFINITY);
      changed.push(watch.takeRecords().length);
    }
    expect(Math.max(...changed.slice(4000))).toBeLessThanOrEqual(Math.max(...changed.slice(40, 1000)));
  });
});

describe("reading", () => {
  it("has no axe violation with scrolling code and named tables", async () => {
    const { container } = render(
      <main>
        <h1>Playground</h1>
        <h2>Answer</h2>
        <MarkdownView text={SAMPLE} />
      </main>,
    );
    const table = await screen.findByRole("group", { name: "Table: n, v" });
    expect(table).toHaveAttribute("tabindex", "0");
    expect(within(table).getAllByRole("columnheader")).toHaveLength(2);
    const code = await screen.findByRole("group", { name: "Code, ts" });
    expect(code).toHaveAttribute("tabindex", "0");
    const { violations } = await act(() => axe.run(container, { rules: { "color-contrast": { enabled: false } } }));
    expect(violations.map(({ id }) => id)).toEqual([]);
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
