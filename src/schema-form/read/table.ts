import { isRecord, type JsonRecord, ownArray, tryParseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { mediaOfKey } from "./roles.ts";

/** Whether a value is a documentation table: column names, and rows of cells. Never throws. */
export function isTable(raw: unknown): raw is JsonRecord & { rows: readonly unknown[] } {
  return isRecord(raw) && Array.isArray(raw.columns) && Array.isArray(raw.rows) && raw.rows.every(Array.isArray);
}

/** Characters of a cell that are searched for limits: what is longer is prose, and some searches grow with the square. */
const LONGEST_READ = 1000;
const NOTHING = /^(-|n\/a|none given)?$/i;

function readDefault(cell: string, type: string): unknown {
  if (NOTHING.test(cell)) return undefined;
  const value = tryParseJson(cell);
  if (value === undefined) return cell;
  // A bare 5 for a string parameter is the text "5".
  return typeof value === "object" || !/str|enum/i.test(type) || typeof value === "string" ? value : cell;
}

const WORD = String.raw`[\w.:*/-]+`;
const PROSE = /\b(the|be|when|if|must|max|min|any|see|with|not|only|url|recommended)\b/i;

/** `a | b`, `a, b`, `a b`, `"1" "2"`, `16:9 9:16`, `1K or 2K`, after an optional "Options:". Prose gives none. */
function readChoices(cell: string, defaultValue: unknown): unknown[] | undefined {
  const clauses = cell
    .replace(/\([^)]*\)/g, " ")
    .split(";")
    .map((part) => part.trim());
  for (const clause of clauses) {
    const named = /^options?:/i.test(clause);
    const body = clause
      .replace(/^options?:/i, "")
      .replace(/\s*\.\.\.$/, "")
      .trim();
    if (PROSE.test(body)) continue;
    const quoted = [...body.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
    const bare = body.replace(/"[^"]*"/g, " ").match(new RegExp(WORD, "g")) ?? [];
    if (quoted.length > 0 && quoted.length + bare.length > 1) return [...quoted, ...bare];
    const parts = body.split(/\s*[|,]\s*|\s+or\s+/).filter(Boolean);
    const words = parts.length > 1 ? parts : body.split(/\s+/);
    if (!words.every((word) => new RegExp(`^${WORD}$`).test(word))) continue;
    const shapes = words.every((word) => /\d[:x*]\d/.test(word));
    const clear = named || parts.length > 1 || shapes || words.includes(String(defaultValue));
    if (clear && (words.length > 1 || named)) return typeof defaultValue === "number" ? words.map(Number) : words;
  }
  return undefined;
}

function readRange(cell: string): { min_value: number; max_value: number } | undefined {
  const number = String.raw`"?(-?\d+(?:\.\d+)?)"?`;
  const match =
    cell.match(new RegExp(`min:\\s*${number},?\\s*max:\\s*${number}`, "i")) ??
    cell.match(
      new RegExp(
        `^(?:recommended )?${number}\\s*(?:\\.\\.|–|-|to)\\s*${number}(?![\\w.]*(?:px|mb|s\\b|videos?\\b|images?\\b))`,
        "i",
      ),
    );
  const low = Number(match?.[1]);
  const high = Number(match?.[2]);
  return match && low < high ? { min_value: low, max_value: high } : undefined;
}

/** Options with labels written as `0.0 (Creative), 0.5 (Natural)`. */
function readLabelled(cell: string): { value: number; label: string }[] | undefined {
  const found = [...cell.matchAll(/(-?\d+(?:\.\d+)?)\s*\(([^)]+)\)/g)];
  return found.length > 1 ? found.map((match) => ({ value: Number(match[1]), label: match[2] ?? "" })) : undefined;
}

/** The constraints that a row's words clearly state, in the keys of a parameter array. */
function readLimits(name: string, type: string, limits: string, defaultValue: unknown): JsonRecord {
  if (/bool/i.test(type)) return {};
  if (/url|image|video|audio|array/i.test(`${type} ${mediaOfKey(name) ?? ""}`)) {
    const items = limits.match(/^(\d+)-(\d+) |^(?:<=|max) ?(\d+)(?! ?\w?b\b|px)/i);
    const most = Number(items?.[2] ?? items?.[3]);
    return /array/i.test(type) && most > 0
      ? { max_items: most, ...(items?.[1] ? { min_items: Number(items[1]) } : {}) }
      : {};
  }
  const step = limits.match(/step ([\d.]+)/)?.[1];
  const range = readRange(limits);
  if (range && /enum|str/i.test(type) && !/min:/i.test(limits) && range.max_value - range.min_value <= 60) {
    const length = range.max_value - range.min_value + 1;
    return { options: Array.from({ length }, (_, position) => String(range.min_value + position)) };
  }
  if (range) return { ...range, ...(step ? { step: Number(step) } : {}) };
  const longest = limits.match(/(?:max|<=|up to) ?([\d,]{3,})/i)?.[1];
  if (longest && /str/i.test(type)) return { max_length: Number(longest.replaceAll(",", "")) };
  const options = readLabelled(limits) ?? readChoices(limits, defaultValue);
  return options && !/^(prompt|text)$/.test(name) ? { options } : {};
}

/** The option that a default means: a cell's "0.5" is the number where the options are numbers. */
function asListed(value: unknown, options: unknown): unknown {
  const values = Array.isArray(options) ? options.map((option) => (isRecord(option) ? option.value : option)) : [];
  return values.includes(value) ? value : (values.find((option) => String(option) === String(value)) ?? value);
}

/**
 * A documentation table as a parameter array. Its constraints are prose: what is clear is read, the rest becomes help
 * text. Never throws.
 */
export function tableParameters(table: JsonRecord): { parameters: JsonRecord[]; notes: string[] } {
  const columns = (ownArray(table, "columns") ?? []).map((name) => String(name).toLowerCase());
  const column = (word: string, fallback: number) => {
    const found = columns.findIndex((name) => name.includes(word));
    return found < 0 ? fallback : found;
  };
  const [nameAt, typeAt, requiredAt] = [column("name", 0), column("type", 1), column("required", 2)];
  const [defaultAt, limitsAt] = [column("default", 3), column("constraint", 4)];
  const notes: string[] = [];
  const parameters: JsonRecord[] = [];
  for (const row of ownArray(table, "rows") ?? []) {
    if (!Array.isArray(row)) continue;
    const cell = (at: number) => (row[at] === undefined || row[at] === null ? "" : String(row[at]).trim());
    const name = String(row[nameAt] ?? "");
    if (/^\(.*\)$/.test(name.trim())) {
      notes.push(`A row of the table is a heading, not a parameter: ${visibleLine(cell(limitsAt))}`);
      continue;
    }
    const [type, limits] = [cell(typeAt), cell(limitsAt)];
    const read = readLimits(
      name.slice(0, LONGEST_READ),
      type.slice(0, LONGEST_READ),
      limits.slice(0, LONGEST_READ),
      readDefault(cell(defaultAt), type),
    );
    const defaultValue = asListed(readDefault(cell(defaultAt), type), read.options);
    parameters.push({
      name,
      type,
      required: cell(requiredAt),
      description: limits,
      ...(defaultValue === undefined ? {} : { default_value: defaultValue }),
      ...read,
    });
  }
  return { parameters, notes };
}
