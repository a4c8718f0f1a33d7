import { ownNamed } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, tryParseJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { mediaOfKey } from "./roles.ts";

/** A documentation table: the names of its columns, and rows of cells in their order. */
interface Table {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
}

const KNOWN_COLUMN =
  /name|param|argument|field|property|type|required|mandatory|default|constraint|limit|range|descri|min|max|option|value|label|title|help|step/;

const COLUMNS = ["columns", "headers", "header", "cols"];
const ROWS = ["rows", "data", "items", "values", "records", "body"];

/** All names of a column: the key of its cells where rows are objects, and its titles. */
function columnNames(column: unknown): string[] {
  if (!isRecord(column)) return [String(column)];
  const names = ["key", "field", "id", "name", "data_index", "label", "title", "header"];
  return names.map((name) => ownNamed(column, name)).filter((name) => typeof name === "string");
}

/**
 * A value as a documentation table: columns beside rows of cells or of objects, or rows whose first one names the
 * columns. Undefined where it is not a table.
 */
export function asTable(raw: unknown): Table | undefined {
  // A list of rows, the first of which names the columns.
  if (Array.isArray(raw)) {
    const [first, ...rows] = raw;
    const isHead = Array.isArray(first) && first.length > 1 && first.every((name) => typeof name === "string");
    const isNamed =
      isHead && /\bname\b|param|argument|\bkey\b|field/i.test(first.join(" ")) && /type/i.test(first.join(" "));
    return isNamed && rows.length > 0 && rows.every(Array.isArray) ? { columns: first, rows } : undefined;
  }
  if (!isRecord(raw)) return undefined;
  // A list for each column: `{name: […], type: […]}`.
  const [head = "", first] = Object.entries(raw).find(([key]) => /^(name|key|param(eter)?)s?$/i.test(key)) ?? [];
  if (Array.isArray(first) && first.length > 1 && Object.keys(raw).some((key) => /^types?$/i.test(key))) {
    const columns = [head, ...Object.keys(raw).filter((key) => key !== head)].slice(0, 50);
    const lists = columns.map((name) => raw[name]);
    const isWhole = lists.every((list) => Array.isArray(list) && list.length === first.length);
    if (isWhole) return { columns, rows: first.map((_, row) => lists.map((list) => (list as unknown[])[row])) };
  }
  // Names of columns under `fields`, beside rows of cells.
  const fields = raw.fields;
  if (Array.isArray(fields) && fields.every((name) => typeof name === "string") && fields.length > 1) {
    const rows = ROWS.map((name) => ownNamed(raw, name)).find(Array.isArray);
    if (rows?.every((row) => Array.isArray(row) && row.length === fields.length)) return { columns: fields, rows };
  }
  // Columns beside rows of cells or of objects.
  const columns = COLUMNS.map((name) => ownNamed(raw, name))
    .find(Array.isArray)
    ?.slice(0, 50);
  const rows = ROWS.map((name) => ownNamed(raw, name)).find(Array.isArray);
  if (!columns || !rows || columns.length === 0) return undefined;
  const names = columns.map(columnNames);
  // A title may be in any language: then the key is clearer.
  const titles = names.map(
    (given) => given.findLast((name) => KNOWN_COLUMN.test(name.toLowerCase())) ?? given[0] ?? "",
  );
  if (rows.every(Array.isArray)) return { columns: titles, rows };
  if (!rows.every(isRecord)) return undefined;
  const cells = (row: JsonRecord) =>
    names.map((given) => given.map((name) => ownNamed(row, name)).find((cell) => cell !== undefined));
  return { columns: titles, rows: rows.map(cells) };
}

/** Characters of a cell that are searched for limits: what is longer is prose, and would make some patterns slow. */
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
    const isNamed = /^options?:/i.test(clause);
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
    const areShapes = words.every((word) => /\d[:x*]\d/.test(word));
    const isClear = isNamed || parts.length > 1 || areShapes || words.includes(String(defaultValue));
    if (isClear && (words.length > 1 || isNamed)) return typeof defaultValue === "number" ? words.map(Number) : words;
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

/** A longer range is not turned into options. */
const MAX_RANGE_OPTIONS = 60;

/** Options with labels written as `0.0 (Creative), 0.5 (Natural)`. */
function readLabelled(cell: string): { value: number; label: string }[] | undefined {
  const found = [...cell.matchAll(/(-?\d+(?:\.\d+)?)\s*\(([^)]+)\)/g)];
  return found.length > 1 ? found.map((match) => ({ value: Number(match[1]), label: match[2] ?? "" })) : undefined;
}

/** The constraints that a row's words clearly state, under the keys that `parameters.ts` reads. */
function readLimits(name: string, type: string, limits: string, defaultValue: unknown): JsonRecord {
  if (/bool/i.test(type)) return {};
  if (/url|image|video|audio|array/i.test(`${type} ${mediaOfKey(name) ?? ""}`)) {
    const items = limits.match(/^(\d+)-(\d+) |^(?:<=|max) ?(\d+)(?! ?\w?b\b|px)/i);
    const max = Number(items?.[2] ?? items?.[3]);
    return /array/i.test(type) && max > 0
      ? { max_items: max, ...(items?.[1] ? { min_items: Number(items[1]) } : {}) }
      : {};
  }
  const step = limits.match(/step ([\d.]+)/)?.[1];
  const range = readRange(limits);
  // A short range of a text or an enum: each of its numbers is an option.
  if (
    range &&
    /enum|str/i.test(type) &&
    !/min:/i.test(limits) &&
    range.max_value - range.min_value <= MAX_RANGE_OPTIONS
  ) {
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
function matchOption(value: unknown, options: unknown): unknown {
  const values = Array.isArray(options) ? options.map((option) => (isRecord(option) ? option.value : option)) : [];
  return values.includes(value) ? value : (values.find((option) => String(option) === String(value)) ?? value);
}

/** Columns that need no reading: a cell of each is a word of the parameter, under this key. */
const PLAIN_COLUMNS: readonly [RegExp, string][] = [
  [/^(options|choices|enum|enum values|allowed values|allowed|values)$/, "options"],
  [/^(min|minimum|min value)$/, "min_value"],
  [/^(max|maximum|max value)$/, "max_value"],
  [/^step$/, "step"],
  [/^(label|title|display name)$/, "display_name"],
];

/**
 * A documentation table as a parameter array. Its constraints are prose: what is clear is read, the rest becomes help
 * text.
 */
export function tableParameters(table: Table): { parameters: JsonRecord[]; notes: string[] } {
  const columns = table.columns.map((name) => name.toLowerCase().replace(/[_-]+/g, " ").trim());
  const column = (words: RegExp, fallback: number) => {
    const found = columns.findIndex((name) => words.test(name));
    // A table that names this column nowhere has it in its usual place, unless that place is named otherwise.
    return found < 0 && !KNOWN_COLUMN.test(columns[fallback] ?? "") ? fallback : found;
  };
  const nameAt = column(
    /^(parameter|param|argument|field|key|property)?\s?name\b|^(parameter|param|argument|field|key|property)\b/,
    0,
  );
  const [typeAt, requiredAt] = [column(/type/, 1), column(/required|mandatory/, 2)];
  const [defaultAt, limitsAt] = [column(/default/, 3), column(/constraint|limit|range|notes/, 4)];
  const helpAt = column(/descri|help|detail|meaning/, -1);
  const plain = columns.flatMap((name, at) => {
    const key = PLAIN_COLUMNS.find(([words]) => words.test(name))?.[1];
    return key === undefined || at === nameAt ? [] : [[at, key] as const];
  });
  const notes: string[] = [];
  const parameters: JsonRecord[] = [];
  for (const row of table.rows) {
    const cell = (at: number) => textOf(row[at]);
    const name = String(row[nameAt] ?? "");
    const help = [cell(helpAt), cell(limitsAt)].filter(Boolean).join(" ");
    if (/^\(.*\)$/.test(name.trim())) {
      notes.push(`A table row is a heading, not a parameter: ${visibleLine(help)}`);
      continue;
    }
    if (name.trim() === "") continue;
    const type = cell(typeAt);
    const read = readLimits(
      name.slice(0, LONGEST_READ),
      type.slice(0, LONGEST_READ),
      cell(limitsAt).slice(0, LONGEST_READ),
      readDefault(cell(defaultAt), type),
    );
    for (const [at, key] of plain) if (row[at] !== null && cell(at) !== "") read[key] = row[at];
    const given = row[defaultAt];
    const isWords = given === undefined || given === null || typeof given === "string";
    const defaultValue = matchOption(isWords ? readDefault(cell(defaultAt), type) : given, read.options);
    parameters.push({
      name,
      type,
      required: cell(requiredAt),
      description: help,
      ...(defaultValue === undefined ? {} : { default_value: defaultValue }),
      ...read,
    });
  }
  return { parameters, notes };
}

function textOf(cell: unknown): string {
  if (cell === undefined || cell === null) return "";
  return typeof cell === "object" ? JSON.stringify(cell).slice(0, LONGEST_READ) : String(cell).trim();
}
