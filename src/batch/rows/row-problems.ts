import { RefusedError } from "#api/api-error.ts";
import { explainError } from "#api/explain-error.ts";
import { getConnection } from "#connection/connection-store.ts";
import { findKey } from "#connection/find-key.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { getDeletedMedia, isFileDeleted } from "#media/deleted-media.ts";
import { checkPayload } from "#schema-form/check/check-payload.ts";
import { deletedFileProblems } from "#schema-form/check/deleted-files.ts";
import type { Problem } from "#schema-form/check/problems.ts";
import { textProblems } from "#schema-form/check/text-problems.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchema, ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchItem } from "#storage/stored-batches.ts";
import { MODEL_NOT_AVAILABLE } from "./carry-axes.ts";

type Row = Pick<BatchItem, "request" | "unavailable">;

interface RowFindings {
  /** Sentences. */
  texts: readonly string[];
  /** Keys of the wrong parameters. */
  keys: ReadonlySet<string>;
}

/** What was found in a row, and everything that it depends on besides the row. */
interface Checked extends RowFindings {
  known: ModelSchema | undefined;
  deleted: object;
  accountId: string;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const checked = new WeakMap<object, Checked>();

/**
 * Why a row must not be run, in sentences; none while the parameters of its model load. The answer is remembered for each row
 * object, so this may be called with every render.
 */
export function rowProblems(item: Row, schemas: ModelSchemas): readonly string[] {
  return getFindings(item, schemas).texts;
}

/** The keys of the parameters that are wrong in a row. */
export function problemKeys(item: Row, schemas: ModelSchemas): ReadonlySet<string> {
  return getFindings(item, schemas).keys;
}

function getFindings(item: Row, schemas: ModelSchemas): RowFindings {
  const known = schemas.get(item.request.model);
  const accountId = getConnection()?.accountId ?? "";
  const deleted = getDeletedMedia(accountId);
  const earlier = checked.get(item);
  if (earlier && earlier.known === known && earlier.deleted === deleted && earlier.accountId === accountId) {
    return earlier;
  }
  const found = check(item, known);
  // A person may allow a text that only looks like a key, which changes neither the row nor the schema.
  if (!found.mayPass) checked.set(item, { ...found, known, deleted, accountId });
  return found;
}

/** `mayPass`: the row must be checked again, because its problem can end without a change of the row. */
type Check = RowFindings & { mayPass: boolean };

function check({ request, unavailable = [] }: Row, known: ModelSchema | undefined): Check {
  const name = visibleLine(request.model, 80);
  const missing = unavailable.map((label) => `Not available in ${name}: ${visibleLine(label, 100)}.`);
  if (known?.state !== "ready") {
    const texts = known?.state === "failed" ? [...missing, failure(name, known.error)] : missing;
    return { texts, keys: NO_KEYS, mayPass: false };
  }
  const { schema } = known;
  const finding = findKey(request.payload);
  const problems: Problem[] = [
    ...checkPayload(schema, request.payload),
    ...deletedFileProblems(schema, request.payload, isFileDeleted),
    ...(finding === undefined ? [] : keyProblems(schema, request.payload)),
  ];
  const keys = new Set(problems.flatMap(({ path: [key] }) => (key === undefined ? [] : [String(key)])));
  const texts = [...new Set([...missing, ...problems.map(({ message }) => message)])];
  return { texts, keys, mayPass: finding?.kind === "similar" };
}

function keyProblems(schema: FormSchema, payload: JsonRecord): Problem[] {
  const test = (value: unknown): string | undefined => {
    const finding = findKey(value);
    if (finding === undefined) return undefined;
    if (finding.kind === "own") return "contains your API key. Remove it.";
    return `may contain an API key (${finding.found.slice(0, 6)}…). Remove it, or allow it if it isn’t one.`;
  };
  return textProblems(schema, payload, test).map((problem) => ({
    ...problem,
    message: `${visibleLine(problem.label, 60)} ${problem.message}`,
  }));
}

function failure(name: string, error: Error): string {
  if (error instanceof RefusedError && error.status === 404) return `${MODEL_NOT_AVAILABLE}: ${name}.`;
  return `Couldn’t load the parameters of ${name}: ${explainError(error, "read").body}`;
}
