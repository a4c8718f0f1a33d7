import type { AnswerPart } from "#api/text/text-types.ts";
import { expandAxes } from "#batch/rows/expand-axes.ts";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { type Template, templateModels } from "#batch/rows/read-recipe.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { BlockSplitter } from "#text/markdown/block-splitter.ts";
import { asMarkdown, lexMarkdown, type MarkdownToken, noLinks } from "#text/markdown/lex-markdown.ts";
import { stripHidden } from "#text/markdown/safe-text.ts";

// Finds the runs that a response proposes, and summarizes them.

/** The info string of a fenced block that proposes runs. */
export const RUNS_FENCE = "safelight-runs";
/** The tool whose call proposes runs, with the same JSON as its arguments. */
export const RUNS_TOOL = "propose_runs";

/** Proposals of one response. Further blocks are shown as ordinary code. */
const MAX_PROPOSALS = 8;

/**
 * The texts of the blocks that propose runs, in order, exactly as the page shows them, at most 8. A block that is not
 * closed ends with the response.
 */
export function proposedTexts(text: string): string[] {
  if (!mentionsRuns(text)) return [];
  const splitter = new BlockSplitter();
  const lines = stripHidden(text).replace(/\r\n?/g, "\n");
  return [...splitter.push(lines), ...splitter.end()]
    .flatMap((segment) => {
      if (segment.kind === "code") return isRunsFence(segment.info) ? [segment.code] : [];
      const mayContainBlock = segment.kind === "text" && mentionsRuns(segment.text);
      return mayContainBlock ? codeWithin(lexMarkdown(segment.text, noLinks())) : [];
    })
    .slice(0, MAX_PROPOSALS);
}

/** The blocks that propose runs within lists and quotes. */
function codeWithin(tokens: readonly MarkdownToken[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "code") return isRunsFence(token.lang ?? "") ? [token.text] : [];
    if (token.type === "list") return token.items.flatMap((item) => codeWithin(asMarkdown(item.tokens)));
    return token.type === "blockquote" ? codeWithin(asMarkdown(token.tokens)) : [];
  });
}

const isRunsFence = (info: string) => info.split(/\s/, 1)[0]?.toLowerCase() === RUNS_FENCE;

/** Whether a text may have a block that proposes runs. Cheap enough to test a growing text. */
export function mentionsRuns(text: string): boolean {
  return /(?:`{3}|~{3})[ \t]*safelight-runs/i.test(text);
}

/** Whether a part of a response is a tool call that proposes runs. */
export function proposesRuns(part: AnswerPart): part is Extract<AnswerPart, { kind: "tool-call" }> {
  return part.kind === "tool-call" && part.name === RUNS_TOOL;
}

/** Models that a summary names. */
const MAX_NAMES = 3;

interface Proposal {
  /** Absent where the whole proposal cannot be used. */
  template?: Template;
  /** A summary: "6 runs with lumen-2 and lumen-2-pro". */
  words?: string;
  /** What is wrong, in sentences. */
  notes: readonly string[];
}

/** Reads a proposal from a response, as untrusted data. */
export function readProposal(text: string): Proposal {
  const { template, problem, problems } = readProposedRuns(text);
  if (!template) return { notes: [problem] };
  const { words, problem: wrong } = summarize(template);
  return wrong === undefined ? { template, words, notes: problems } : { notes: [wrong, ...problems] };
}

function summarize(template: Template): { words: string; problem?: string | undefined } {
  const models = templateModels(template);
  const names = models.map((id) => visibleLine(id, 60));
  const more = names.length - MAX_NAMES;
  const shown = more > 1 ? [...names.slice(0, MAX_NAMES), `${formatNumber(more)} more models`] : names;
  // The number of runs does not depend on the schemas, so they are not requested.
  const error = new Error("Not asked.");
  const noSchemas = new Map(models.map((id) => [id, { state: "failed", error, retry: () => {} }] as const));
  let count = 0;
  for (const { axes, runs } of template.groups) {
    const expanded = axes && !runs ? expandAxes(axes, noSchemas) : undefined;
    if (expanded?.problem !== undefined) return { words: "", problem: expanded.problem };
    count += runs?.length ?? expanded?.runs.length ?? 0;
  }
  return {
    words: `${counted(count, "run")} with ${new Intl.ListFormat("en").format(shown)}`,
    problem:
      count > MAX_ITEMS
        ? `This proposal has ${counted(count, "run")}. A batch can have up to ${formatNumber(MAX_ITEMS)}.`
        : undefined,
  };
}
