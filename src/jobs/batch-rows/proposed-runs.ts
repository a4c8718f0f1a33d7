import type { Recipe } from "./recipe.ts";

export type ProposedRuns =
  | { recipe: Recipe; problems: string[]; problem?: undefined }
  | { recipe?: undefined; problems?: undefined; problem: string };

/** The runs that an answer of a chat proposes: the text of its block, or the arguments of its tool call. Never throws. */
export function readProposedRuns(_raw: unknown): ProposedRuns {
  return { problem: "This proposal holds no runs." };
}
