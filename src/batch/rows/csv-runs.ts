import type { JobRequest } from "#api/types.ts";
import { csvText, isFormula, withoutFormulaQuote } from "#lib/csv-cell.ts";
import { type MicroUsd, plainDollars } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";
import { withStartingValues } from "#schema-form/form/field-values.ts";
import type { Field, FormSchema, Role } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { carryAxes, findField, labelled, merged } from "./carry-axes.ts";
import { exactCell, readCell } from "./cell-value.ts";
import type { PlannedRun } from "./group-runs.ts";
import type { CsvTable } from "./read-csv.ts";

/** What a column of a CSV means. */
export type CsvColumn = { kind: "parameter"; key: string } | { kind: "model" } | { kind: "ignored" };

interface CsvTarget {
  /** The model of rows that name none. */
  model: string;
  /** By model: what each row sends besides its cells. A model without an entry gets those of `model`, carried over. */
  settings?: Readonly<Record<string, JsonRecord>>;
  schemas: ModelSchemas;
}

/** Written before the key of a parameter that would mean something else as the name of a column. */
const PARAMETER_PREFIX = "payload.";

/** Columns of an exported file with the outcome of each run. They are ignored when it is read. */
const RESULT_COLUMNS = ["Price (USD)", "Status", "Job ID", "Result"] as const;

/** For comparing names: lower case, letters and digits alone. */
const simplify = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
const MODEL_NAMES = new Set(["model", "modelid", "modelname"]);
const OWN_NAMES: ReadonlySet<string> = new Set(RESULT_COLUMNS);
const RESULT_NAMES = new Set([...RESULT_COLUMNS.map(simplify), "price", "requestid", "resulturl", "results", "group"]);

/** The names that people give a parameter, by its role. */
const ROLE_WORDS: Partial<Record<Role, string>> = {
  prompt: "prompt|prompts|text|instruction|description|caption",
  "negative-prompt": "negative|negativeprompt|avoid",
  seed: "seed|seeds",
  image: "image|images|picture|photo|imageurl|inputimage|firstframe|startimage|input|inputs|file|url",
  video: "video|clip|videourl",
  audio: "audio|sound|audiourl",
  mask: "mask",
  count: "count|number|n|images|numberofimages",
  "aspect-ratio": "aspectratio|aspect|ratio|format|proportions",
  size: "size|dimensions|pixels",
  resolution: "resolution",
  duration: "duration|seconds|length",
};

/**
 * What each column most likely means: the model, a parameter (by its key, its label or its role, ignoring case and spaces), or
 * nothing. No parameter is matched twice. Exact names come first, then the looser ways, so that they cannot take its field.
 */
export function matchColumns(header: readonly string[], schemas: ModelSchemas): CsvColumn[] {
  const fields = [...schemas.values()].flatMap((known) => (known.state === "ready" ? known.schema.fields : []));
  const found = new Map<number, CsvColumn>();
  const taken = new Set<string>();
  let hasModel = false;
  const take = (at: number, key: string | undefined) => {
    if (key === undefined || taken.has(key)) return;
    taken.add(key);
    found.set(at, { kind: "parameter", key });
  };
  const byKey = new Set(fields.map(({ key }) => key));
  const unmatched: [number, string][] = [];
  for (const [at, name] of header.entries()) {
    const word = simplify(name);
    if (name.startsWith(PARAMETER_PREFIX)) take(at, name.slice(PARAMETER_PREFIX.length));
    else if (MODEL_NAMES.has(word)) {
      if (!hasModel) found.set(at, { kind: "model" });
      hasModel = true;
    } else if (OWN_NAMES.has(name.trim())) found.set(at, { kind: "ignored" });
    else if (byKey.has(name)) take(at, name);
    else if (byKey.has(name.trim())) take(at, name.trim());
    else if (word !== "") unmatched.push([at, name]);
  }
  const matchers: ((word: string, field: Field) => boolean)[] = [
    (word, field) => simplify(field.key) === word,
    (word, field) => simplify(field.label) === word,
    (word, { role }) => role !== undefined && (ROLE_WORDS[role] ?? "").split("|").includes(word),
  ];
  for (const [level, matches] of matchers.entries()) {
    for (const [at, name] of unmatched) {
      const word = simplify(name);
      if (found.has(at) || (level > 0 && RESULT_NAMES.has(word))) continue;
      take(at, fields.find((field) => !taken.has(field.key) && matches(word, field))?.key);
    }
  }
  return header.map((_, at): CsvColumn => found.get(at) ?? { kind: "ignored" });
}

/** The models that the rows name. Load their schemas before `csvRuns`. */
export function csvModels(table: Pick<CsvTable, "rows">, columns: readonly CsvColumn[]): string[] {
  const at = columns.findIndex(({ kind }) => kind === "model");
  if (at < 0) return [];
  return [...new Set(table.rows.map((cells) => withoutFormulaQuote(cells[at] ?? "").trim()))].filter(Boolean);
}

/**
 * One run for each row; the schemas of `csvModels` must be loaded. A wrong value stays in its run as it was typed, and the check
 * of the row reports it. A parameter that the row's model lacks, but another model of the file has, is in `unavailable`. An empty
 * cell leaves the value to the settings.
 */
export function csvRuns(
  table: Pick<CsvTable, "header" | "rows">,
  columns: readonly CsvColumn[],
  target: CsvTarget,
): PlannedRun[] {
  const modelAt = columns.findIndex(({ kind }) => kind === "model");
  const cells = columns.flatMap((column, at) => (column.kind === "parameter" ? [{ at, key: column.key }] : []));
  const owners = new Map(cells.map(({ key }) => [key, findOwner(key, target)]));
  const settings = new Map<string, JsonRecord>();
  const ids = new Map([...target.schemas.keys()].map((id) => [id.toLowerCase(), id]));
  return table.rows.map((row): PlannedRun => {
    const typed = modelAt < 0 ? "" : withoutFormulaQuote(row[modelAt] ?? "").trim();
    const model =
      typed === "" ? target.model : target.schemas.has(typed) ? typed : (ids.get(typed.toLowerCase()) ?? typed);
    if (!settings.has(model)) settings.set(model, getSettings(model, target));
    const entries: JsonRecord[] = [settings.get(model) ?? {}];
    const unavailable: string[] = [];
    for (const { at, key } of cells) {
      const read = readEntry(getReadySchema(target, model), key, withoutFormulaQuote(row[at] ?? ""), owners.get(key));
      if (typeof read === "string") unavailable.push(read);
      else if (read) entries.push(read);
    }
    return { request: { model, payload: merged(entries) }, ...(unavailable.length > 0 ? { unavailable } : {}) };
  });
}

function getReadySchema({ schemas }: Pick<CsvTarget, "schemas">, model: string): FormSchema | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema : undefined;
}

/** The first schema that has a parameter; that of `target.model` is asked first. */
function findOwner(key: string, target: CsvTarget): FormSchema | undefined {
  return [target.model, ...target.schemas.keys()]
    .map((model) => getReadySchema(target, model))
    .find((schema) => findField(schema, key) !== undefined);
}

/** A cell as an entry of a payload; a text: what the model lacks, in words; undefined: the cell is empty. */
function readEntry(
  schema: FormSchema | undefined,
  key: string,
  cell: string,
  owner: FormSchema | undefined,
): JsonRecord | string | undefined {
  const field = findField(schema, key);
  const isForeign = field === undefined && schema !== undefined && owner !== undefined;
  const value = readCell(isForeign ? findField(owner, key) : field, cell);
  if (value === undefined) return undefined;
  if (!isForeign) return Object.fromEntries([[key, value]]);
  const [choice] = carryAxes(owner, schema, [{ key, values: [value] }], {}).choices[0] ?? [];
  return choice?.unavailable ?? choice?.payload ?? labelled(owner, key, value);
}

function getSettings(model: string, { settings = {}, schemas, model: first }: CsvTarget): JsonRecord {
  const [from, to] = [getReadySchema({ schemas }, first), getReadySchema({ schemas }, model)];
  const base = Object.hasOwn(settings, first) ? (settings[first] ?? {}) : {};
  const carried = from && to ? carryAxes(from, to, [], base).settings : base;
  const own = Object.hasOwn(settings, model) ? (settings[model] ?? {}) : carried;
  // As in a form, required keys that have a default are sent with it.
  return to ? withStartingValues(to, own) : own;
}

export interface CsvRow {
  request: JobRequest;
  priceMicroUsd?: MicroUsd | undefined;
  status?: string | undefined;
  requestId?: string | undefined;
  /** Addresses of its files. */
  results?: readonly string[] | undefined;
}

/**
 * Runs as a CSV (RFC 4180): the model, every parameter of the payloads, and the outcome of each run. `readCsv` and `csvRuns` make
 * the same runs of it again. Prices are dollars without a sign.
 */
export function writeCsv(rows: readonly CsvRow[], schemas: ModelSchemas): string {
  const keys = [...new Set(rows.flatMap(({ request }) => Object.keys(request.payload)))];
  const cells = rows.map(({ request, priceMicroUsd, status = "", requestId = "", results = [] }) => {
    const known = schemas.get(request.model);
    const schema = known?.state === "ready" ? known.schema : undefined;
    return [
      request.model,
      ...keys.map((key) =>
        Object.hasOwn(request.payload, key) ? exactCell(request.payload[key], findField(schema, key)) : "",
      ),
      priceMicroUsd === undefined ? "" : plainDollars(priceMicroUsd),
      status,
      requestId,
      results.join(" "),
    ];
  });
  return csvText([["Model", ...keys.map((key) => columnName(key, schemas)), ...RESULT_COLUMNS], ...cells]);
}

/** The key of a parameter, with `PARAMETER_PREFIX` where it would mean something else as the name of a column. */
function columnName(key: string, schemas: ModelSchemas): string {
  const [match] = matchColumns([key], schemas);
  const isClear = match?.kind === "parameter" && match.key === key && key === key.trim();
  return isClear && !/^[\s'"]/.test(key) && !isFormula(key) ? key : `${PARAMETER_PREFIX}${key}`;
}
