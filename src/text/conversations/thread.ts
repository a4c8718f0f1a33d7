import type { AnswerPart, TextEndpoint } from "#api/text/text-types.ts";
import type { AnswerFacts, AnswerOutcome } from "../answer.ts";
import type { Picture } from "./pictures.ts";

/** A text model on one of its endpoints. */
export interface EndpointModel {
  endpoint: TextEndpoint;
  model: string;
}

/** One message of a conversation: what a person wrote, or what a model answered. */
export interface Turn {
  id: string;
  /** The message it follows; null for the first one. */
  parentId: string | null;
  role: "user" | "assistant";
  text: string;
  createdAtMs: number;
  /** Shown folded, never sent back. */
  reasoning?: string;
  /** Answers only: other parts than the text, such as calls of tools. */
  parts?: readonly AnswerPart[];
  /** Questions only. */
  pictures?: readonly Picture[];
  /**
   * Questions only: whether it goes along with later ones, as the person chose. Else it does unless it was refused
   * (`request-body.ts`).
   */
  sendAlong?: boolean;
  /** Answers only: who was asked. */
  asked?: EndpointModel;
  /** Answers only: how it ended. Absent while it is still coming. */
  outcome?: AnswerOutcome;
  facts?: AnswerFacts;
  /**
   * The message of another column that this one is a copy of. Its facts are those of the first one, so that no sum counts
   * them again, and its request log is the one of that message.
   */
  copiedFrom?: string;
  /** The prompt up to here is to stay in the service's prompt cache (`cache_control`, spec 4.2). */
  isPinned?: boolean;
}

/** All messages of one column with every branch. A message's siblings are other versions of it. */
export interface Thread {
  /** In the order in which they were made: a parent stands before its children. */
  turns: readonly Turn[];
  /** Which child of a message is shown, by the message's id; `""` for the first message. */
  chosen: Readonly<Record<string, string>>;
}

export const EMPTY_THREAD: Thread = { turns: [], chosen: {} };

const placeOf = (parentId: string | null) => parentId ?? "";

/** Adds a message and shows it. With the parent of another message it is a new version of that message. */
export function addTurn(thread: Thread, turn: Turn): Thread {
  return {
    turns: [...thread.turns, turn],
    chosen: { ...thread.chosen, [placeOf(turn.parentId)]: turn.id },
  };
}

/** Changes a message in its place. An unknown id changes nothing. */
export function updateTurn(thread: Thread, id: string, patch: Partial<Omit<Turn, "id" | "parentId">>): Thread {
  return { ...thread, turns: thread.turns.map((turn) => (turn.id === id ? { ...turn, ...patch } : turn)) };
}

/** Shows another version of a message, with the branch below it that was last shown. */
export function chooseTurn(thread: Thread, id: string): Thread {
  const turn = findTurn(thread, id);
  return turn ? { ...thread, chosen: { ...thread.chosen, [placeOf(turn.parentId)]: id } } : thread;
}

/** Removes one version of a message and everything that follows it; its neighbour is shown instead. */
export function removeTurn(thread: Thread, id: string): Thread {
  const turn = findTurn(thread, id);
  if (turn === undefined) return thread;
  const siblings = siblingsOf(thread, id);
  const at = siblings.indexOf(turn);
  const next = siblings[at + 1] ?? siblings[at - 1];
  const gone = new Set([id]);
  for (const { id: other, parentId } of thread.turns) if (parentId !== null && gone.has(parentId)) gone.add(other);
  const chosen = Object.fromEntries(
    Object.entries(thread.chosen).filter(([place, child]) => !gone.has(place) && !gone.has(child)),
  );
  const place = placeOf(turn.parentId);
  if (next !== undefined && chosen[place] === undefined) chosen[place] = next.id;
  return { turns: thread.turns.filter((other) => !gone.has(other.id)), chosen };
}

export function findTurn(thread: Thread, id: string): Turn | undefined {
  return thread.turns.find((turn) => turn.id === id);
}

/** Every version of a message, itself included, oldest first. */
export function siblingsOf(thread: Thread, id: string): Turn[] {
  const turn = findTurn(thread, id);
  return turn ? thread.turns.filter((other) => other.parentId === turn.parentId) : [];
}

/** A message as it is shown, with its place among its versions. */
export interface ShownTurn {
  turn: Turn;
  /** All versions of it, oldest first. */
  versions: readonly string[];
}

/** The messages from the first to the last, by the versions that are chosen. */
export function visiblePath(thread: Thread): ShownTurn[] {
  const children = new Map<string, Turn[]>();
  for (const turn of thread.turns) {
    const place = placeOf(turn.parentId);
    const others = children.get(place);
    if (others) others.push(turn);
    else children.set(place, [turn]);
  }
  const path: ShownTurn[] = [];
  for (let place = ""; ; ) {
    const versions = children.get(place);
    if (versions === undefined) return path;
    const turn = versions.find(({ id }) => id === thread.chosen[place]) ?? versions.at(-1);
    if (turn === undefined) return path;
    path.push({ turn, versions: versions.map(({ id }) => id) });
    place = turn.id;
  }
}

/** The messages from the first down to `id`, whichever versions are shown. Empty for an unknown id. */
export function pathTo(thread: Thread, id: string | null): Turn[] {
  const byId = new Map(thread.turns.map((turn) => [turn.id, turn]));
  const path: Turn[] = [];
  for (let turn = byId.get(id ?? ""); turn !== undefined; turn = byId.get(turn.parentId ?? "")) path.unshift(turn);
  return path;
}
