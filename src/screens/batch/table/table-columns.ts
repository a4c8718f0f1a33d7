import type { BatchItem } from "#jobs/stored-batches.ts";
import type { ModelSchemas } from "#jobs/use-model-schemas.ts";
import { sameJson } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { Field } from "#schema-form/read/field.ts";

/** A column of the table. Those of parameters are named by the parameter's key. */
export type TableColumn =
  | { kind: "number" | "status" | "model" | "prompt" | "price" | "result"; label: string; width: string }
  | { kind: "parameter"; key: string; label: string; width: string };

const MOST_PARAMETERS = 5;
const FIRST: TableColumn[] = [
  { kind: "number", label: "#", width: "48px" },
  { kind: "status", label: "Status", width: "156px" },
  { kind: "model", label: "Model", width: "minmax(92px,116px)" },
  { kind: "prompt", label: "Prompt", width: "minmax(200px,1fr)" },
];
const LAST: TableColumn[] = [
  { kind: "price", label: "Price", width: "72px" },
  { kind: "result", label: "Result", width: "minmax(132px,156px)" },
];

/** The field of a row's parameter; undefined while the parameters load, and for a key that the model does not list. */
export function fieldOf(schemas: ModelSchemas, model: string, key: string): Field | undefined {
  const known = schemas.get(model);
  return known?.state === "ready" ? known.schema.fields.find((field) => field.key === key) : undefined;
}

const NAMES = ["prompt", "text", "instruction", "lyrics", "input"];

/** The parameter that holds the words of a row. */
export function promptKeyOf(schemas: ModelSchemas, { request }: Pick<BatchItem, "request">): string | undefined {
  const known = schemas.get(request.model);
  const field = known?.state === "ready" ? known.schema.fields.find(({ role }) => role === "prompt") : undefined;
  return field?.key ?? NAMES.find((name) => Object.hasOwn(request.payload, name));
}

/**
 * The columns of a table: besides those that every table has, the parameters that rows set, those first whose values differ
 * most. The others are in the form of each row. On a phone prompt and price come first: the rest is scrolled to. Never throws.
 */
export function tableColumns(items: readonly BatchItem[], schemas: ModelSchemas, isPhone = false): TableColumn[] {
  const found = new Map<string, { label: string; values: unknown[]; count: number }>();
  const prompts = new Map<string, string | undefined>();
  for (const item of items) {
    const { model, payload } = item.request;
    if (!prompts.has(model)) prompts.set(model, promptKeyOf(schemas, item));
    const prompt = prompts.get(model);
    for (const [key, value] of Object.entries(payload)) {
      if (key === prompt) continue;
      const known = found.get(key);
      if (!known) {
        const label = visibleLine(fieldOf(schemas, model, key)?.label ?? key, 40);
        found.set(key, { label, values: [value], count: 1 });
        continue;
      }
      known.count += 1;
      const isNew = known.values.length < MOST_VALUES && !known.values.some((one) => sameJson(one, value));
      if (isNew) known.values.push(value);
    }
  }
  const parameters = [...found]
    .map(([key, { label, values, count }]) => ({ key, label, differs: values.length > 1, count }))
    .sort((a, b) => Number(b.differs) - Number(a.differs) || b.count - a.count)
    .slice(0, MOST_PARAMETERS)
    .map(({ key, label }): TableColumn => ({ kind: "parameter", key, label, width: "minmax(72px,96px)" }));
  const columns = [...FIRST, ...parameters, ...LAST];
  return isPhone ? columns.sort((a, b) => phonePlace(a) - phonePlace(b)) : columns;
}

const PHONE_ORDER: readonly TableColumn["kind"][] = [
  "number",
  "prompt",
  "price",
  "status",
  "model",
  "parameter",
  "result",
];
const phonePlace = ({ kind }: TableColumn) => PHONE_ORDER.indexOf(kind);

/** Two are enough to know that they differ; a few more tell how. */
const MOST_VALUES = 4;

/** The name of a column, for addresses of cells. Never throws. */
export const columnName = (column: TableColumn) => (column.kind === "parameter" ? `p:${column.key}` : column.kind);
