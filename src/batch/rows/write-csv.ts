import type { JobRequest } from "#api/types.ts";
import { csvText } from "#lib/csv-cell.ts";
import { formatMicroUsd, type MicroUsd } from "#lib/money.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import { fieldOf } from "./carry-axes.ts";
import { exactCell } from "./cell-value.ts";
import { matchColumns, PARAMETER_PREFIX, RESULT_COLUMNS } from "./csv-runs.ts";

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
        Object.hasOwn(request.payload, key) ? exactCell(request.payload[key], fieldOf(schema, key)) : "",
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
