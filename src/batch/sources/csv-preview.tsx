import { clsx } from "clsx";
import type { CsvColumn } from "#batch/rows/csv-runs.ts";
import type { PlannedRun } from "#batch/rows/expand-axes.ts";
import type { CsvTable } from "#batch/rows/read-csv.ts";
import { problemKeys } from "#batch/rows/row-problems.ts";
import { visibleLine } from "#lib/visible-text.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { Select } from "#ui/field.tsx";
import { Table, type TableColumn } from "#ui/table.tsx";
import { axisLabel } from "./axis-edits.ts";

const MAX_ROWS = 8;

interface CsvPreviewProps {
  table: CsvTable;
  columns: readonly CsvColumn[];
  runs: readonly PlannedRun[];
  problems: readonly (readonly string[])[];
  schemas: ModelSchemas;
  onColumn: (at: number, column: CsvColumn) => void;
}

/** What each column means, and the first rows, those with errors before the others. */
export function CsvPreview({ table, columns, runs, problems, schemas, onColumn }: CsvPreviewProps) {
  const labels = parameterLabels(schemas);
  const rowPlace = Math.max(
    0,
    columns.findIndex(({ kind }) => kind === "model"),
  );
  const order = runs.map((_, at) => at).toSorted((a, b) => Number(hasProblem(b)) - Number(hasProblem(a)) || a - b);
  function hasProblem(at: number): boolean {
    return (problems[at]?.length ?? 0) > 0;
  }
  const line: TableColumn<number> = {
    name: "Line",
    isNumeric: true,
    className: "w-10",
    cellClass: () => "text-ink-3",
    cell: (at) => table.lines[at],
  };
  const shown = order.slice(0, MAX_ROWS);
  const wrongKeys = new Map(shown.map((at) => [at, runs[at] && problemKeys(runs[at], schemas)]));
  /** Why a cell is marked; undefined where it is not. */
  function problemIn(place: number, at: number): string | undefined {
    const wrong = wrongKeys.get(at) ?? new Set<string>();
    const column = columns[place];
    if (column?.kind === "parameter" && wrong.has(column.key)) {
      return sentenceFor(problems[at] ?? [], labels.get(column.key));
    }
    // About no cell in particular, such as a model that is not known, or a file that is missing.
    const isShown = columns.some((one) => one.kind === "parameter" && wrong.has(one.key));
    return place === rowPlace && !isShown ? problems[at]?.[0] : undefined;
  }
  const fields = table.header.map((text, place): TableColumn<number> => {
    const name = visibleLine(text, 60) || `Column ${place + 1}`;
    return {
      key: `${place}`,
      name,
      head: (
        <>
          <span className="mb-1 block max-w-48 truncate font-medium text-ink" title={visibleLine(text)}>
            {name}
          </span>
          <Select
            compact
            aria-label={`${name} is`}
            value={wordOf(columns[place])}
            onChange={(event) => onColumn(place, columnOf(event.target.value))}
          >
            <option value="ignored">Left out</option>
            <option value="model">Model</option>
            {[...labels].map(([key, label]) => (
              <option key={key} value={`parameter ${key}`}>
                {label}
              </option>
            ))}
          </Select>
        </>
      ),
      className: "min-w-36 max-w-56",
      cellClass: (at) =>
        clsx(
          columns[place]?.kind === "ignored" && "text-ink-3",
          problemIn(place, at) !== undefined && "bg-unconfirmed-soft",
        ),
      cell: (at) => {
        const problem = problemIn(place, at);
        return (
          <>
            <span className="block truncate" dir="auto">
              {visibleLine(table.rows[at]?.[place] ?? "", 120)}
            </span>
            {problem !== undefined && <span className="block text-[12px] text-unconfirmed">{problem}</span>}
          </>
        );
      },
    };
  });
  return (
    <section
      aria-label="Columns and first rows"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways can be scrolled by keys, too
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line px-2"
    >
      <Table columns={[line, ...fields]} rows={shown} keyOf={(at) => at} />
      {runs.length > MAX_ROWS && (
        <p className="m-0 py-1.5 text-[12.5px] text-ink-3 tabular-nums">
          {(runs.length - MAX_ROWS).toLocaleString("en-US")} more rows
        </p>
      )}
    </section>
  );
}

/** The labels of all parameters of the models, those of the first model first. */
function parameterLabels(schemas: ModelSchemas): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const known of schemas.values()) {
    if (known.state !== "ready") continue;
    for (const field of known.schema.fields) {
      if (!labels.has(field.key)) labels.set(field.key, axisLabel(field, field.key));
    }
  }
  return labels;
}

/** Of the sentences about a row the one about this parameter, else the first. */
const sentenceFor = (sentences: readonly string[], label: string | undefined): string =>
  sentences.find((sentence) => label !== undefined && sentence.startsWith(label)) ?? sentences[0] ?? "";

const wordOf = (column: CsvColumn | undefined): string =>
  column?.kind === "parameter" ? `parameter ${column.key}` : (column?.kind ?? "ignored");

const columnOf = (word: string): CsvColumn =>
  word === "ignored" || word === "model" ? { kind: word } : { kind: "parameter", key: word.slice("parameter ".length) };
