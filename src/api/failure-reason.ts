import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { readErrorMessage } from "./read-error.ts";

/** Names of fields that speak of what went wrong. All names here are as `plainName` writes them. */
const FAULT_NAME =
  /error(?!code$)|^errs?$|fail(?!over|code$)|^faults?$|(?<!finish|block)reason(?!ing|code$)|exception|^cause|reject|refus|violat|^(status|state|task|job)*(detail|message|msg)s?$|^details?$|^stderr$|traceback|diagnos|explanation|^why$|^issues?$|^problems?$|^verdict$|^warnings?$|^alerts?$/;
/** Names of fields whose words may be about anything. */
const MESSAGE_NAME =
  /^(messages?|msgs?|notes?|remarks?|comments?|info|hint|feedback|summary|resulttext|provider|output|outcome|result)$/;
const LOG_NAME = /^(logs?|events?|history|trace|console(output)?|stdout|timeline|activity|attempts|steps)$/;
/** Names of fields with the kind of a fault in one word. The first ones count only directly within a fault. */
const CODE_WITHIN_FAULT = /^(code|status)$/;
const CODE_ANYWHERE = /^(error|fail|failure|reason|status|rejection)code$|^(finish|block)reason$/;
/** Names of what a job was given, and of addresses: a word about errors in a prompt says nothing about the job. */
const IGNORED_NAME =
  /^(payload|request|inputs?|arguments|args|params|parameters|prompt|negativeprompt|config|options|settings|user|model|urls?|links|webhook|callback|media|mediaurls|images?|videos?|audios?|files?|id|.*id|.*at|.*url|usage|metrics)$/;

/** A line of a log that reports trouble. */
const TROUBLE =
  /error|fail|exception|invalid|denied|refus|reject|block|violat|time[ds]? ?out|exceed|not (allowed|found|supported)|unable|can(no|')t|could ?n[o']t|out of memory|nsfw|unsafe|moderat|policy|missing|unsupported|forbidden|fatal|crash|killed|panic|unavailable|overload|insufficient|quota|too (large|long|many|big|small|short)|prohibit|flagged|sensitive/i;
/** A line that follows after trouble and says nothing about it. */
const AFTERMATH = /^\W*(process )?exit(ed|ing)?\b|shutting down|clean(ing)? ?up|stack trace|^\s+at |^\s*File "/i;
/** The time and the level at the start of a line. */
const STAMP = /^[\s[(]*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?[\d.,]*(?:Z|[+-]\d\d:?\d\d)?[\])]*\s*/;
const LEVEL = /^[[(<]?(?:error|err|fatal|critical|warn(?:ing)?|info)[\])>]?\s*[:|-]?\s+(?=\S)/i;

/** A text that says that the job failed, and nothing else. */
const EMPTY_WORDS =
  /^(?:(?:an?|the|your|this|job|task|request|run|generation|prediction|has|was|is|it|have)\s+)*(?:unknown|unexpected|internal)?\s*(?:server\s+)?(?:error|failed|failure|fail|errored|exception|something went wrong)(?:\s+(?:has\s+)?occurr?ed)?\W*$/i;
/** A text that is no reason: a status, a number, an address, or nothing. */
const NOTHING =
  /^\W*(?:null|none|nil|undefined|n\/?a|ok|okay|success|succeeded|true|false|queued|processing|failed|cancell?ed|error|\d+|https?:\S+)?\W*$/i;

const MAX_DEPTH = 8;
const MAX_VALUES = 600;
const MAX_REASON_LENGTH = 1000;
const MAX_JSON_LENGTH = 100_000;
const MAX_SENTENCES = 2;
const MAX_LISTED = 5;
/** Ranks of words: 0 under a name of a fault, more where their place promises less. The lowest rank is shown first. */
const MESSAGE = 10;
const LOG = 20;
/** Words whose rank is this much above the lowest are not shown. */
const NEAR = 3;

/** Words that were found, with their rank and their depth in the record. */
interface Found {
  words: string;
  rank: number;
  depth: number;
}

/**
 * Why a job failed, in the service's words, wherever its records say so: under a name that speaks of errors, in messages,
 * in the last lines of logs, at any depth, in JSON text too. The most specific sentence comes first, and a code stands
 * after it. Bounded, and fit to be shown. Undefined where nothing is said.
 */
export function failureReason(records: readonly JsonRecord[]): string | undefined {
  const found: Found[] = [];
  const codes: string[] = [];
  let visitsLeft = MAX_VALUES;

  function addWords(text: string, rank: number, depth: number) {
    // JSON within the text counts in place of the text, where it says anything.
    const countBefore = found.length;
    const inner = jsonWithin(text);
    if (inner !== undefined) visit(inner, "", rank, depth + 1);
    const words = found.length > countBefore ? undefined : readErrorMessage(text);
    if (words === undefined || NOTHING.test(words)) return;
    const penalty = EMPTY_WORDS.test(words) ? LOG + NEAR : /\s/.test(words) ? 0 : NEAR;
    found.push({ words, rank: rank + penalty, depth });
  }
  /** `rank` is undefined where no key on the way here speaks of errors or messages. */
  function visit(value: unknown, name: string, rank: number | undefined, depth: number) {
    if (depth > MAX_DEPTH || visitsLeft-- <= 0) return;
    if (isRecord(value)) return visitRecord(value, rank, depth);
    if (rank === undefined && typeof value === "string") return;
    if (typeof value === "string") addWords(rank === LOG ? lastTrouble(linesOf(value)) : value, rank ?? LOG, depth);
    if (!Array.isArray(value)) return;
    if (rank !== undefined && /^(messages?|msgs?)$|^logs?$/.test(name))
      addWords(lastTrouble(value.map(lineOf)), rank, depth);
    else if (rank === LOG) addWords(lastTrouble(value.map(lineOf)), rank, depth);
    else for (const item of value.slice(0, MAX_LISTED)) visit(item, name, rank, depth + 1);
  }
  function visitRecord(record: JsonRecord, rank: number | undefined, depth: number) {
    for (const [key, value] of Object.entries(record).slice(0, MAX_VALUES)) {
      const name = plainName(key);
      if (CODE_ANYWHERE.test(name) || (rank === 0 && CODE_WITHIN_FAULT.test(name))) codes.push(...codeOf(value));
      else if (!IGNORED_NAME.test(name)) visit(value, name, rankOf(name, value, rank), depth + 1);
    }
  }
  for (const record of records) visitRecord(record, undefined, 0);
  return sentences(found, codes);
}

/** The rank of words under a name: faults, then messages, then logs. `above`: the rank of the record around it. */
function rankOf(name: string, value: unknown, above: number | undefined): number | undefined {
  if (FAULT_NAME.test(name)) return 0;
  if (LOG_NAME.test(name)) return LOG;
  const isWords = typeof value === "string" || Array.isArray(value);
  if (MESSAGE_NAME.test(name)) return isWords ? (above ?? MESSAGE) : above;
  // Within a fault every text is about it, but a message of it says more.
  return isWords && above !== undefined ? above + NEAR : above;
}

function codeOf(value: unknown): string[] {
  if (typeof value === "number" && Number.isSafeInteger(value) && value !== 0) return [`code ${value}`];
  return typeof value === "string" && /^[\w.:-]{2,60}$/.test(value) && !NOTHING.test(value) ? [value] : [];
}

const linesOf = (text: string) => text.slice(-MAX_JSON_LENGTH).split(/\r?\n|\r/);

/** One line of a log, which may be a record. A record with a role is a turn of a conversation, and no line. */
function lineOf(line: unknown): string {
  if (!isRecord(line)) return typeof line === "string" ? line : "";
  if (line.role !== undefined) return "";
  const isWords = ([key, value]: [string, unknown]) =>
    /^(text|txt|line|content|body|description|note)$/i.test(key) && readErrorMessage(value);
  const words = readErrorMessage(line) ?? readErrorMessage(Object.entries(line).find(isWords)?.[1]);
  const isLoud = [line.level, line.lvl, line.severity, line.type].some((value) =>
    /err|fatal|crit/i.test(String(value)),
  );
  return words === undefined ? "" : `${isLoud ? "ERROR " : ""}${words}`;
}

/** The last line that reports trouble, else the last one that says anything, without its time and level. */
function lastTrouble(lines: readonly string[]): string {
  const telling = lines.slice(-200).filter((line) => !NOTHING.test(line) && !AFTERMATH.test(line));
  const line = telling.findLast((some) => TROUBLE.test(some)) ?? telling.at(-1) ?? "";
  return line
    .slice(0, MAX_REASON_LENGTH * 4)
    .replace(STAMP, "")
    .replace(LEVEL, "");
}

/** The JSON that a text is, or ends in, such as `Backend error: {"message": …}`. */
function jsonWithin(text: string): unknown {
  const start = text.slice(0, 300).search(/[{[]/);
  if (start < 0 || text.length > MAX_JSON_LENGTH || !/[}\]]\s*$/.test(text)) return undefined;
  const value = tryParseJson(text.slice(start));
  return typeof value === "object" ? value : undefined;
}

/** The best of what was found, each once: the most specific first, two sentences at most, and a code. */
function sentences(found: Found[], codes: readonly string[]): string | undefined {
  const best = found.sort((a, b) => a.rank - b.rank || b.depth - a.depth);
  const [first] = best;
  if (first === undefined) return codes[0];
  const shown = [first.words];
  for (const { words, rank } of best) {
    if (rank - first.rank >= NEAR || shown.length >= MAX_SENTENCES) break;
    if (!shown.some((other) => other.includes(words))) shown.push(words);
  }
  const text = shown.reduce((all, next) => `${all}${/[.!?…:]$/.test(all) ? "" : "."} ${next}`);
  const code = codes.find((some) => !text.includes(some.replace(/^code /, "")));
  const shortened = text.length > MAX_REASON_LENGTH ? `${text.slice(0, MAX_REASON_LENGTH)}…` : text;
  return code === undefined ? shortened : `${shortened} (${code})`;
}
