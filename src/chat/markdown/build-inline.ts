import type { Tokens } from "marked";
import type { BuildContext } from "./build-context.ts";
import { buildImage } from "./build-image.ts";
import { decodeEntities } from "./decode-entities.ts";
import { element } from "./element.ts";
import { asMarkdown, type MarkdownToken } from "./lex-markdown.ts";
import { safeAddress, saysTarget } from "./safe-address.ts";

/** Nodes of a line of text. A kind of token that is not listed becomes its own source as text. */
export function buildInline(tokens: MarkdownToken[], context: BuildContext): (Node | string)[] {
  return tokens.flatMap((token) => buildOne(token, context));
}

function buildOne(token: MarkdownToken, context: BuildContext): (Node | string)[] {
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

/** Shows where the link leads unless its text says so; an address that is not safe stays as text (H3, H17). */
function buildLink(token: Tokens.Link, context: BuildContext): (Node | string)[] {
  const address = safeAddress(token.href);
  if (!address) return [token.raw];
  const link = element("a", "", ...buildInline(asMarkdown(token.tokens), context));
  link.href = address.href;
  link.rel = "noopener noreferrer nofollow";
  link.target = "_blank";
  if (saysTarget(link.textContent, address)) return [link];
  link.append(element("span", "md-target", ` (${address.target})`));
  return [link];
}

function buildCheckbox(checked: boolean): HTMLInputElement {
  const box = element("input");
  box.type = "checkbox";
  box.disabled = true;
  box.setAttribute("aria-label", checked ? "Done" : "Not done");
  if (checked) box.setAttribute("checked", "");
  return box;
}
