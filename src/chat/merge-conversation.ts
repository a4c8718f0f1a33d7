import type { Column, Conversation } from "./conversation.ts";
import type { Turn } from "./thread.ts";

/** An answer that is still coming in another tab is read from the database as `lost`, which is not its end. */
const hasEnded = ({ role, outcome }: Turn) => role === "user" || (outcome !== undefined && outcome.how !== "lost");

/** Whether an answer is longer there: it ended there, or was continued. */
function isFurther(there: Turn, here: Turn): boolean {
  const goesOn = there.text.length > here.text.length && there.text.startsWith(here.text);
  return goesOn || (hasEnded(there) && !hasEnded(here));
}

function mergeColumn(mine: Column, theirs: Column, removed: ReadonlySet<string>): Column {
  const here = new Map(mine.thread.turns.map((turn) => [turn.id, turn]));
  const there = new Map(theirs.thread.turns.map((turn) => [turn.id, turn]));
  const added = theirs.thread.turns.filter(({ id }) => !here.has(id) && !removed.has(id));
  const known = mine.thread.turns.map((turn) => {
    const other = there.get(turn.id);
    if (other && isFurther(other, turn)) return other;
    // What was chosen here stays; a choice that was made there alone is taken over.
    const chosen = turn.sendAlong ?? other?.sendAlong;
    return chosen === turn.sendAlong || chosen === undefined ? turn : { ...turn, sendAlong: chosen };
  });
  const isNew = added.length > 0 || known.some((turn) => turn !== here.get(turn.id));
  return isNew ? { ...mine, thread: { ...mine.thread, turns: [...known, ...added] } } : mine;
}

/**
 * One conversation that two tabs wrote at the same time: `mine`, with the messages and columns that only `theirs` has, and
 * with the answers that came further there. As messages are a tree, those of both tabs stand side by side as two versions.
 * `removed`: the ids that were removed here. Gives back `mine` itself where there is nothing to add.
 */
export function mergeConversation(
  mine: Conversation,
  theirs: Conversation,
  removed: ReadonlySet<string>,
): Conversation {
  const merged = mine.columns.map((column) => {
    const other = theirs.columns.find(({ id }) => id === column.id);
    return other ? mergeColumn(column, other, removed) : column;
  });
  const added = theirs.columns.filter(({ id }) => !removed.has(id) && !mine.columns.some((column) => column.id === id));
  const isNew = added.length > 0 || merged.some((column, at) => column !== mine.columns[at]);
  return isNew ? { ...mine, columns: [...merged, ...added] } : mine;
}
