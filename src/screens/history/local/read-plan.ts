import { isRecord } from "#lib/json.ts";

/** A stretch of time of which the jobs are not all known. Unix seconds; both ends are asked for. */
export interface Gap {
  /** Undefined: up to now. */
  before: number | undefined;
  /** Undefined: back to the first job. */
  after: number | undefined;
}

/** How far the index has read: what is still missing. `offset` counts only where records carry no times. */
export interface ReadPlan {
  gaps: Gap[];
  /** Where records carry no times: how many jobs were read from the newest on. */
  offset: number;
  isUntimed: boolean;
  /** The newest job at the last reading from now on: everything newer is not known to be complete. */
  newestSeconds: number | undefined;
}

export const NOTHING_READ: ReadPlan = {
  gaps: [{ before: undefined, after: undefined }],
  offset: 0,
  isUntimed: false,
  newestSeconds: undefined,
};

/** Clocks and commits of a service need not agree to the second. */
const OVERLAP_SECONDS = 60;

/** The plan of a new visit: what came since the last reading is a gap, before all others. */
export function planOfVisit(plan: ReadPlan): ReadPlan {
  const { newestSeconds } = plan;
  if (plan.isUntimed || newestSeconds === undefined) return { ...NOTHING_READ };
  const [first] = plan.gaps;
  // Nothing below the newest was read yet: the one gap from now on covers it.
  if (first && first.before === undefined) return plan;
  return { ...plan, gaps: [{ before: undefined, after: newestSeconds - OVERLAP_SECONDS }, ...plan.gaps] };
}

/** What a page told, for the plan. */
export interface ReadPage {
  /** Times of its jobs as far as they carry any. */
  seconds: number[];
  count: number;
  limit: number;
  /** Jobs that were not known before. */
  fresh: number;
}

/** The plan after a page of its first gap, newest first. */
export function planAfterPage(plan: ReadPlan, page: ReadPage): ReadPlan {
  const [gap, ...rest] = plan.gaps;
  if (!gap) return plan;
  const isShort = page.count < page.limit;
  if (page.seconds.length < page.count || plan.isUntimed) {
    // Offsets drift downwards when jobs arrive, so the next page may repeat some and misses none.
    return { ...plan, gaps: isShort ? [] : [gap], offset: plan.offset + page.count, isUntimed: true };
  }
  const newest = gap.before === undefined && page.count > 0 ? Math.max(...page.seconds) : undefined;
  const after = { ...plan, newestSeconds: newest ?? plan.newestSeconds };
  if (isShort) return { ...after, gaps: rest };
  const oldest = Math.min(...page.seconds);
  // The bound may be meant with or without its own second: one more covers both.
  const before = oldest + 1;
  if (gap.after !== undefined && before <= gap.after) return { ...after, gaps: rest };
  // More jobs in one second than a page holds: the same bound again would ask for ever.
  const isStuck = before === gap.before && page.fresh === 0;
  return { ...after, gaps: [{ ...gap, before: isStuck ? oldest : before }, ...rest] };
}

/** Whether every job is known, as of the last page. */
export function isComplete(plan: ReadPlan): boolean {
  return plan.gaps.length === 0;
}

/** A plan read back from the database: untrusted. */
export function readPlan(raw: unknown): ReadPlan | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { gaps, offset, isUntimed, newestSeconds } = raw as Partial<ReadPlan>;
  if (!Array.isArray(gaps) || typeof offset !== "number" || typeof isUntimed !== "boolean" || !isBound(newestSeconds)) {
    return undefined;
  }
  const known = gaps.filter((gap) => isRecord(gap) && isBound(gap.before) && isBound(gap.after));
  if (known.length < gaps.length) return undefined;
  return { gaps: known.map(({ before, after }) => ({ before, after })), offset, isUntimed, newestSeconds };
}

function isBound(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}
