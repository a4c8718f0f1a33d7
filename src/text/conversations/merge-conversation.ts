import { sameJson } from "#lib/read.ts";
import type { Column, Conversation } from "./conversation.ts";
import type { Thread, Turn } from "./thread.ts";

/** One thing as this tab has it, as the database has it, and as both had it before; absent where it was not there yet. */
interface Versions<T> {
  mine: T;
  theirs: T;
  base: T | undefined;
}

/** Fields that change together: a part of each would fit neither. */
const TITLE = ["title", "isNamed"] as const;
const ENDPOINT = ["endpoint", "params", "isDocument"] as const;
const ANSWER = ["asked", "text", "reasoning", "parts", "outcome", "facts"] as const;

/**
 * `mine`, with the fields that were changed there and not here. What both changed stays as it is here, because this tab
 * writes last. `apart`: fields that are merged in another way.
 */
function mergeFields<T extends object>(
  { mine, theirs, base }: Versions<T>,
  together: readonly (readonly (keyof T)[])[],
  apart: readonly (keyof T)[],
): T {
  if (base === undefined) return mine;
  const known = new Set([...together.flat(), ...apart]);
  const single = (Object.keys({ ...mine, ...theirs }) as (keyof T)[]).filter((name) => !known.has(name));
  const isSame = (names: readonly (keyof T)[], one: T, other: T) =>
    names.every((name) => sameJson(one[name], other[name]));
  const changed = [...together, ...single.map((name) => [name])].filter(
    (names) => !isSame(names, mine, theirs) && isSame(names, mine, base),
  );
  return changed.length === 0 ? mine : withFields(mine, theirs, changed.flat());
}

/** `mine` with fields of `theirs`, also those that are absent there. */
function withFields<T extends object>(mine: T, theirs: T, names: readonly (keyof T)[]): T {
  const merged = { ...mine };
  for (const name of names) {
    if (name in theirs) merged[name] = theirs[name];
    else delete merged[name];
  }
  return merged;
}

/**
 * What stands in either list: what was added on one side stays, and what was removed on one side is removed, unless the
 * other side has changed it since. Gives the list of `mine` itself where nothing differs.
 */
function mergeLists<T extends { id: string }>(
  { mine, theirs, base = [] }: Versions<readonly T[]>,
  merge: (versions: Versions<T>) => T,
): readonly T[] {
  const [here, there, before] = [mine, theirs, base].map((list) => new Map(list.map((one) => [one.id, one])));
  const isGone = (one: T) => before?.has(one.id) && sameJson(before.get(one.id), one);
  const merged = mine.flatMap((one) => {
    const other = there?.get(one.id);
    if (other === undefined) return isGone(one) ? [] : [one];
    return [merge({ mine: one, theirs: other, base: before?.get(one.id) })];
  });
  const added = theirs.filter((one) => !here?.has(one.id) && !isGone(one));
  const isNew = added.length > 0 || merged.length < mine.length || merged.some((one, at) => one !== mine[at]);
  return isNew ? [...merged, ...added] : mine;
}

/** An answer that is still coming in another tab is read from the database as `lost`, which is not its end. */
const hasEnded = ({ role, outcome }: Turn) => role === "user" || (outcome !== undefined && outcome.how !== "lost");

/** Whether an answer is longer there: it ended there, or was continued. */
function isFurther(there: Turn, here: Turn): boolean {
  const goesOn = there.text.length > here.text.length && there.text.startsWith(here.text);
  return goesOn || (hasEnded(there) && !hasEnded(here));
}

function mergeTurn(versions: Versions<Turn>): Turn {
  const merged = mergeFields(versions, [ANSWER], []);
  const { mine, theirs } = versions;
  return merged.text === mine.text && isFurther(theirs, mine) ? withFields(merged, theirs, ANSWER) : merged;
}

function mergeThread({ mine, theirs, base }: Versions<Thread>): Thread {
  const merged = mergeLists({ mine: mine.turns, theirs: theirs.turns, base: base?.turns }, mergeTurn);
  const turns = merged === mine.turns ? merged : withParents(merged, [...mine.turns, ...theirs.turns]);
  const chosen = mergeFields({ mine: mine.chosen, theirs: theirs.chosen, base: base?.chosen }, [], []);
  return turns === mine.turns && chosen === mine.chosen ? mine : { turns, chosen };
}

/** With the messages before each, also those that one tab removed: an answer that stays has its question. */
function withParents(turns: readonly Turn[], all: readonly Turn[]): readonly Turn[] {
  const known = new Map([...all, ...turns].map((turn) => [turn.id, turn]));
  const placed = new Set<string>();
  const ordered: Turn[] = [];
  const place = (turn: Turn) => {
    if (placed.has(turn.id)) return;
    placed.add(turn.id);
    const parent = known.get(turn.parentId ?? "");
    if (parent) place(parent);
    ordered.push(turn);
  };
  turns.forEach(place);
  return ordered;
}

function mergeColumn({ mine, theirs, base }: Versions<Column>): Column {
  const merged = mergeFields({ mine, theirs, base }, [ENDPOINT], ["thread"]);
  const thread = mergeThread({ mine: mine.thread, theirs: theirs.thread, base: base?.thread });
  return thread === mine.thread ? merged : { ...merged, thread };
}

/**
 * One conversation that two tabs wrote: `mine` as this tab has it and `theirs` as the database has it, by what each changed
 * since `base`, the last version that both had. What only one changed is taken from it; what both changed stays as it is
 * in `mine`. As messages are a tree, those of both stand side by side as two versions. An answer that came further there is
 * taken over. Gives back `mine` itself where nothing differs.
 */
export function mergeConversation({ mine, theirs, base }: Versions<Conversation>): Conversation {
  const apart = ["id", "columns", "createdAtMs", "updatedAtMs", "isTemporary"] as const;
  const fields = mergeFields({ mine, theirs, base }, [TITLE], apart);
  const merged = mergeLists({ mine: mine.columns, theirs: theirs.columns, base: base?.columns }, mergeColumn);
  // Each tab removed the columns that the other one did not remove.
  const columns = merged.length === 0 ? mine.columns : merged;
  const updatedAtMs = Math.max(mine.updatedAtMs, theirs.updatedAtMs);
  const isNew = fields !== mine || columns !== mine.columns || updatedAtMs !== mine.updatedAtMs;
  return isNew ? { ...fields, columns, updatedAtMs } : mine;
}
