import { TEXT_ENDPOINTS } from "#api/text/text-types.ts";
import { randomId } from "#lib/random-id.ts";
import { isRecord, type JsonRecord, parseSafely } from "#lib/read.ts";
import { partsMarkdown } from "#text/answer.ts";
import type { Chat } from "#text/chat.ts";
import {
  addTurn,
  type Column,
  type Conversation,
  createColumn,
  createConversation,
  type EndpointModel,
  MAX_COLUMNS,
  pictureIds,
  type Thread,
  type Turn,
  visiblePath,
} from "#text/conversations/conversation.ts";
import { holdPicture, loadPictures, storePictures } from "#text/conversations/pictures.ts";
import { readConversation } from "#text/conversations/stored-conversations.ts";
import { toast } from "#ui/toast-store.ts";

// Exports a conversation as JSON or Markdown, and imports both.

const FORMAT = "safelight-conversation";
/** The largest file that is read, in bytes. */
const MAX_FILE_BYTES = 50_000_000;

/** The conversation with all its branches and pictures, in the form that `importConversation` reads. */
export function exportJson(conversation: Conversation, pictures: ReadonlyMap<string, string> = new Map()): string {
  const bytes = pictures.size === 0 ? {} : { pictures: Object.fromEntries(pictures) };
  return JSON.stringify({ format: FORMAT, version: 1, conversation, ...bytes }, null, 2);
}

/** `exportJson` with the pictures from the database. Pictures that cannot be read are left out. */
export async function exportWithPictures(accountId: string, conversation: Conversation): Promise<string> {
  return exportJson(conversation, await loadPictures(accountId, conversation.id, pictureIds(conversation)));
}

/** Reads an exported file, JSON or Markdown, as untrusted data; undefined for any other. Gives it a new id. */
export function importConversation(text: string, nowMs = Date.now()): Conversation | undefined {
  let raw: unknown;
  try {
    raw = parseSafely(text);
  } catch {
    return importMarkdown(text, nowMs);
  }
  if (!isRecord(raw) || raw.format !== FORMAT) return undefined;
  const conversation = readConversation(raw.conversation);
  if (conversation && isRecord(raw.pictures)) takePictures(conversation, raw.pictures);
  return conversation && { ...conversation, id: randomId(), isTemporary: false, updatedAtMs: nowMs };
}

/** Takes the pictures of a file into memory, but only those that its messages name. */
function takePictures(conversation: Conversation, bytes: JsonRecord): void {
  for (const id of pictureIds(conversation)) {
    const base64 = bytes[id];
    if (typeof base64 === "string" && /^[A-Za-z0-9+/]+=*$/.test(base64)) holdPicture(id, base64);
  }
}

/** Stores the pictures of a conversation that was read from a file. */
function storeImported(accountId: string, conversation: Conversation): Promise<void> {
  return storePictures(accountId, conversation.id, pictureIds(conversation));
}

/** `json`: the whole conversation. `md`: the versions that are shown, as Markdown. */
export type ExportKind = "json" | "md";

/** A file name without signs that a system may refuse. */
export function exportName({ title }: Conversation, extension: ExportKind): string {
  const plain = title.replace(/[^\p{L}\p{N} _-]/gu, "").trim();
  return `${plain.slice(0, 60) || "chat"}.${extension}`;
}

const PARTS = ["System", "Document", "User", "Assistant"] as const;
type Part = (typeof PARTS)[number];

const PART = new RegExp(`^### (${PARTS.join("|")})$`);
const COLUMN = new RegExp(`^## (.*) \\((${TEXT_ENDPOINTS.join("|")})\\)$`);
/**
 * A line of a message that looks like one of these headings, which are taken without their `^` and `$`. Each export escapes
 * it with one more backslash.
 */
const LOOKS_LIKE_HEADING = new RegExp(`^\\\\*(?:${PART.source.slice(1, -1)}|${COLUMN.source.slice(1, -1)})$`);

/** A conversation as Markdown for reading: the versions that are shown, column by column. */
export function exportMarkdown({ title, columns }: Conversation): string {
  const parts = [`# ${title}`];
  const add = (part: Part, text: string) => parts.push(`### ${part}\n\n${changeHeadings(text, (line) => `\\${line}`)}`);
  for (const { endpoint, model, system, thread, isDocument, document } of columns) {
    parts.push(`## ${model} (${endpoint})`);
    if (system !== "") add("System", system);
    if (isDocument && document !== "") add("Document", document);
    for (const { turn } of visiblePath(thread)) {
      add(turn.role === "user" ? "User" : "Assistant", turnMarkdown(turn));
    }
  }
  return `${parts.join("\n\n")}\n`;
}

/** A message with the names of its pictures, or a response with all its parts. */
function turnMarkdown({ text, parts, pictures = [] }: Turn): string {
  const names = pictures.map(({ name, url }) => `Image: ${url ?? name}`);
  return [...names, partsMarkdown(text, parts)]
    .filter((paragraph, index) => paragraph !== "" || index === names.length)
    .join("\n\n");
}

/** Reads what `exportMarkdown` writes, as untrusted data. Undefined where there is no message and no document. */
function importMarkdown(text: string, nowMs: number): Conversation | undefined {
  const lines = text.replace(/\r\n/g, "\n").replace(/\n$/, "").split("\n");
  const title = /^# (.+)$/.exec(lines[0] ?? "")?.[1];
  const columns: Column[] = [];
  let heading: { part: Part; line: number } | undefined;
  const closePart = (end: number) => {
    if (heading === undefined) return;
    const text = lines.slice(heading.line + 2, end).join("\n");
    const column = columns.pop() ?? createColumn(UNKNOWN_MODEL);
    columns.push(
      withPart(
        column,
        heading.part,
        changeHeadings(text, (line) => line.slice(1)),
        nowMs,
      ),
    );
    heading = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const part = PARTS.find((name) => name === PART.exec(line)?.[1]);
    const [, model, endpointName] = COLUMN.exec(line) ?? [];
    const endpoint = TEXT_ENDPOINTS.find((name) => name === endpointName);
    // The part ends before the blank line that stands before each heading.
    if (part !== undefined || endpoint !== undefined) closePart(index - 1);
    if (part !== undefined) heading = { part, line: index };
    if (endpoint !== undefined) columns.push({ ...createColumn({ endpoint, model: model ?? "" }), isDocument: false });
  }
  closePart(lines.length);
  if (!columns.some(({ thread, document }) => thread.turns.length > 0 || document !== "")) return undefined;
  const made = createConversation(UNKNOWN_MODEL, { nowMs });
  const titleFields = title === undefined ? {} : { title: title.slice(0, 200), isNamed: true };
  return { ...made, ...titleFields, columns: columns.slice(0, MAX_COLUMNS) };
}

/** For a file without a column heading, which would name the endpoint and the model. */
const UNKNOWN_MODEL: EndpointModel = { endpoint: "messages", model: "" };

function withPart(column: Column, part: Part, text: string, nowMs: number): Column {
  if (part === "System") return { ...column, system: text };
  if (part === "Document") return { ...column, isDocument: true, document: text };
  return { ...column, thread: withTurn(column, part, text, nowMs) };
}

function withTurn(
  { thread, endpoint, model }: Column,
  part: "User" | "Assistant",
  text: string,
  nowMs: number,
): Thread {
  const turn = { id: randomId(), parentId: thread.turns.at(-1)?.id ?? null, text, createdAtMs: nowMs };
  if (part === "User") return addTurn(thread, { ...turn, role: "user" });
  return addTurn(thread, { ...turn, role: "assistant", asked: { endpoint, model }, outcome: { how: "complete" } });
}

/** Changes the lines of a text that look like a heading of the export. */
function changeHeadings(text: string, change: (line: string) => string): string {
  return text
    .split("\n")
    .map((line) => (LOOKS_LIKE_HEADING.test(line) ? change(line) : line))
    .join("\n");
}

/** Lets the person choose a file that was exported here, and opens its conversation. */
export function importFromFile(chat: Chat): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "application/json,text/markdown,.json,.md";
  input.hidden = true;
  input.ariaLabel = "Chat file";
  input.onchange = () => {
    input.remove();
    const [file] = input.files ?? [];
    if (file) void importFile(chat, file);
  };
  input.oncancel = () => input.remove();
  // Some browsers send no events for an input that is not in the document.
  document.body.append(input);
  input.click();
}

/** Opens the conversation of a file. A toast says so if the file has none. */
async function importFile({ conversations, accountId }: Chat, file: File): Promise<void> {
  const text = file.size > MAX_FILE_BYTES ? "" : await file.text().catch(() => "");
  const imported = importConversation(text);
  if (imported === undefined) {
    toast({
      title: "This file isn’t a chat",
      body: "Choose a JSON or Markdown file exported from Playground.",
      tone: "error",
    });
    return;
  }
  conversations.add(imported);
  void storeImported(accountId, imported);
}
