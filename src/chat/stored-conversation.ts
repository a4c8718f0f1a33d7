import type { TextEndpoint } from "#api/text-types.ts";
import { isRecord, type JsonRecord } from "#lib/json.ts";
import { randomId } from "#lib/random-id.ts";
import { type AnswerFacts, SUMMED } from "./answer-facts.ts";
import { type AnswerOutcome, ERROR_PLACES, type KeptError } from "./answer-outcome.ts";
import {
  type Asked,
  type Column,
  type Conversation,
  createColumn,
  MOST_COLUMNS,
  NEW_TITLE,
  TEXT_ENDPOINTS,
} from "./conversation.ts";
import type { PromptTemplate } from "./prompt-template.ts";
import type { Thread, Turn } from "./thread.ts";

/** A conversation from the database or from a file, read as untrusted data. Undefined where it is none. */
export function readConversation(raw: unknown): Conversation | undefined {
  if (!isRecord(raw) || !Array.isArray(raw.columns)) return undefined;
  const columns = raw.columns.flatMap((column) => readColumn(column) ?? []).slice(0, MOST_COLUMNS);
  if (columns.length === 0) return undefined;
  return {
    id: text(raw.id) || randomId(),
    title: text(raw.title).slice(0, 200) || NEW_TITLE,
    isNamed: raw.isNamed === true,
    isPinned: raw.isPinned === true,
    isTemporary: raw.isTemporary === true,
    createdAtMs: moment(raw.createdAtMs),
    updatedAtMs: moment(raw.updatedAtMs),
    columns,
  };
}

function readColumn(raw: unknown): Column | undefined {
  const asked = readAsked(raw);
  if (asked === undefined || !isRecord(raw)) return undefined;
  const { cacheMode } = raw;
  const fresh = createColumn(asked);
  return {
    ...fresh,
    id: text(raw.id) || fresh.id,
    system: text(raw.system),
    isSystemPinned: raw.isSystemPinned === true,
    cacheMode: cacheMode === "auto" || cacheMode === "pins" ? cacheMode : "off",
    params: isRecord(raw.params) ? raw.params : fresh.params,
    isDocument: raw.isDocument === true && asked.endpoint === "completions",
    document: text(raw.document),
    template: readTemplate(raw.template, fresh.template),
    thread: readThread(raw.thread),
  };
}

function readAsked(raw: unknown): Asked | undefined {
  if (!isRecord(raw) || typeof raw.model !== "string") return undefined;
  const endpoint = TEXT_ENDPOINTS.find((name): name is TextEndpoint => name === raw.endpoint);
  return endpoint && { endpoint, model: raw.model };
}

/** Only messages whose parent stands before them: what is left has one root and no circles. */
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
  const kept = chosen.filter((entry): entry is [string, string] => known.has(String(entry[1])));
  return { turns, chosen: Object.fromEntries(kept) };
}

function readTurn(raw: unknown): Turn | undefined {
  if (!isRecord(raw) || typeof raw.id !== "string" || raw.id === "" || typeof raw.text !== "string") return undefined;
  if (raw.role !== "user" && raw.role !== "assistant") return undefined;
  const asked = readAsked(raw.asked);
  const facts = readFacts(raw.facts);
  return {
    id: raw.id,
    parentId: typeof raw.parentId === "string" ? raw.parentId : null,
    role: raw.role,
    text: raw.text,
    createdAtMs: moment(raw.createdAtMs),
    ...(text(raw.reasoning) === "" ? {} : { reasoning: text(raw.reasoning) }),
    ...(asked === undefined ? {} : { asked }),
    // An answer that was written down without its end was still coming when the page went away.
    ...(raw.role === "assistant" ? { outcome: readOutcome(raw.outcome) } : {}),
    ...(facts === undefined ? {} : { facts }),
    ...(raw.isPinned === true ? { isPinned: true } : {}),
  };
}

const ENDINGS: readonly AnswerOutcome["how"][] = ["complete", "early", "stopped", "failed", "lost"];

function readOutcome(raw: unknown): AnswerOutcome {
  const how = isRecord(raw) ? ENDINGS.find((ending) => ending === raw.how) : undefined;
  if (!isRecord(raw) || how === undefined) return { how: "lost" };
  const { error } = raw;
  if (!isRecord(error)) return { how };
  const kept: KeptError = {
    title: text(error.title),
    body: text(error.body),
    chargedText: text(error.chargedText),
    nextStep: text(error.nextStep),
  };
  const place = ERROR_PLACES.find((one) => one === error.place);
  return { how, error: place === undefined ? kept : { ...kept, place } };
}

const COUNTS = ["firstTokenMs", ...SUMMED] as const;

function readFacts(raw: unknown): AnswerFacts | undefined {
  if (!isRecord(raw)) return undefined;
  const counts = COUNTS.flatMap((name) => (typeof raw[name] === "number" ? [[name, raw[name]]] : []));
  return {
    ...(Object.fromEntries(counts) as Partial<AnswerFacts>),
    ...(typeof raw.stopReason === "string" ? { stopReason: raw.stopReason } : {}),
    ...(typeof raw.isStream === "boolean" ? { isStream: raw.isStream } : {}),
    pieces: typeof raw.pieces === "number" ? raw.pieces : 0,
  };
}

function readTemplate(raw: unknown, fallback: PromptTemplate): PromptTemplate {
  if (!isRecord(raw)) return fallback;
  const part = (name: "system" | "user" | "assistant" | "start") =>
    typeof raw[name] === "string" ? raw[name] : fallback[name];
  const stop = Array.isArray(raw.stop) ? raw.stop.filter((word): word is string => typeof word === "string") : [];
  return { system: part("system"), user: part("user"), assistant: part("assistant"), start: part("start"), stop };
}

function text(value: JsonRecord[string]): string {
  return typeof value === "string" ? value : "";
}

function moment(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
