import { isRecord } from "#lib/json.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import { readJob } from "./read-job.ts";
import type { Job, JobPage } from "./types.ts";

const LIST_KEYS = ["requests", "data", "items", "jobs"];

/**
 * Reads the job list (spec 4.1 rule 5: body not shown): `{requests, total}`, or the list under another common name, or
 * bare. The list may be null where it is empty. An object that shows no sign of being a list is an
 * `UnreadableAnswerError`, so that a stranger's page is never taken for "no jobs". Records without an id are left out.
 */
export function readJobPage(raw: unknown): JobPage {
  if (Array.isArray(raw)) return { jobs: readJobs(raw), total: undefined };
  if (raw === null) return { jobs: [], total: undefined };
  if (isRecord(raw)) {
    const total = totalOf(raw.total);
    for (const key of LIST_KEYS) {
      const list = raw[key];
      if (Array.isArray(list)) return { jobs: readJobs(list), total };
    }
    const saysEmpty =
      LIST_KEYS.some((key) => raw[key] === null) || total !== undefined || Object.keys(raw).length === 0;
    if (saysEmpty) return { jobs: [], total };
  }
  const excerpt = JSON.stringify(raw) ?? "";
  throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The answer is not a list of jobs." });
}

function readJobs(list: unknown[]): Job[] {
  const jobs = new Map<string, Job>();
  for (const entry of list) {
    const job = tryReadJob(entry);
    if (job !== undefined && !jobs.has(job.requestId)) jobs.set(job.requestId, job);
  }
  return [...jobs.values()];
}

function tryReadJob(entry: unknown): Job | undefined {
  try {
    return readJob(entry);
  } catch {
    return undefined;
  }
}

function totalOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
