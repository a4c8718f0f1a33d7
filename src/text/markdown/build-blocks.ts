import type { Tokens } from "marked";
import { holdSentence, openStorage, storageAddress } from "#connection/relay.ts";
import { safeAddress, showsTarget } from "#lib/safe-link.ts";
import { buildCode } from "./code-block.ts";
import { element, type Tag } from "./element.ts";
import { asMarkdown, type MarkdownToken } from "./lex-markdown.ts";
import type { MathWriter } from "./math-writer.ts";
import { decodeEntities, stripHidden } from "./safe-text.ts";

/** What building a block needs to know beyond its own text. */
export interface BuildContext {
  /** Depths of the open headings, updated while building, so that no heading level is skipped. */
  headings: number[];
  /** Addresses of the pictures that the reader clicked to load. */
  shownImages: ReadonlySet<string>;
  math: MathWriter;
}

/** The first level for a text: the page and the message have the headings above it. */
const TOP_HEADING = 3;

/** The nodes of a text segment. A token of another kind than those listed is shown as text. */
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
      // A response that was cut off right after `##`: an empty heading would be read out as one.
      if (token.text.trim() === "") return undefined;
      return element(nextHeadingTag(token.depth, context.headings), "", ...inline(token, context));
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

function nextHeadingTag(depth: number, above: number[]): Tag {
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
  const head = token.header.map((headerCell) => {
    const built = cell("th", headerCell);
    built.setAttribute("scope", "col");
    return built;
  });
  const rows = token.rows.map((row) => element("tr", "", ...row.map((bodyCell) => cell("td", bodyCell))));
  const table = element("table", "", element("thead", "", element("tr", "", ...head)), element("tbody", "", ...rows));
  const frame = element("div", "md-table", table);
  // So that a wide table scrolls by keyboard too.
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

/** The nodes of a line of text. A token of another kind than those listed is shown as its source. */
export function buildInline(tokens: MarkdownToken[], context: BuildContext): (Node | string)[] {
  return tokens.flatMap((token) => buildInlineToken(token, context));
}

function buildInlineToken(token: MarkdownToken, context: BuildContext): (Node | string)[] {
  switch (token.type) {
    case "text":
      return token.tokens ? buildInline(asMarkdown(token.tokens), context) : [decodeEntities(token.text)];
    case "escape":
      return [token.text];
    case "strong":
    case "em":
    case "del":
      return [element(token.type, "", ...buildInline(asMarkdown(token.tokens), context))];
    case "codespan":
      return [element("code", "", token.text)];
    case "br":
    case "breakTag":
      return [element("br")];
    case "link":
      return buildLink(token, context);
    case "image":
      return [buildImage(decodeEntities(token.text), token.href, context.shownImages) ?? token.raw];
    case "math":
      return [context.math.build(token.tex, token.isDisplayed)];
    case "checkbox":
      return [buildCheckbox(token.checked), " "];
    default:
      return [token.raw];
  }
}

const plainAddress = (raw: string) => stripHidden(decodeEntities(raw));

/**
 * Shows where the link leads unless its text shows it; an address that is not safe stays as text
 * (H3 and H17 in `test/README.md`).
 */
function buildLink(token: Tokens.Link, context: BuildContext): (Node | string)[] {
  const address = safeAddress(plainAddress(token.href));
  if (!address) return [token.raw];
  const link = element("a", "", ...buildInline(asMarkdown(token.tokens), context));
  link.href = address.href;
  link.rel = "noopener noreferrer nofollow";
  link.target = "_blank";
  if (showsTarget(link.textContent, address)) return [link];
  link.append(element("span", "md-target", ` (${address.target})`));
  return [link];
}

function buildCheckbox(checked: boolean): HTMLInputElement {
  const box = element("input");
  box.type = "checkbox";
  box.disabled = true;
  box.setAttribute("aria-label", checked ? "Done" : "Not done");
  // The attribute, not the property: only the attribute is part of a copy as HTML.
  if (checked) box.setAttribute("checked", "");
  return box;
}

/** Marks the buttons that `handleClick` serves. */
export const IMAGE_ADDRESS = "data-image";

/**
 * A button that names the picture and its address. Nothing is loaded until the reader clicks it, because a picture's
 * address can carry the conversation away (H1 in `test/README.md`). Undefined for an address that is not on the web.
 */
function buildImage(alt: string, rawAddress: string, shown: ReadonlySet<string>): HTMLElement | undefined {
  const address = safeAddress(plainAddress(rawAddress));
  if (!address || address.href.startsWith("mailto:")) return undefined;
  if (shown.has(address.href)) return loadingImage(alt, address.href);
  const chip = element("button", "md-image");
  chip.type = "button";
  chip.setAttribute(IMAGE_ADDRESS, address.href);
  chip.setAttribute("data-alt", alt);
  chip.append(
    element("span", "md-image-alt", alt.trim() === "" ? "Image" : `Image: ${alt}`),
    " ",
    element("span", "md-image-place", `${address.target}${address.path}`),
    " ",
    element("span", "md-image-load", "Load"),
  );
  return chip;
}

/** A picture that loads. The referrer policy is set before the address, because the address starts the request. */
export function loadingImage(alt: string, href: string): HTMLImageElement {
  const image = element("img");
  image.setAttribute("referrerpolicy", "no-referrer");
  image.alt = alt;
  const address = storageAddress(href);
  if (address !== undefined) image.src = address;
  else {
    // `openStorage` does not reject: where the host refuses, the picture fails to load.
    void openStorage(href).then((opened) => {
      if (opened !== undefined) image.src = opened;
      else image.replaceWith(element("span", "md-image", `${image.alt} ${holdSentence(href)}`.trim()));
    });
  }
  return image;
}
