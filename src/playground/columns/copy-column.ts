import { randomId } from "#lib/random-id.ts";
import { type Column, createColumn } from "#text/conversations/conversation.ts";
import type { Thread, Turn } from "#text/conversations/thread.ts";

/**
 * A column that begins with the conversation of another: the same messages with ids of their own, so that each goes its own
 * way from there, and the same settings. An answer that is still coming is left out with the question that it answers.
 * What the copies cost was charged once, with the first ones: `copiedFrom` names them.
 */
export function copyColumn(column: Column): Column {
  const { id } = createColumn(column);
  return { ...column, id, thread: copyThread(column.thread) };
}

function copyThread({ turns, chosen }: Thread): Thread {
  const answered = new Set(turns.flatMap((turn) => (hasCome(turn) ? (turn.parentId ?? []) : [])));
  const whole = turns.filter((turn) => (turn.role === "assistant" ? hasCome(turn) : true));
  // A question without any answer yet would be asked twice in a row.
  const copied = whole.filter(({ id, role }) => role === "assistant" || answered.has(id) || hasChild(whole, id));
  const ids = new Map(copied.map(({ id }) => [id, randomId()]));
  const copies: Turn[] = [];
  for (const turn of copied) {
    const id = ids.get(turn.id);
    const parentId = turn.parentId === null ? null : ids.get(turn.parentId);
    if (id === undefined || parentId === undefined) continue;
    copies.push({ ...turn, id, parentId, copiedFrom: turn.copiedFrom ?? turn.id });
  }
  const choices = Object.entries(chosen).flatMap(([place, child]) => {
    const [from, to] = [place === "" ? "" : ids.get(place), ids.get(child)];
    return from === undefined || to === undefined ? [] : [[from, to]];
  });
  return { turns: copies, chosen: Object.fromEntries(choices) };
}

const hasCome = ({ role, outcome }: Turn) => role === "assistant" && outcome !== undefined;

const hasChild = (turns: readonly Turn[], id: string) => turns.some(({ parentId }) => parentId === id);
