import type { Tokens } from "marked";
import type { BuildContext } from "./build-context.ts";
import { buildInline } from "./build-inline.ts";
import { buildCode } from "./code-block.ts";
import { decodeEntities } from "./decode-entities.ts";
import { element, type Tag } from "./element.ts";
import { asMarkdown, type MarkdownToken } from "./lex-markdown.ts";

/** The page and the message have headings of their own above those of the text. */
const TOP_HEADING = 3;

/** Nodes of a text segment. Outside the listed kinds, everything is text. */
export function buildBlocks(tokens: MarkdownToken[], context: BuildContext): HTMLElement[] {
  return tokens.flatMap((token) => {
    const built = buildBlock(token, context);
    return built ? [built] : [];
  });
}

function buildBlock(token: MarkdownToken, context: BuildContext): HTMLElement | undefined {
  switch (token.type) {
    case "space":
    case "def":
      return undefined;
    case "heading":
      return element(headingTag(token.depth, context.headings), "", ...inline(token, context));
    case "paragraph":
      return buildParagraph(token, context);
    case "code":
      return buildCode(token.lang ?? "", token.text);
    case "blockquote":
      return element("blockquote", "", ...buildBlocks(asMarkdown(token.tokens), context));
    case "list":
      return buildList(token, context);
    case "table":
      return buildTable(token, context);
    case "hr":
      return element("hr");
    default:
      return element("p", "", ...buildInline([token], context));
  }
}

const inline = (token: { tokens: Tokens.Generic[] }, context: BuildContext) =>
  buildInline(asMarkdown(token.tokens), context);

/** A displayed formula is a block, which a paragraph cannot hold. */
function buildParagraph(token: Tokens.Paragraph, context: BuildContext): HTMLElement {
  const hasFormula = asMarkdown(token.tokens).some((part) => part.type === "math" && part.isDisplayed);
  return element(hasFormula ? "div" : "p", hasFormula ? "md-p" : "", ...inline(token, context));
}

function headingTag(depth: number, above: number[]): Tag {
  while ((above.at(-1) ?? 0) >= depth) above.pop();
  above.push(depth);
  const level = Math.min(6, TOP_HEADING + above.length - 1);
  return level === 3 ? "h3" : level === 4 ? "h4" : level === 5 ? "h5" : "h6";
}

function buildList(token: Tokens.List, context: BuildContext): HTMLElement {
  const items = token.items.map((item) => {
    const children = asMarkdown(item.tokens).flatMap((part) =>
      part.type === "text" || part.type === "checkbox" ? buildInline([part], context) : buildBlocks([part], context),
    );
    return element("li", item.task ? "md-task" : "", ...children);
  });
  const list = element(token.ordered ? "ol" : "ul", "", ...items);
  if (token.ordered && token.start !== "" && token.start !== 1) list.setAttribute("start", String(token.start));
  return list;
}

function buildTable(token: Tokens.Table, context: BuildContext): HTMLElement {
  const cell = (tag: "th" | "td", { tokens, align }: Tokens.TableCell) =>
    element(tag, align === "right" || align === "center" ? `md-${align}` : "", ...inline({ tokens }, context));
  const head = token.header.map((each) => {
    const made = cell("th", each);
    made.setAttribute("scope", "col");
    return made;
  });
  const rows = token.rows.map((row) => element("tr", "", ...row.map((each) => cell("td", each))));
  const table = element("table", "", element("thead", "", element("tr", "", ...head)), element("tbody", "", ...rows));
  const frame = element("div", "md-table", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute(
    "aria-label",
    `Table: ${token.header
      .map(({ text }) => decodeEntities(text))
      .join(", ")
      .slice(0, 80)}`,
  );
  return frame;
}
