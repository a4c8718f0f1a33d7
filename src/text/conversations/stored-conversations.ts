import { TEXT_ENDPOINTS, type TextEndpoint } from "#api/text/text-types.ts";
import { redactOwnKey } from "#connection/find-key.ts";
import { randomId } from "#lib/random-id.ts";
import { asFilledText, asNumber, asText, asTexts, isRecord, sameJson } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readAll, readOne } from "#storage/typed-rows.ts";
import {
  ERROR_PLACES,
  type ResponseFacts,
  type ResponseOutcome,
  readParts,
  type StoredError,
  SUMMED_FACTS,
} from "../answer.ts";
import { removeRequestLogs } from "../request-log.ts";
import {
  type Column,
  type Conversation,
  createColumn,
  type EndpointModel,
  MAX_COLUMNS,
  NEW_TITLE,
  type PromptTemplate,
  type Thread,
  type Turn,
} from "./conversation.ts";
import { readPictures, removePictures } from "./pictures.ts";

/** What the list shows of a conversation. Its messages are read when it is opened. */
export type ConversationSummary = Pick<
  Conversation,
  "id" | "title" | "isPinned" | "isTemporary" | "projectId" | "createdAtMs" | "updatedAtMs"
>;

export function summarizeConversation({
  id,
  title,
  isPinned,
  isTemporary,
  projectId,
  createdAtMs,
  updatedAtMs,
}: Conversation): ConversationSummary {
  const project = projectId === undefined ? {} : { projectId };
  return { id, title, isPinned, isTemporary, ...project, createdAtMs, updatedAtMs };
}

/** The project of a stored conversation, as a field that is absent where there is none. */
function readProject(raw: unknown): Pick<Conversation, "projectId"> {
  const projectId = asFilledText(raw)?.slice(0, 200);
  return projectId === undefined ? {} : { projectId };
}

const summaryRows: RowKind<ConversationSummary> = {
  store: "chats",
  version: 1,
  read: (body) => {
    if (!isRecord(body) || typeof body.id !== "string" || typeof body.title !== "string") return undefined;
    return {
      id: body.id,
      title: body.title,
      isPinned: body.isPinned === true,
      // Temporary conversations are never stored.
      isTemporary: false,
      ...readProject(body.projectId),
      createdAtMs: asNumber(body.createdAtMs) ?? 0,
      updatedAtMs: asNumber(body.updatedAtMs) ?? 0,
    };
  },
};

const recordRows: RowKind<Conversation> = { store: "chats", version: 1, read: readConversation };

// Each conversation has two rows in two scopes, so that the list reads the summaries without the messages.
// The words in the stored scopes are older than those of the code.
const summaryScope = (accountId: string) => `${accountId}|heads`;
const recordScope = (accountId: string) => `${accountId}|wholes`;
const summaryKey = (accountId: string, id: string) => `${summaryScope(accountId)}|${id}`;
const recordKey = (accountId: string, id: string) => `${recordScope(accountId)}|${id}`;

/** Whether a key of `chats` is that of a summary of this account. */
export const isSummaryKey = (accountId: string, key: string) => key.startsWith(summaryKey(accountId, ""));

/**
 * The conversations of a connection (`accountId`: its key fingerprint), latest first. Rejects when the database does.
 */
export async function loadSummaries(accountId: string): Promise<ConversationSummary[]> {
  const summaries = await readAll(await openRows(), summaryRows, summaryScope(accountId));
  return summaries.sort((a, b) => b.updatedAtMs - a.updatedAtMs);
}

/** A conversation with its messages; undefined where there is none. Rejects when the database does. */
export async function loadConversation(accountId: string, id: string): Promise<Conversation | undefined> {
  return readOne(await openRows(), recordRows, recordKey(accountId, id));
}

/** What a save made of a conversation. */
interface SavedConversation {
  /** The conversation with what another tab wrote into it meanwhile. */
  merged: Conversation;
  /** As it stands in the database now: what the next save compares with. */
  stored: Conversation | undefined;
}

/**
 * Saves a conversation that is not temporary, merged with what another tab wrote into it meanwhile. `base`: as this
 * tab last read or wrote it. Rejects with a `StorageError` when nothing was written.
 */
export async function saveConversation(
  accountId: string,
  conversation: Conversation,
  base?: Conversation,
): Promise<SavedConversation> {
  const { id } = conversation;
  const rows = await openRows();
  const reads = [{ store: recordRows.store, key: recordKey(accountId, id) }];
  return rows.edit({ store: "chats", key: summaryKey(accountId, id), reads }, (_summary, [row]) => {
    const theirs = row && recordRows.read(row.body, row);
    const merged = theirs ? mergeConversation({ mine: conversation, theirs, base }) : conversation;
    // A key that was typed into a document or a system prompt must not be on the disk.
    const stored = redactOwnKey(merged);
    const changes = [
      putChange(summaryRows, summaryScope(accountId), summaryKey(accountId, id), summarizeConversation(stored)),
      putChange(recordRows, recordScope(accountId), recordKey(accountId, id), stored),
    ];
    return { changes, result: { merged, stored: readConversation(stored) } };
  });
}

/**
 * Deletes a conversation with its request logs and pictures, also where a newer version of the studio wrote it. Logs
 * and pictures go first: if it stops half way, the conversation can be deleted again. Rejects when the database does.
 */
export async function removeConversation(accountId: string, id: string): Promise<void> {
  const rows = await openRows();
  await removeRequestLogs(accountId, id);
  await removePictures(accountId, id);
  await rows.edit({ store: "chats", key: summaryKey(accountId, id) }, () => ({
    changes: [
      { kind: "remove", store: "chats", key: summaryKey(accountId, id), evenNewer: true },
      { kind: "remove", store: "chats", key: recordKey(accountId, id), evenNewer: true },
    ],
    result: undefined,
  }));
}

/** A conversation from the database or from a file, read as untrusted data. Undefined where it is none. */
export function readConversation(raw: unknown): Conversation | undefined {
  if (!isRecord(raw) || !Array.isArray(raw.columns)) return undefined;
  const columns = raw.columns.flatMap((column) => readColumn(column) ?? []).slice(0, MAX_COLUMNS);
  if (columns.length === 0) return undefined;
  return {
    id: asText(raw.id) || randomId(),
    title: (asText(raw.title) ?? "").slice(0, 200) || NEW_TITLE,
    isNamed: raw.isNamed === true,
    isPinned: raw.isPinned === true,
    isTemporary: raw.isTemporary === true,
    ...readProject(raw.projectId),
    ...readBlind(raw.blind, columns),
    createdAtMs: asNumber(raw.createdAtMs) ?? 0,
    updatedAtMs: asNumber(raw.updatedAtMs) ?? 0,
    columns,
  };
}

function readColumn(raw: unknown): Column | undefined {
  const asked = readEndpointModel(raw);
  if (asked === undefined || !isRecord(raw)) return undefined;
  const { cacheMode } = raw;
  const fresh = createColumn(asked);
  return {
    ...fresh,
    id: asText(raw.id) || fresh.id,
    system: asText(raw.system) ?? "",
    isSystemPinned: raw.isSystemPinned === true,
    cacheMode: cacheMode === "auto" || cacheMode === "pins" ? cacheMode : "off",
    params: isRecord(raw.params) ? raw.params : fresh.params,
    isDocument: raw.isDocument === true && asked.endpoint === "completions",
    document: asText(raw.document) ?? "",
    template: readTemplate(raw.template, fresh.template),
    thread: readThread(raw.thread),
    ...(asFilledText(raw.preset) ? { preset: String(raw.preset).slice(0, 200) } : {}),
  };
}

function readBlind(raw: unknown, columns: readonly Column[]): Pick<Conversation, "blind"> {
  if (!isRecord(raw)) return {};
  const order = asTexts(raw.order).filter((id) => columns.some((column) => column.id === id));
  return { blind: { order: [...new Set(order)], isRevealed: raw.isRevealed === true } };
}

/** Which model was asked at which endpoint. */
function readEndpointModel(raw: unknown): EndpointModel | undefined {
  if (!isRecord(raw) || typeof raw.model !== "string") return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name): name is TextEndpoint => name === raw.endpoint);
  return endpoint && { endpoint, model: raw.model };
}

/** Reads only messages whose parent stands before them, so a thread has no cycles and no missing parents. */
function readThread(raw: unknown): Thread {
  if (!isRecord(raw) || !Array.isArray(raw.turns)) return { turns: [], chosen: {} };
  const known = new Set<string>();
  const turns: Turn[] = [];
  for (const item of raw.turns) {
    const turn = readTurn(item);
    if (turn === undefined || known.has(turn.id)) continue;
    if (turn.parentId !== null && !known.has(turn.parentId)) continue;
    known.add(turn.id);
    turns.push(turn);
  }
  const chosen = isRecord(raw.chosen) ? Object.entries(raw.chosen) : [];
  const valid = chosen.filter((entry): entry is [string, string] => known.has(String(entry[1])));
  return { turns, chosen: Object.fromEntries(valid) };
}

function readTurn(raw: unknown): Turn | undefined {
  if (!isRecord(raw) || typeof raw.id !== "string" || raw.id === "" || typeof raw.text !== "string") return undefined;
  if (raw.role !== "user" && raw.role !== "assistant") return undefined;
  const asked = readEndpointModel(raw.asked);
  const facts = readFacts(raw.facts);
  const parts = raw.role === "assistant" ? readParts(raw.parts) : [];
  const pictures = raw.role === "user" ? readPictures(raw.pictures) : [];
  return {
    id: raw.id,
    parentId: typeof raw.parentId === "string" ? raw.parentId : null,
    role: raw.role,
    text: raw.text,
    createdAtMs: asNumber(raw.createdAtMs) ?? 0,
    ...(typeof raw.reasoning === "string" && raw.reasoning !== "" ? { reasoning: raw.reasoning } : {}),
    ...(parts.length === 0 ? {} : { parts }),
    ...(pictures.length === 0 ? {} : { pictures }),
    ...(raw.role === "user" && typeof raw.sendAlong === "boolean" ? { sendAlong: raw.sendAlong } : {}),
    ...(asked === undefined ? {} : { asked }),
    // A response without an outcome was still coming when the page went away.
    ...(raw.role === "assistant" ? { outcome: readOutcome(raw.outcome) } : {}),
    ...(facts === undefined ? {} : { facts }),
    ...(asFilledText(raw.copiedFrom) ? { copiedFrom: String(raw.copiedFrom) } : {}),
    ...(raw.isPinned === true ? { isPinned: true } : {}),
  };
}

const ENDINGS: readonly ResponseOutcome["how"][] = ["complete", "early", "stopped", "failed", "lost"];

function readOutcome(raw: unknown): ResponseOutcome {
  const how = isRecord(raw) ? ENDINGS.find((ending) => ending === raw.how) : undefined;
  if (!isRecord(raw) || how === undefined) return { how: "lost" };
  const { error } = raw;
  if (!isRecord(error)) return { how };
  const stored: StoredError = {
    title: asText(error.title) ?? "",
    body: asText(error.body) ?? "",
    chargedText: asText(error.chargedText) ?? "",
    nextStep: asText(error.nextStep) ?? "",
  };
  const place = ERROR_PLACES.find((name) => name === error.place);
  return { how, error: place === undefined ? stored : { ...stored, place } };
}

/** The facts that are numbers, except `pieces`. */
const COUNTS = ["firstTokenMs", "contextTokens", ...SUMMED_FACTS] as const;

function readFacts(raw: unknown): ResponseFacts | undefined {
  if (!isRecord(raw)) return undefined;
  const counts = COUNTS.flatMap((name) => (typeof raw[name] === "number" ? [[name, raw[name]]] : []));
  return {
    ...(Object.fromEntries(counts) as Partial<ResponseFacts>),
    ...(typeof raw.stopReason === "string" ? { stopReason: raw.stopReason } : {}),
    ...(typeof raw.isStream === "boolean" ? { isStream: raw.isStream } : {}),
    pieces: typeof raw.pieces === "number" ? raw.pieces : 0,
  };
}

function readTemplate(raw: unknown, fallback: PromptTemplate): PromptTemplate {
  if (!isRecord(raw)) return fallback;
  const readText = (name: "system" | "user" | "assistant" | "start") =>
    typeof raw[name] === "string" ? raw[name] : fallback[name];
  const stop = asTexts(raw.stop);
  return {
    system: readText("system"),
    user: readText("user"),
    assistant: readText("assistant"),
    start: readText("start"),
    stop,
  };
}

/**
 * A value as this tab has it, as the database has it, and as both last had it; `base` is absent where they never did.
 */
interface Versions<T> {
  mine: T;
  theirs: T;
  base: T | undefined;
}

/** Groups of fields that are taken from one side together: a mixture would fit neither. */
const TITLE = ["title", "isNamed"] as const;
const ENDPOINT = ["endpoint", "params", "isDocument"] as const;
const ANSWER = ["asked", "text", "reasoning", "parts", "outcome", "facts"] as const;

/**
 * `mine` with the fields that only `theirs` changed. What both changed stays as in `mine`, because this tab writes
 * last. `groups`: fields that are taken together. `skipped`: fields that stay as in `mine`, because they are merged
 * elsewhere.
 */
function mergeFields<T extends object>(
  { mine, theirs, base }: Versions<T>,
  groups: readonly (readonly (keyof T)[])[],
  skipped: readonly (keyof T)[],
): T {
  if (base === undefined) return mine;
  const known = new Set([...groups.flat(), ...skipped]);
  const single = (Object.keys({ ...mine, ...theirs }) as (keyof T)[]).filter((name) => !known.has(name));
  const isSame = (names: readonly (keyof T)[], a: T, b: T) => names.every((name) => sameJson(a[name], b[name]));
  const changed = [...groups, ...single.map((name) => [name])].filter(
    (names) => !isSame(names, mine, theirs) && isSame(names, mine, base),
  );
  return changed.length === 0 ? mine : withFields(mine, theirs, changed.flat());
}

/** `mine` with these fields of `theirs`. A field that `theirs` does not have is deleted. */
function withFields<T extends object>(mine: T, theirs: T, names: readonly (keyof T)[]): T {
  const merged = { ...mine };
  for (const name of names) {
    if (name in theirs) merged[name] = theirs[name];
    else delete merged[name];
  }
  return merged;
}

/**
 * Both lists as one. What one side added stays. What one side removed is removed, unless the other side has changed it
 * since. Returns the list of `mine` itself where nothing differs.
 */
function mergeLists<T extends { id: string }>(
  { mine, theirs, base = [] }: Versions<readonly T[]>,
  merge: (versions: Versions<T>) => T,
): readonly T[] {
  const [mineById, theirsById, baseById] = [mine, theirs, base].map(
    (list) => new Map(list.map((item) => [item.id, item])),
  );
  // Such an item was removed by the side that does not have it.
  const isUnchangedSinceBase = (item: T) => baseById?.has(item.id) && sameJson(baseById.get(item.id), item);
  const merged = mine.flatMap((item) => {
    const other = theirsById?.get(item.id);
    if (other === undefined) return isUnchangedSinceBase(item) ? [] : [item];
    return [merge({ mine: item, theirs: other, base: baseById?.get(item.id) })];
  });
  const added = theirs.filter((item) => !mineById?.has(item.id) && !isUnchangedSinceBase(item));
  const isNew = added.length > 0 || merged.length < mine.length || merged.some((item, index) => item !== mine[index]);
  return isNew ? [...merged, ...added] : mine;
}

/** `lost` is no end: a response that is still coming in another tab is read from the database as `lost`. */
const hasEnded = ({ role, outcome }: Turn) => role === "user" || (outcome !== undefined && outcome.how !== "lost");

/** Whether a response got further in the other tab: its text continues ours, or it ended only there. */
function theirsIsFurther(theirs: Turn, mine: Turn): boolean {
  const continuesOurs = theirs.text.length > mine.text.length && theirs.text.startsWith(mine.text);
  return continuesOurs || (hasEnded(theirs) && !hasEnded(mine));
}

function mergeTurn(versions: Versions<Turn>): Turn {
  const merged = mergeFields(versions, [ANSWER], []);
  const { mine, theirs } = versions;
  // Both tabs have the same response, and theirs got further.
  return merged.text === mine.text && theirsIsFurther(theirs, mine) ? withFields(merged, theirs, ANSWER) : merged;
}

function mergeThread({ mine, theirs, base }: Versions<Thread>): Thread {
  const merged = mergeLists({ mine: mine.turns, theirs: theirs.turns, base: base?.turns }, mergeTurn);
  const turns = merged === mine.turns ? merged : withParents(merged, [...mine.turns, ...theirs.turns]);
  const chosen = mergeFields({ mine: mine.chosen, theirs: theirs.chosen, base: base?.chosen }, [], []);
  return turns === mine.turns && chosen === mine.chosen ? mine : { turns, chosen };
}

/** Adds the parents of each message, also those that one tab removed: a response that stays needs its question. */
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
 * Merges one conversation that two tabs wrote, by what `mine` and `theirs` changed since `base`. A change of one side
 * is taken; of what both changed, `mine` stays. The replies of both tabs become sibling branches. A response that got
 * further in `theirs` is taken from it. Returns `mine` itself where nothing differs.
 */
export function mergeConversation({ mine, theirs, base }: Versions<Conversation>): Conversation {
  const skipped = ["id", "columns", "createdAtMs", "updatedAtMs", "isTemporary"] as const;
  const fields = mergeFields({ mine, theirs, base }, [TITLE], skipped);
  const merged = mergeLists({ mine: mine.columns, theirs: theirs.columns, base: base?.columns }, mergeColumn);
  // Empty where each tab removed the columns that the other one had left.
  const columns = merged.length === 0 ? mine.columns : merged;
  const updatedAtMs = Math.max(mine.updatedAtMs, theirs.updatedAtMs);
  const isNew = fields !== mine || columns !== mine.columns || updatedAtMs !== mine.updatedAtMs;
  return isNew ? { ...fields, columns, updatedAtMs } : mine;
}
