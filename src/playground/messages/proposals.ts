import type { AnswerPart } from "#api/text/text-types.ts";
import { expandAxes } from "#batch/rows/expand-axes.ts";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { type Recipe, recipeModels } from "#batch/rows/read-recipe.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";
import { BlockSplitter } from "#text/markdown/block-splitter.ts";
import { asMarkdown, lexMarkdown, type MarkdownToken, noLinks } from "#text/markdown/lex-markdown.ts";
import { stripHidden } from "#text/markdown/safe-text.ts";

// Runs that an answer proposes: where they stand in it, and what they come to.

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

const MAX_NAMES = 3;

interface Proposal {
  /** Absent where something is wrong with all of it. */
  recipe?: Recipe;
  /** What the runs come to: "6 runs with lumen-2 and lumen-2-pro". */
  words?: string;
  /** What is wrong, in sentences. */
  notes: readonly string[];
}

/** What a text from an answer proposes: untrusted. */
export function readProposal(text: string): Proposal {
  const { recipe, problem, problems } = readProposedRuns(text);
  if (!recipe) return { notes: [problem] };
  const { words, problem: wrong } = summaryOf(recipe);
  return wrong === undefined ? { recipe, words, notes: problems } : { notes: [wrong, ...problems] };
}

function summaryOf(recipe: Recipe): { words: string; problem?: string | undefined } {
  const models = recipeModels(recipe);
  const names = models.map((id) => visibleLine(id, 60));
  const more = names.length - MAX_NAMES;
  const shown = more > 1 ? [...names.slice(0, MAX_NAMES), `${more.toLocaleString("en-US")} more models`] : names;
  // How many there are does not follow from what the models take, so nothing is asked for it.
  const error = new Error("Not asked.");
  const unasked = new Map(models.map((id) => [id, { state: "failed", error, retry: () => {} }] as const));
  let count = 0;
  for (const { axes, runs } of recipe.groups) {
    const expanded = axes && !runs ? expandAxes(axes, unasked) : undefined;
    if (expanded?.problem !== undefined) return { words: "", problem: expanded.problem };
    count += runs?.length ?? expanded?.runs.length ?? 0;
  }
  const most = MAX_ITEMS.toLocaleString("en-US");
  const many = count.toLocaleString("en-US");
  return {
    words: `${many} ${count === 1 ? "run" : "runs"} with ${new Intl.ListFormat("en-US").format(shown)}`,
    problem: count > MAX_ITEMS ? `This proposal has ${many} runs. A batch takes at most ${most}.` : undefined,
  };
}
