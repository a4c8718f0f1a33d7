import type { Turn } from "./conversations/thread.ts";

// A question that was refused would have every later one refused as well, because each goes along with all before it. So
// it stays on the page and is not sent again, until the person says so or another try is answered.

/**
 * Whether an answer is a refusal: the service's before any text, or the model's own. One that broke off, or that the
 * person stopped, is none.
 */
export function isRefused({ role, text, outcome, facts, parts = [] }: Turn): boolean {
  if (role !== "assistant") return false;
  if (parts.some(({ kind }) => kind === "refusal") || facts?.stopReason === "refusal") return true;
  const isEmpty = text.trim() === "" && parts.length === 0;
  return isEmpty && (outcome?.how === "failed" || facts?.stopReason === "content_filter");
}

/**
 * The questions and answers of a path that do not go along with a later question, by id: those that were refused, unless
 * the person sends them along, and those that the person leaves out. `path` may end in a question; the last pair is what
 * is asked about, so it always goes.
 */
export function leftOut(path: readonly Turn[]): Set<string> {
  const out = new Set<string>();
  for (const [index, turn] of path.entries()) {
    if (turn.role !== "user") continue;
    const next = path[index + 1];
    const answer = next?.role === "assistant" ? next : undefined;
    const isOut = turn.sendAlong === undefined ? answer !== undefined && isRefused(answer) : !turn.sendAlong;
    if (!isOut) continue;
    out.add(turn.id);
    if (answer) out.add(answer.id);
  }
  return out;
}

/** The path as it is sent to have its last message answered or continued. */
export function sentPath(path: readonly Turn[]): Turn[] {
  const last = path.at(-1);
  // The pair that is asked about: a question, or an answer that is continued with the question before it.
  const asked = new Set(path.slice(last?.role === "assistant" ? -2 : -1).map(({ id }) => id));
  const out = leftOut(path);
  return path.filter(({ id }) => asked.has(id) || !out.has(id));
}
