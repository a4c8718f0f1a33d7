import type { JobFilter } from "#sandbox/job-store.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";

const DEFAULT_LIMIT = 20;
const MAXIMUM_LIMIT = 1000;

export interface ListQuery {
  filter: JobFilter;
  limit: number;
  /** In records: "page offset" in the specification leaves the unit open. */
  offset: number;
}

/** Reads the query parameters of spec 4.1. Throws 400 that names the wrong one; unknown parameters are ignored. */
export function readListQuery(query: URLSearchParams): ListQuery {
  const modelId = query.get("model_id");
  const modelTypes = readWords(query, "model_type");
  const statuses = readWords(query, "status");
  const createdAfter = readWhole(query, "created_after", 0);
  const createdBefore = readWhole(query, "created_before", 0);
  const limit = readWhole(query, "limit", 1) ?? DEFAULT_LIMIT;
  if (limit > MAXIMUM_LIMIT) throw badRequest(`limit must be at most ${MAXIMUM_LIMIT}`);
  return {
    filter: {
      ...(modelId === null || modelId === "" ? {} : { modelId }),
      ...(modelTypes === undefined ? {} : { modelTypes }),
      ...(statuses === undefined ? {} : { statuses }),
      ...(createdAfter === undefined ? {} : { createdAfter }),
      ...(createdBefore === undefined ? {} : { createdBefore }),
    },
    limit,
    offset: readWhole(query, "offset", 0) ?? 0,
  };
}

/** A comma-separated list; an empty one filters nothing. */
function readWords(query: URLSearchParams, name: string): string[] | undefined {
  const words = (query.get(name) ?? "").split(",").map((word) => word.trim());
  const given = words.filter((word) => word !== "");
  return given.length === 0 ? undefined : given;
}

function readWhole(query: URLSearchParams, name: string, least: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") return undefined;
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw badRequest(`${name} must be an integer`);
  if (value < least) throw badRequest(`${name} must be at least ${least}`);
  return value;
}
