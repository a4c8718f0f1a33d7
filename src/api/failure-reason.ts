import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { readErrorMessage } from "./read-error.ts";

/** Names that speak of what went wrong. */
const FAULT =
  /error(?!code$)|^errs?$|fail(?!over|code$)|^faults?$|(?<!finish|block)reason(?!ing|code$)|exception|^cause|reject|refus|violat|^(status|state|task|job)*(detail|message|msg)s?$|^details?$|^stderr$|traceback|diagnos|explanation|^why$|^issues?$|^problems?$|^verdict$|^warnings?$|^alerts?$/;
/** Names of words that may be about anything. */
const SPEAKS =
  /^(messages?|msgs?|notes?|remarks?|comments?|info|hint|feedback|summary|resulttext|provider|output|outcome|result)$/;
const LOGS = /^(logs?|events?|history|trace|console(output)?|stdout|timeline|activity|attempts|steps)$/;
/** Names for the kind of a fault in one word: within an error, and anywhere. */
const CODE = /^(code|status)$/;
const FAULT_CODE = /^(error|fail|failure|reason|status|rejection)code$|^(finish|block)reason$/;
/** What a job was given and where to go next: a word about errors in a prompt is not the job's. */
const NOT_ITS_OWN =
  /^(payload|request|inputs?|arguments|args|params|parameters|prompt|negativeprompt|config|options|settings|user|model|urls?|links|webhook|callback|media|mediaurls|images?|videos?|audios?|files?|id|.*id|.*at|.*url|usage|metrics)$/;

/** A line of a log that reports trouble. */
const TROUBLE =
  /error|fail|exception|invalid|denied|refus|reject|block|violat|time[ds]? ?out|exceed|not (allowed|found|supported)|unable|can(no|')t|could ?n[o']t|out of memory|nsfw|unsafe|moderat|policy|missing|unsupported|forbidden|fatal|crash|killed|panic|unavailable|overload|insufficient|quota|too (large|long|many|big|small|short)|prohibit|flagged|sensitive/i;
/** A line that follows on trouble and says nothing of it. */
const AFTERMATH = /^\W*(process )?exit(ed|ing)?\b|shutting down|clean(ing)? ?up|stack trace|^\s+at |^\s*File "/i;
/** When and how loudly a line was logged. */
const STAMP = /^[\s[(]*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d)?[\d.,]*(?:Z|[+-]\d\d:?\d\d)?[\])]*\s*/;
const LEVEL = /^[[(<]?(?:error|err|fatal|critical|warn(?:ing)?|info)[\])>]?\s*[:|-]?\s+(?=\S)/i;

/** Says that it failed, and nothing else. */
const EMPTY_WORDS =
  /^(?:(?:an?|the|your|this|job|task|request|run|generation|prediction|has|was|is|it|have)\s+)*(?:unknown|unexpected|internal)?\s*(?:server\s+)?(?:error|failed|failure|fail|errored|exception|something went wrong)(?:\s+(?:has\s+)?occurr?ed)?\W*$/i;
const NOTHING =
  /^\W*(?:null|none|nil|undefined|n\/?a|ok|okay|success|succeeded|true|false|queued|processing|failed|cancell?ed|error|\d+|https?:\S+)?\W*$/i;

const DEEPEST = 8;
const MAX_VALUES = 600;
const LONGEST = 1000;
const LONGEST_JSON = 100_000;
const MAX_SENTENCES = 2;
const MAX_LISTED = 5;
/** Ranks of what was found: how little its place promises. What is further from the best than `NEAR` is left out. */
const MESSAGE = 10;
const LOG = 20;
const NEAR = 3;

/** The words of a place, how little they say (0 is best), and how deep they stand. */
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
  let left = MAX_VALUES;

  function add(text: string, rank: number, depth: number) {
    const before = found.length;
    const inner = jsonWithin(text);
    if (inner !== undefined) look(inner, "", rank, depth + 1);
    const words = found.length > before ? undefined : readErrorMessage(text);
    if (words === undefined || NOTHING.test(words)) return;
    const thin = EMPTY_WORDS.test(words) ? LOG + NEAR : /\s/.test(words) ? 0 : NEAR;
    found.push({ words, rank: rank + thin, depth });
  }
  /** `rank` is undefined where no key on the way here speaks of errors or messages. */
  function look(value: unknown, name: string, rank: number | undefined, depth: number) {
    if (depth > DEEPEST || left-- <= 0) return;
    if (isRecord(value)) return lookInto(value, rank, depth);
    if (rank === undefined && typeof value === "string") return;
    if (typeof value === "string") add(rank === LOG ? lastTrouble(linesOf(value)) : value, rank ?? LOG, depth);
    if (!Array.isArray(value)) return;
    if (rank !== undefined && /^(messages?|msgs?)$|^logs?$/.test(name))
      add(lastTrouble(value.map(lineOf)), rank, depth);
    else if (rank === LOG) add(lastTrouble(value.map(lineOf)), rank, depth);
    else for (const item of value.slice(0, MAX_LISTED)) look(item, name, rank, depth + 1);
  }
  function lookInto(record: JsonRecord, rank: number | undefined, depth: number) {
    for (const [key, value] of Object.entries(record).slice(0, MAX_VALUES)) {
      const name = plainName(key);
      if (FAULT_CODE.test(name) || (rank === 0 && CODE.test(name))) codes.push(...codeOf(value));
      else if (!NOT_ITS_OWN.test(name)) look(value, name, rankOf(name, value, rank), depth + 1);
    }
  }
  for (const record of records) lookInto(record, undefined, 0);
  return sentences(found, codes);
}

/** What the words under a name are worth: errors, then messages, then logs. `above` is what leads to it. */
function rankOf(name: string, value: unknown, above: number | undefined): number | undefined {
  if (FAULT.test(name)) return 0;
  if (LOGS.test(name)) return LOG;
  const isWords = typeof value === "string" || Array.isArray(value);
  if (SPEAKS.test(name)) return isWords ? (above ?? MESSAGE) : above;
  // Within an error every text is about it, though a message is the likelier one.
  return isWords && above !== undefined ? above + NEAR : above;
}

function codeOf(value: unknown): string[] {
  if (typeof value === "number" && Number.isSafeInteger(value) && value !== 0) return [`code ${value}`];
  return typeof value === "string" && /^[\w.:-]{2,60}$/.test(value) && !NOTHING.test(value) ? [value] : [];
}

const linesOf = (text: string) => text.slice(-LONGEST_JSON).split(/\r?\n|\r/);

/** One line of a log, which may be a record. What has a role is a turn of a conversation. */
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
  const said = lines.slice(-200).filter((line) => !NOTHING.test(line) && !AFTERMATH.test(line));
  const line = said.findLast((some) => TROUBLE.test(some)) ?? said.at(-1) ?? "";
  return line
    .slice(0, LONGEST * 4)
    .replace(STAMP, "")
    .replace(LEVEL, "");
}

/** The JSON that a text is, or ends in, such as `Backend error: {"message": …}`. */
function jsonWithin(text: string): unknown {
  const start = text.slice(0, 300).search(/[{[]/);
  if (start < 0 || text.length > LONGEST_JSON || !/[}\]]\s*$/.test(text)) return undefined;
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
  const most = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return code === undefined ? most : `${most} (${code})`;
}
