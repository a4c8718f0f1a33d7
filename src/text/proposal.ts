import type { AnswerPart } from "#api/text/text-types.ts";
import { BlockSplitter } from "./markdown/block-splitter.ts";
import { asMarkdown, lexMarkdown, type MarkdownToken, noLinks } from "./markdown/lex-markdown.ts";
import { stripHidden } from "./markdown/safe-text.ts";

/** What follows the fence of a block that proposes runs. */
export const RUNS_FENCE = "safelight-runs";
/** The tool whose call proposes runs, with the same JSON as its arguments. */
export const RUNS_TOOL = "propose_runs";

/** The most proposals of one answer. What follows is shown as any other code. */
const MAX_PROPOSALS = 8;

/**
 * The texts of the blocks that propose runs, in their order, letter by letter as the page shows them; at most 8. A block
 * that the answer does not close goes to its end.
 */
export function proposedTexts(text: string): string[] {
  if (!mentionsRuns(text)) return [];
  const splitter = new BlockSplitter();
  const lines = stripHidden(text).replace(/\r\n?/g, "\n");
  return [...splitter.push(lines), ...splitter.end()]
    .flatMap((segment) => {
      if (segment.kind === "code") return isRunsFence(segment.info) ? [segment.code] : [];
      const isList = segment.kind === "text" && mentionsRuns(segment.text);
      return isList ? codeWithin(lexMarkdown(segment.text, noLinks())) : [];
    })
    .slice(0, MAX_PROPOSALS);
}

/** Blocks in the items of a list, or in a quote. */
function codeWithin(tokens: readonly MarkdownToken[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") return isRunsFence(token.lang ?? "") ? [token.text] : [];
    if (token.type === "list") return token.items.flatMap((item) => codeWithin(asMarkdown(item.tokens)));
    return token.type === "blockquote" ? codeWithin(asMarkdown(token.tokens)) : [];
  });
}

const isRunsFence = (info: string) => info.split(/\s/, 1)[0]?.toLowerCase() === RUNS_FENCE;

/** Whether a text may hold such a block: cheap enough for a text that grows. */
export function mentionsRuns(text: string): boolean {
  return /(?:`{3}|~{3})[ \t]*safelight-runs/i.test(text);
}

/** Whether a part of an answer is a call that proposes runs. */
export function proposesRuns(part: AnswerPart): part is Extract<AnswerPart, { kind: "tool-call" }> {
  return part.kind === "tool-call" && part.name === RUNS_TOOL;
}
