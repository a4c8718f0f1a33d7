import type { JobRequest } from "#api/types.ts";
import { csvText, withoutFormulaQuote } from "#lib/csv-cell.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
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
  /** For rows without a model of their own. */
  model: string;
  /** What every row is sent with beside its cells, by model; those of `model` for models without any. */
  settings?: Readonly<Record<string, JsonRecord>>;
  schemas: ModelSchemas;
}

/** Stands before the key of a parameter whose name means something else as the name of a column. */
const PARAMETER_PREFIX = "payload.";

/** Columns of our own file that say what became of a run: they are not read back. */
const RESULT_COLUMNS = ["Price (USD)", "Status", "Job ID", "Result"] as const;

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
const MODEL_NAMES = new Set(["model", "modelid", "modelname"]);
const OWN_NAMES: ReadonlySet<string> = new Set(RESULT_COLUMNS);
const RESULT_NAMES = new Set([...RESULT_COLUMNS.map(plain), "price", "requestid", "resulturl", "results", "group"]);

/** What people call a parameter, by what it is for. */
const ROLE_WORDS: Partial<Record<Role, string>> = {
  prompt: "prompt prompts text instruction description caption",
  "negative-prompt": "negative negativeprompt avoid",
  seed: "seed seeds",
  image: "image images picture photo imageurl inputimage firstframe startimage input inputs file url",
  video: "video clip videourl",
  audio: "audio sound audiourl",
  mask: "mask",
  count: "count number n images numberofimages",
  "aspect-ratio": "aspectratio aspect ratio format proportions",
  size: "size dimensions pixels",
  resolution: "resolution",
  duration: "duration seconds length",
};

/**
 * What each column most likely means: a parameter of the models by its key, its label or what it is for, whatever the case
 * and the spaces; the model; or nothing. No parameter is meant twice.
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
  const rest: [number, string][] = [];
  for (const [at, name] of header.entries()) {
    const word = plain(name);
    if (name.startsWith(PARAMETER_PREFIX)) take(at, name.slice(PARAMETER_PREFIX.length));
    else if (MODEL_NAMES.has(word)) {
      if (!hasModel) found.set(at, { kind: "model" });
      hasModel = true;
    } else if (OWN_NAMES.has(name.trim())) found.set(at, { kind: "ignored" });
    else if (byKey.has(name)) take(at, name);
    else if (byKey.has(name.trim())) take(at, name.trim());
    else if (word !== "") rest.push([at, name]);
  }
  const ways: ((word: string, field: Field) => boolean)[] = [
    (word, field) => plain(field.key) === word,
    (word, field) => plain(field.label) === word,
    (word, { role }) => role !== undefined && (ROLE_WORDS[role] ?? "").split(" ").includes(word),
  ];
  for (const [level, means] of ways.entries()) {
    for (const [at, name] of rest) {
      const word = plain(name);
      if (found.has(at) || (level > 0 && RESULT_NAMES.has(word))) continue;
      take(at, fields.find((field) => !taken.has(field.key) && means(word, field))?.key);
    }
  }
  return header.map((_, at): CsvColumn => found.get(at) ?? { kind: "ignored" });
}

/** The models that the rows name, to be loaded before `csvRuns`. */
export function csvModels(table: Pick<CsvTable, "rows">, columns: readonly CsvColumn[]): string[] {
  const at = columns.findIndex(({ kind }) => kind === "model");
  if (at < 0) return [];
  return [...new Set(table.rows.map((cells) => withoutFormulaQuote(cells[at] ?? "").trim()))].filter(Boolean);
}

/**
 * One run for each row, once the models are loaded. A value that is wrong stays in its run as it was typed, and the check of
 * the row names it; a parameter that another model of the file has and this one lacks is named in `unavailable`. An empty
 * cell is not sent, or as the settings have it.
 */
export function csvRuns(
  table: Pick<CsvTable, "header" | "rows">,
  columns: readonly CsvColumn[],
  target: CsvTarget,
): PlannedRun[] {
  const modelAt = columns.findIndex(({ kind }) => kind === "model");
  const cells = columns.flatMap((column, at) => (column.kind === "parameter" ? [{ at, key: column.key }] : []));
  const owners = new Map(cells.map(({ key }) => [key, ownerOf(key, target)]));
  const settings = new Map<string, JsonRecord>();
  const ids = new Map([...target.schemas.keys()].map((id) => [id.toLowerCase(), id]));
  return table.rows.map((row): PlannedRun => {
    const typed = modelAt < 0 ? "" : withoutFormulaQuote(row[modelAt] ?? "").trim();
    const model =
      typed === "" ? target.model : target.schemas.has(typed) ? typed : (ids.get(typed.toLowerCase()) ?? typed);
    if (!settings.has(model)) settings.set(model, settingsOf(model, target));
    const entries: JsonRecord[] = [settings.get(model) ?? {}];
    const unavailable: string[] = [];
    for (const { at, key } of cells) {
      const read = readFor(schemaOf(target, model), key, withoutFormulaQuote(row[at] ?? ""), owners.get(key));
      if (typeof read === "string") unavailable.push(read);
      else if (read) entries.push(read);
    }
    return { request: { model, payload: merged(entries) }, ...(unavailable.length > 0 ? { unavailable } : {}) };
  });
}

function schemaOf({ schemas }: Pick<CsvTarget, "schemas">, model: string): FormSchema | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema : undefined;
}

/** The form that a column's parameter is from: that of the rows' own model first. */
function ownerOf(key: string, target: CsvTarget): FormSchema | undefined {
  return [target.model, ...target.schemas.keys()]
    .map((model) => schemaOf(target, model))
    .find((schema) => findField(schema, key) !== undefined);
}

/** A cell as an entry of a payload, or what the model lacks, in words. Undefined: the cell is empty. */
function readFor(
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

function settingsOf(model: string, { settings = {}, schemas, model: first }: CsvTarget): JsonRecord {
  const [from, to] = [schemaOf({ schemas }, first), schemaOf({ schemas }, model)];
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
 * A table of runs as CSV (RFC 4180): the model, every parameter of the payloads, and what became of each run. `readCsv` and
 * `csvRuns` make the same runs of it. Prices are dollars without a sign.
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
      priceMicroUsd === undefined ? "" : formatMicroUsd(priceMicroUsd).replace(/[$,]/g, ""),
      status,
      requestId,
      results.join(" "),
    ];
  });
  return csvText([["Model", ...keys.map((key) => columnName(key, schemas)), ...RESULT_COLUMNS], ...cells]);
}

/** The key of a parameter, with a sign before it where it would be taken for something else. */
function columnName(key: string, schemas: ModelSchemas): string {
  const [meant] = matchColumns([key], schemas);
  const isClear = meant?.kind === "parameter" && meant.key === key && key === key.trim();
  return isClear && !/^[\s'=+\-@]/.test(key) ? key : `${PARAMETER_PREFIX}${key}`;
}
