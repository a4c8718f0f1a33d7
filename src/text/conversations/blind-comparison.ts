import { asNumber, isRecord } from "#lib/read.ts";
import { readJson, removeStored, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { BlindComparison, Column, Conversation } from "./conversation.ts";

/** The id of the column with the better response, `"tie"`, or `"none"` where all responses are bad. */
export type Vote = string | "tie" | "none";

/** The votes that a model got in comparisons without names. */
export interface Score {
  model: string;
  won: number;
  lost: number;
  tied: number;
  /** Votes that all responses were bad. */
  none: number;
}

/** Models whose scores are stored. */
const MAX_MODELS = 200;

/** Whether the names of the columns are hidden. */
export function isBlind({ blind, columns }: Pick<Conversation, "blind" | "columns">): boolean {
  return blind !== undefined && !blind.isRevealed && columns.length > 1;
}

/** The columns as they stand side by side: in the shuffled order while they are compared, with new ones at the end. */
export function shownColumns({ blind, columns }: Pick<Conversation, "blind" | "columns">): readonly Column[] {
  if (blind === undefined || columns.length < 2) return columns;
  const position = (id: string) => (blind.order.includes(id) ? blind.order.indexOf(id) : blind.order.length);
  return [...columns].sort((a, b) => position(a.id) - position(b.id));
}

/** What a column is called while its model is hidden: A, B, C, D. */
export const getColumnLetter = (index: number) => "ABCD".charAt(index) || String(index + 1);

/** A new comparison, with the columns in a random order. */
export function shuffled(columns: readonly Pick<Column, "id">[]): BlindComparison {
  const order = columns.map(({ id }) => id);
  for (let last = order.length - 1; last > 0; last--) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const other = random % (last + 1);
    [order[last], order[other]] = [order[other] ?? "", order[last] ?? ""];
  }
  return { order, isRevealed: false };
}

/** Counts a vote for each model that took part. Two columns with the same model are counted as one. */
export function countVote(columns: readonly Column[], vote: Vote): void {
  const winner = columns.find(({ id }) => id === vote)?.model;
  const models = [...new Set(columns.map(({ model }) => model))];
  const scores = new Map(readScores().map((score) => [score.model, score]));
  for (const model of models) {
    const score = { ...(scores.get(model) ?? { model, won: 0, lost: 0, tied: 0, none: 0 }) };
    if (vote === "tie") score.tied += 1;
    else if (vote === "none") score.none += 1;
    else if (model === winner) score.won += 1;
    else score.lost += 1;
    scores.set(model, score);
  }
  writeJson(KEYS.blindVotes, [...scores.values()].slice(-MAX_MODELS));
}

export function resetScores(): void {
  removeStored(KEYS.blindVotes);
}

/** The scores of this device, read as untrusted data. */
export function readScores(): Score[] {
  const raw = readJson(KEYS.blindVotes);
  if (!Array.isArray(raw)) return [];
  const seen = new Set<string>();
  return raw.slice(-MAX_MODELS).flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.model !== "string" || seen.has(item.model)) return [];
    seen.add(item.model);
    const count = (name: string) => Math.max(0, Math.trunc(asNumber(item[name]) ?? 0));
    return [{ model: item.model, won: count("won"), lost: count("lost"), tied: count("tied"), none: count("none") }];
  });
}
