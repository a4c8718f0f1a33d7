import type { AnswerPart, TextEndpoint } from "#api/text/text-types.ts";
import { randomId } from "#lib/random-id.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { ResponseFacts, ResponseOutcome } from "../answer.ts";
import type { Picture } from "./pictures.ts";

/** Messages endpoint only. `auto` caches the system prompt and the latest messages, `pins` what the person marked. */
type CacheMode = "off" | "auto" | "pins";

/** One conversation with one model, beside others that respond to the same messages. */
export interface Column extends EndpointModel {
  id: string;
  system: string;
  isSystemPinned: boolean;
  cacheMode: CacheMode;
  /** Further fields of the request body, exactly those that were set. */
  params: JsonRecord;
  /** Completions only: a document that is continued, or a chat written out by the template. */
  isDocument: boolean;
  document: string;
  template: PromptTemplate;
  thread: Thread;
  /** The name of the preset that was chosen last. Settings that differ from it are shown as changed. */
  preset?: string;
}

export interface Conversation {
  id: string;
  title: string;
  /** Whether the person named it. Otherwise the first message does. */
  isNamed: boolean;
  isPinned: boolean;
  /** Not stored: it ends with the page. */
  isTemporary: boolean;
  /** The project whose limit counts its responses (`runs/ledger/projects.ts`); absent for none. */
  projectId?: string;
  /** Set while columns are compared without their names. */
  blind?: BlindComparison;
  createdAtMs: number;
  updatedAtMs: number;
  columns: readonly Column[];
}

/** Columns in a shuffled order and without names, until the person has voted. */
export interface BlindComparison {
  /** Ids of columns, as they stand side by side. */
  order: readonly string[];
  /** Whether the names are shown again. */
  isRevealed: boolean;
}

export const MAX_COLUMNS = 4;
export const NEW_TITLE = "New chat";

/**
 * How a chat is written out as one text for a completions model. `{text}` stands for the message; the rest is taken
 * as it is.
 */
export interface PromptTemplate {
  system: string;
  user: string;
  assistant: string;
  /** What the model continues from. */
  start: string;
  /** The texts at which the model's turn ends. */
  stop: readonly string[];
}

export const PLAIN_TEMPLATE: PromptTemplate = {
  system: "{text}\n\n",
  user: "User: {text}\n",
  assistant: "Assistant: {text}\n",
  start: "Assistant:",
  stop: ["\nUser:"],
};

export const CHATML_TEMPLATE: PromptTemplate = {
  system: "<|im_start|>system\n{text}<|im_end|>\n",
  user: "<|im_start|>user\n{text}<|im_end|>\n",
  assistant: "<|im_start|>assistant\n{text}<|im_end|>\n",
  start: "<|im_start|>assistant\n",
  stop: ["<|im_end|>"],
};

/** A column without messages. */
export function createColumn({ endpoint, model }: EndpointModel): Column {
  return {
    id: randomId(),
    endpoint,
    model,
    system: "",
    isSystemPinned: false,
    cacheMode: "off",
    params: endpointDefaults(endpoint),
    isDocument: endpoint === "completions",
    document: "",
    template: PLAIN_TEMPLATE,
    thread: EMPTY_THREAD,
  };
}

/**
 * The fields that a new column has set: `max_tokens` where the specification names it (spec 4.2), and for completions
 * the request to count tokens, without which their streams do not. The settings show them, and the person can change
 * them.
 */
function endpointDefaults(endpoint: TextEndpoint): JsonRecord {
  if (endpoint === "messages") return { max_tokens: DEFAULT_MAX_TOKENS };
  if (endpoint === "responses") return {};
  return { max_tokens: DEFAULT_MAX_TOKENS, stream_options: { include_usage: true } };
}

export const DEFAULT_MAX_TOKENS = 1024;

export function createConversation(
  column: EndpointModel,
  { isTemporary = false, nowMs = Date.now() } = {},
): Conversation {
  return {
    id: randomId(),
    title: NEW_TITLE,
    isNamed: false,
    isPinned: false,
    isTemporary,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    columns: [createColumn(column)],
  };
}

/** Whether a conversation has no message and no document. */
export function isBlank(conversation: Conversation): boolean {
  return conversation.columns.every(({ thread, document }) => thread.turns.length === 0 && document === "");
}

/** The ids of the pictures in questions and responses whose bytes are stored with the conversation. */
export function pictureIds({ columns }: Pick<Conversation, "columns">): string[] {
  return columns.flatMap(({ thread }) =>
    thread.turns.flatMap(({ pictures = [], parts = [] }) => [
      ...pictures.flatMap(({ id, url }) => (url === undefined ? [id] : [])),
      ...parts.flatMap((part) => (part.kind === "picture" && part.pictureId ? [part.pictureId] : [])),
    ]),
  );
}

/** A title from the first line of a message, at most 60 characters. */
function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return NEW_TITLE;
  return line.length <= 60 ? line : `${line.slice(0, 59).trimEnd()}…`;
}

/** A change of a conversation, for `reduceConversation`. */
export type ConversationAction =
  | { kind: "turn-added"; columnId: string; turn: Turn }
  | { kind: "turn-changed"; columnId: string; turnId: string; patch: Partial<Omit<Turn, "id" | "parentId">> }
  | { kind: "turn-chosen"; columnId: string; turnId: string }
  | { kind: "turn-removed"; columnId: string; turnId: string }
  | { kind: "column-added"; column: Column }
  | { kind: "column-removed"; columnId: string }
  | { kind: "column-changed"; columnId: string; patch: Partial<Omit<Column, "id">> }
  | { kind: "renamed"; title: string }
  | { kind: "pinned"; isPinned: boolean }
  | { kind: "moved"; projectId: string | undefined }
  | { kind: "blind-changed"; blind: BlindComparison | undefined };

/** One change of a conversation. An action on a column or a message that is not there changes nothing. */
export function reduceConversation(
  conversation: Conversation,
  action: ConversationAction,
  nowMs = Date.now(),
): Conversation {
  const changed = apply(conversation, action);
  // Pinning or moving a conversation does not make it the latest of the list.
  return changed === conversation || KEEPS_ITS_DATE.has(action.kind) ? changed : { ...changed, updatedAtMs: nowMs };
}

const KEEPS_ITS_DATE = new Set<ConversationAction["kind"]>(["pinned", "moved"]);

function apply(conversation: Conversation, action: ConversationAction): Conversation {
  const { columns } = conversation;
  const inColumn = (columnId: string, change: (column: Column) => Column): Conversation =>
    columns.some(({ id }) => id === columnId)
      ? { ...conversation, columns: columns.map((column) => (column.id === columnId ? change(column) : column)) }
      : conversation;
  switch (action.kind) {
    case "turn-added": {
      const added = inColumn(action.columnId, (column) => ({ ...column, thread: addTurn(column.thread, action.turn) }));
      const isFirst = columns.every(({ thread }) => thread.turns.length === 0);
      return isFirst && !conversation.isNamed ? { ...added, title: titleFrom(action.turn.text) } : added;
    }
    case "turn-changed":
      return inColumn(action.columnId, (column) => ({
        ...column,
        thread: updateTurn(column.thread, action.turnId, action.patch),
      }));
    case "turn-chosen":
      return inColumn(action.columnId, (column) => ({ ...column, thread: chooseTurn(column.thread, action.turnId) }));
    case "turn-removed":
      return inColumn(action.columnId, (column) => ({ ...column, thread: removeTurn(column.thread, action.turnId) }));
    case "column-added":
      return columns.length < MAX_COLUMNS ? { ...conversation, columns: [...columns, action.column] } : conversation;
    case "column-removed":
      return columns.length > 1
        ? { ...conversation, columns: columns.filter(({ id }) => id !== action.columnId) }
        : conversation;
    case "column-changed": {
      const changed = inColumn(action.columnId, (column) => ({ ...column, ...action.patch }));
      const { document } = action.patch;
      const isTitled = conversation.isNamed || columns.some(({ thread }) => thread.turns.length > 0);
      return document === undefined || isTitled ? changed : { ...changed, title: titleFrom(document) };
    }
    case "renamed":
      return { ...conversation, title: titleFrom(action.title), isNamed: true };
    case "pinned":
      return { ...conversation, isPinned: action.isPinned };
    case "moved": {
      const { projectId: _, ...others } = conversation;
      return action.projectId === undefined ? others : { ...others, projectId: action.projectId };
    }
    case "blind-changed": {
      const { blind: _, ...others } = conversation;
      return action.blind === undefined ? others : { ...others, blind: action.blind };
    }
  }
}

/** The change that moves a column to another endpoint. A token limit that was set stays, under the name used there. */
export function switchEndpoint(column: Column, endpoint: TextEndpoint): Partial<Column> {
  if (endpoint === column.endpoint) return {};
  const { max_tokens, max_output_tokens, temperature, top_p } = column.params;
  // The default limit was not set by the person, and only what was set is sent.
  const isSetByPerson = column.endpoint === "responses" || max_tokens !== DEFAULT_MAX_TOKENS;
  const limit = isSetByPerson ? (max_tokens ?? max_output_tokens) : undefined;
  const limitName = endpoint === "responses" ? "max_output_tokens" : "max_tokens";
  return {
    endpoint,
    isDocument: endpoint === "completions" && column.thread.turns.length === 0,
    params: {
      ...endpointDefaults(endpoint),
      ...(limit === undefined ? {} : { [limitName]: limit }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(top_p === undefined ? {} : { top_p }),
    },
  };
}

/** A text model on one of its endpoints. */
export interface EndpointModel {
  endpoint: TextEndpoint;
  model: string;
}

/** One message of a conversation: what a person wrote, or what a model responded. */
export interface Turn {
  id: string;
  /** The message it follows; null for the first one. */
  parentId: string | null;
  role: "user" | "assistant";
  text: string;
  createdAtMs: number;
  /** Responses only: shown collapsed, and not sent back. */
  reasoning?: string;
  /** Responses only: parts other than the text, such as tool calls. */
  parts?: readonly AnswerPart[];
  /** Questions only. */
  pictures?: readonly Picture[];
  /**
   * Questions only: whether the person chose to send it along with later ones. Absent, it is sent along unless it was
   * refused (`leftOut` in `answer-request.ts`).
   */
  sendAlong?: boolean;
  /** Responses only: the model that was asked. */
  asked?: EndpointModel;
  /** Responses only: how it ended. Absent while it is still coming. */
  outcome?: ResponseOutcome;
  facts?: ResponseFacts;
  /**
   * The message of another column that this one is a copy of. Sums count the facts of the original only, and the
   * request log is the original's.
   */
  copiedFrom?: string;
  /** Whether the prompt up to here is marked for the service's prompt cache (`cache_control`, spec 4.2). */
  isPinned?: boolean;
}

/** All messages of one column with every branch. A message's siblings are other versions of it. */
export interface Thread {
  /** In the order in which they were made, so a parent stands before its children. */
  turns: readonly Turn[];
  /** Which child of a message is shown, by the message's id; `""` for the first message. */
  chosen: Readonly<Record<string, string>>;
}

export const EMPTY_THREAD: Thread = { turns: [], chosen: {} };

/** The key in `Thread.chosen` for the children of a message. */
const childrenKey = (parentId: string | null) => parentId ?? "";

/** Adds a message and shows it. A message with the same parent as another one is a new version of that one. */
export function addTurn(thread: Thread, turn: Turn): Thread {
  return {
    turns: [...thread.turns, turn],
    chosen: { ...thread.chosen, [childrenKey(turn.parentId)]: turn.id },
  };
}

/** Changes a message in its place. An unknown id changes nothing. */
export function updateTurn(thread: Thread, id: string, patch: Partial<Omit<Turn, "id" | "parentId">>): Thread {
  return { ...thread, turns: thread.turns.map((turn) => (turn.id === id ? { ...turn, ...patch } : turn)) };
}

/** Shows another version of a message, with the branch below it that was last shown. */
export function chooseTurn(thread: Thread, id: string): Thread {
  const turn = findTurn(thread, id);
  return turn ? { ...thread, chosen: { ...thread.chosen, [childrenKey(turn.parentId)]: id } } : thread;
}

/** Removes one version of a message and everything that follows it. A neighboring version is shown instead. */
export function removeTurn(thread: Thread, id: string): Thread {
  const turn = findTurn(thread, id);
  if (turn === undefined) return thread;
  const siblings = getSiblings(thread, id);
  const index = siblings.indexOf(turn);
  const neighbor = siblings[index + 1] ?? siblings[index - 1];
  const gone = new Set([id]);
  for (const { id: other, parentId } of thread.turns) if (parentId !== null && gone.has(parentId)) gone.add(other);
  const chosen = Object.fromEntries(
    Object.entries(thread.chosen).filter(([parentId, child]) => !gone.has(parentId) && !gone.has(child)),
  );
  const key = childrenKey(turn.parentId);
  if (neighbor !== undefined && chosen[key] === undefined) chosen[key] = neighbor.id;
  return { turns: thread.turns.filter((other) => !gone.has(other.id)), chosen };
}

export function findTurn(thread: Thread, id: string): Turn | undefined {
  return thread.turns.find((turn) => turn.id === id);
}

/** Every version of a message, itself included, oldest first. */
export function getSiblings(thread: Thread, id: string): Turn[] {
  const turn = findTurn(thread, id);
  return turn ? thread.turns.filter((other) => other.parentId === turn.parentId) : [];
}

/** A message as it is shown, with the ids of all its versions. */
export interface ShownTurn {
  turn: Turn;
  /** Ids of all versions, this one included, oldest first. */
  versions: readonly string[];
}

/** The messages that are shown, from the first to the last, along the chosen versions. */
export function visiblePath(thread: Thread): ShownTurn[] {
  const children = new Map<string, Turn[]>();
  for (const turn of thread.turns) {
    const key = childrenKey(turn.parentId);
    const others = children.get(key);
    if (others) others.push(turn);
    else children.set(key, [turn]);
  }
  const path: ShownTurn[] = [];
  for (let key = ""; ; ) {
    const versions = children.get(key);
    if (versions === undefined) return path;
    const turn = versions.find(({ id }) => id === thread.chosen[key]) ?? versions.at(-1);
    if (turn === undefined) return path;
    path.push({ turn, versions: versions.map(({ id }) => id) });
    key = turn.id;
  }
}

/** The messages from the first down to `id`, whichever versions are shown. Empty for an unknown id. */
export function pathTo(thread: Thread, id: string | null): Turn[] {
  const byId = new Map(thread.turns.map((turn) => [turn.id, turn]));
  const path: Turn[] = [];
  for (let turn = byId.get(id ?? ""); turn !== undefined; turn = byId.get(turn.parentId ?? "")) path.unshift(turn);
  return path;
}

/**
 * A copy of a column: the same settings and messages, with new ids, so that the two can go different ways. A response
 * that is still coming is left out, with its question. The responses were charged once: `copiedFrom` names the originals.
 */
export function copyColumn(column: Column): Column {
  const { id } = createColumn(column);
  return { ...column, id, thread: copyThread(column.thread) };
}

function copyThread({ turns, chosen }: Thread): Thread {
  const answered = new Set(turns.flatMap((turn) => (isFinishedResponse(turn) ? (turn.parentId ?? []) : [])));
  const finished = turns.filter((turn) => (turn.role === "assistant" ? isFinishedResponse(turn) : true));
  // A question without any response yet would be asked twice in a row.
  const copied = finished.filter(({ id, role }) => role === "assistant" || answered.has(id) || hasChild(finished, id));
  const ids = new Map(copied.map(({ id }) => [id, randomId()]));
  const copies: Turn[] = [];
  for (const turn of copied) {
    const id = ids.get(turn.id);
    const parentId = turn.parentId === null ? null : ids.get(turn.parentId);
    if (id === undefined || parentId === undefined) continue;
    copies.push({ ...turn, id, parentId, copiedFrom: turn.copiedFrom ?? turn.id });
  }
  const choices = Object.entries(chosen).flatMap(([parentId, child]) => {
    const [from, to] = [parentId === "" ? "" : ids.get(parentId), ids.get(child)];
    return from === undefined || to === undefined ? [] : [[from, to]];
  });
  return { turns: copies, chosen: Object.fromEntries(choices) };
}

const isFinishedResponse = ({ role, outcome }: Turn) => role === "assistant" && outcome !== undefined;

const hasChild = (turns: readonly Turn[], id: string) => turns.some(({ parentId }) => parentId === id);
