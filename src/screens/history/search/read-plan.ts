import { isRecord } from "#lib/read.ts";

/** A stretch of time of which the jobs are not all known. Unix seconds; both ends are asked for. */
interface Gap {
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
  /** Where reading ended on purpose: jobs before it are left to the service's own list. Absent: nowhere. */
  fromSeconds?: number;
  /** Where records carry no times: all was read before, so the first page without anything new ends the reading. */
  isKnownBelow?: true;
}

export const NOTHING_READ: ReadPlan = {
  gaps: [{ before: undefined, after: undefined }],
  offset: 0,
  isUntimed: false,
  newestSeconds: undefined,
};

/** The service's clock and its commits may differ by some seconds. */
const OVERLAP_SECONDS = 60;

/**
 * The plan of a new visit: what came since the last reading is a gap, before all others. `unsettledSeconds`: when the
 * oldest job was made whose end is not known yet, so that it is read again.
 */
export function planOfVisit(plan: ReadPlan, unsettledSeconds = Number.POSITIVE_INFINITY): ReadPlan {
  const { newestSeconds, fromSeconds } = plan;
  if (plan.isUntimed) {
    const wasRead = isComplete(plan) || plan.isKnownBelow === true;
    return {
      ...NOTHING_READ,
      ...(wasRead ? { isKnownBelow: true } : {}),
      ...(fromSeconds === undefined ? {} : { fromSeconds }),
    };
  }
  if (newestSeconds === undefined) return { ...NOTHING_READ };
  const [first] = plan.gaps;
  // Nothing below the newest was read yet: the one gap from now on covers it.
  if (first && first.before === undefined) return plan;
  const after = Math.min(newestSeconds, unsettledSeconds) - OVERLAP_SECONDS;
  return { ...plan, gaps: [{ before: undefined, after }, ...plan.gaps] };
}

/** What the plan needs of a page. */
export interface ReadPage {
  /** Times of its jobs as far as they carry any. */
  seconds: number[];
  count: number;
  /** No more jobs of the gap follow. */
  isLast: boolean;
  /** Jobs that were not known before. */
  fresh: number;
}

/** The plan after a page of its first gap, newest first. */
export function planAfterPage(plan: ReadPlan, page: ReadPage): ReadPlan {
  const [gap, ...rest] = plan.gaps;
  if (!gap) return plan;
  // Nothing new, and newer than what was asked for: the service does not know the bound.
  const isSame = page.fresh === 0 && gap.before !== undefined && Math.max(...page.seconds) > gap.before;
  // It was the newest page once more, so the rest is read by number.
  if (isSame && !page.isLast && gap.after === undefined && !plan.isUntimed) {
    return { ...plan, gaps: [gap], offset: page.count, isUntimed: true };
  }
  const isShort = page.isLast || isSame;
  if (page.seconds.length < page.count || plan.isUntimed) {
    const isEnd = page.isLast || (plan.isKnownBelow === true && page.fresh === 0);
    // Offsets drift downwards when jobs arrive, so the next page may repeat some and misses none.
    return { ...plan, gaps: isEnd ? [] : [gap], offset: plan.offset + page.count, isUntimed: true };
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

/** Whether nothing is left to read, as of the last page. */
export function isComplete(plan: ReadPlan): boolean {
  return plan.gaps.length === 0;
}

/** Whether every job of the key was read, as of the last page. */
export function isWhole(plan: ReadPlan): boolean {
  return isComplete(plan) && plan.fromSeconds === undefined;
}

/** Whether jobs are missing that are older than what was read, and not only such that are just arriving. */
export function lacksOlder(plan: ReadPlan): boolean {
  return plan.isKnownBelow !== true && plan.gaps.some((gap) => gap.after === undefined);
}

/**
 * Down to which second every job was read, but for those that are just arriving: infinite where nothing is known for
 * certain, and minus infinite where all is.
 */
export function reachSeconds(plan: ReadPlan): number {
  if (isComplete(plan)) return plan.fromSeconds ?? Number.NEGATIVE_INFINITY;
  if (plan.isUntimed) return Number.POSITIVE_INFINITY;
  const below = plan.gaps.find((gap) => gap.after === undefined);
  if (!below) return plan.fromSeconds ?? Number.NEGATIVE_INFINITY;
  return below.before ?? Number.POSITIVE_INFINITY;
}

/** The plan without what lies before a second: it is not read. */
export function planFrom(plan: ReadPlan, fromSeconds: number): ReadPlan {
  const gaps = plan.isUntimed ? [] : plan.gaps.filter(({ before }) => before === undefined || before > fromSeconds);
  return { ...plan, gaps, fromSeconds };
}

/** A plan read back from the database: untrusted. */
export function readPlan(raw: unknown): ReadPlan | undefined {
  if (typeof raw !== "object" || raw === null) return undefined;
  const { gaps, offset, isUntimed, newestSeconds, fromSeconds } = raw as Partial<ReadPlan>;
  if (!Array.isArray(gaps) || typeof offset !== "number" || typeof isUntimed !== "boolean" || !isBound(newestSeconds)) {
    return undefined;
  }
  const known = gaps.filter((gap) => isRecord(gap) && isBound(gap.before) && isBound(gap.after));
  if (known.length < gaps.length) return undefined;
  return {
    gaps: known.map(({ before, after }) => ({ before, after })),
    offset,
    isUntimed,
    newestSeconds,
    ...(typeof fromSeconds === "number" && Number.isFinite(fromSeconds) ? { fromSeconds } : {}),
  };
}

function isBound(value: unknown): boolean {
  return value === undefined || (typeof value === "number" && Number.isFinite(value));
}
