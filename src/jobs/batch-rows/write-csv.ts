import type { JobRequest } from "#api/types.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { ModelSchemas } from "../use-model-schemas.ts";

export interface CsvRow {
  request: JobRequest;
  priceMicroUsd?: MicroUsd | undefined;
  status?: string | undefined;
  requestId?: string | undefined;
  /** Addresses of its files. */
  results?: readonly string[] | undefined;
}

/** A table of runs as CSV (RFC 4180), which `readCsv` and `csvRuns` read back. Never throws. */
export function writeCsv(_rows: readonly CsvRow[], _schemas: ModelSchemas): string {
  return "";
}
