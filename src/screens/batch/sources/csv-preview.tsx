import type { CsvColumn } from "#jobs/batch-rows/csv-runs.ts";
import type { PlannedRun } from "#jobs/batch-rows/expand-axes.ts";
import type { CsvTable } from "#jobs/batch-rows/read-csv.ts";
import { problemKeys } from "#jobs/batch-rows/row-problems.ts";
import type { ModelSchemas } from "#jobs/use-model-schemas.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Select } from "#ui/field.tsx";
import { axisLabel } from "./axis-edits.ts";

const MOST_ROWS = 8;

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
  return (
    // A table that scrolls sideways can be scrolled by keys, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section aria-label="Columns and first rows" tabIndex={0} className="overflow-x-auto rounded-md border border-line">
      <table className="w-full border-collapse text-[12.5px]">
        <thead>
          <tr>
            <th scope="col" className="border-line border-b bg-raised p-2 text-end align-top font-normal text-ink-3">
              Line
            </th>
            {table.header.map((name, at) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name
                key={at}
                scope="col"
                className="min-w-36 border-line border-b bg-raised p-2 text-start align-top font-normal"
              >
                <span className="mb-1 block max-w-48 truncate font-medium" title={visibleLine(name)}>
                  {visibleLine(name, 60) || `Column ${at + 1}`}
                </span>
                <Select
                  compact
                  aria-label={`${visibleLine(name, 60) || `Column ${at + 1}`} is`}
                  value={wordOf(columns[at])}
                  onChange={(event) => onColumn(at, columnOf(event.target.value))}
                >
                  <option value="ignored">Left out</option>
                  <option value="model">Model</option>
                  {[...labels].map(([key, label]) => (
                    <option key={key} value={`parameter ${key}`}>
                      {label}
                    </option>
                  ))}
                </Select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, MOST_ROWS).map((at) => {
            const run = runs[at];
            const wrong = run ? problemKeys(run, schemas) : new Set<string>();
            const isShown = columns.some((column) => column.kind === "parameter" && wrong.has(column.key));
            return (
              <tr key={at} className="border-line border-b last:border-b-0">
                <td className="px-2 py-1.5 text-end align-top text-ink-3 tabular-nums">{table.lines[at]}</td>
                {table.header.map((name, place) => {
                  const column = columns[place];
                  const isWrong = column?.kind === "parameter" && wrong.has(column.key);
                  // About no cell in particular, such as a model that is not known, or a file that is missing.
                  const isOfRow = place === rowPlace && !isShown && hasProblem(at);
                  return (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name
                      key={`${place} ${name}`}
                      className={`max-w-56 px-2 py-1.5 align-top ${column?.kind === "ignored" ? "text-ink-3" : ""} ${isWrong || isOfRow ? "bg-unconfirmed-soft" : ""}`}
                    >
                      <span className="block truncate" dir="auto">
                        {visibleLine(table.rows[at]?.[place] ?? "", 120)}
                      </span>
                      {(isWrong || isOfRow) && (
                        <span className="block text-[12px] text-unconfirmed">
                          {isWrong ? sentenceFor(problems[at] ?? [], labels.get(column.key)) : problems[at]?.[0]}
                        </span>
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {runs.length > MOST_ROWS && (
        <p className="m-0 px-2 py-1.5 text-[12.5px] text-ink-3 tabular-nums">
          {(runs.length - MOST_ROWS).toLocaleString("en-US")} more rows
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
