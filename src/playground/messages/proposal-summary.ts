import { expandAxes } from "#batch/rows/expand-axes.ts";
import { readProposedRuns } from "#batch/rows/proposed-runs.ts";
import { type Recipe, recipeModels } from "#batch/rows/read-recipe.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MAX_ITEMS } from "#storage/stored-batches.ts";

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
