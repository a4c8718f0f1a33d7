import type { JobRequest } from "#api/types.ts";
import { randomId } from "#lib/random-id.ts";
import { requestKey } from "#runs/request-key.ts";
import type { JobRecord } from "#storage/job-records.ts";
import {
  type Batch,
  type BatchAxes,
  type BatchGroup,
  type BatchItem,
  type ItemSource,
  isAgreed,
  MAX_ITEMS,
} from "#storage/stored-batches.ts";

/** A run that a source makes: not in a batch yet. */
export interface PlannedRun {
  request: JobRequest;
  /** What was asked for and the model has no field or option for, as label and value: "Size 1536x1024". */
  unavailable?: readonly string[];
  /** The run whose result it starts from. */
  source?: ItemSource;
}

/** The runs that a source makes. */
export interface PlannedRuns {
  runs: PlannedRun[];
  /** Why there are no runs, in a sentence. */
  problem?: string;
}

/** A new group without runs. */
export function newGroup(name: string, kind: BatchGroup["kind"], axes?: BatchAxes): BatchGroup {
  return { id: randomId(), name, kind, ...(axes ? { axes } : {}) };
}

/** The batch with a group, added at the end where it is new, and these runs in it. */
export function withGroup(batch: Batch, group: BatchGroup, runs: readonly PlannedRun[]): Batch {
  const isKnown = batch.groups.some(({ id }) => id === group.id);
  const groups = isKnown ? batch.groups.map((one) => (one.id === group.id ? group : one)) : [...batch.groups, group];
  return withRuns({ ...batch, groups }, group.id, runs);
}

/**
 * Why `count` runs do not fit into a group of a batch, in a sentence; they take the place of its drafts. Without a
 * group: whether they fit in beside all others. Undefined: they do.
 */
export function roomProblem(batch: Batch, groupId: string | undefined, count: number): string | undefined {
  const others = batch.items.filter((item) => item.groupId !== groupId).length;
  const room = Math.max(0, MAX_ITEMS - others);
  if (count <= room) return undefined;
  const [many, has, fit] = [count, others, room].map((number) => number.toLocaleString("en-US"));
  const most = `A batch takes at most ${MAX_ITEMS.toLocaleString("en-US")} runs`;
  return others === 0
    ? `These are ${many} runs. ${most}.`
    : `These are ${many} runs beside ${has} others. ${most}, so ${fit} more fit.`;
}

const stays = (item: BatchItem) => isAgreed(item) || item.isEdited === true;

/**
 * The batch with other drafts in one of its groups, in the order of `runs`. A draft of the same request keeps its ids. Runs
 * that the person agreed to, and rows that were edited, stay as they are and where they are; none is planned again that is
 * one of them already, or that an edited row has taken the place of.
 */
export function withRuns(batch: Batch, groupId: string, runs: readonly PlannedRun[]): Batch {
  const own = batch.items.filter((item) => item.groupId === groupId);
  const found = matchRows(own, runs);
  const taken = takenByEdits(own, found, runs.length);
  const byRun = new Map([...found].map(([item, at]) => [at, item]));
  const planned = runs.map((run, at): BatchItem | undefined => {
    const item = byRun.get(at);
    if (taken.has(at) || (item && stays(item))) return undefined;
    return item ? withUnavailable(item, run) : plannedItem(run, groupId);
  });

  const items: BatchItem[] = [];
  let next = 0;
  const plannedUpTo = (end: number) => {
    for (; next < end; next += 1) {
      const item = planned[next];
      if (item) items.push(item);
    }
  };
  const last = own.at(-1);
  for (const item of batch.items) {
    const at = found.get(item);
    if (item.groupId !== groupId || stays(item)) items.push(item);
    // What stays comes after the draft that it stood after.
    else if (at !== undefined) plannedUpTo(at + 1);
    if (item === last) plannedUpTo(runs.length);
  }
  plannedUpTo(runs.length);
  return { ...batch, items };
}

/**
 * The runs of changed axes without those that the person has removed: what the axes made `before`, and the group has no row
 * of any more. A run whose row was edited counts as removed, since the edited row stands for it. All runs, where a draft that
 * was not edited comes from elsewhere: what was made before is not known then.
 */
export function withoutRemoved(
  batch: Batch,
  groupId: string,
  before: readonly PlannedRun[],
  runs: readonly PlannedRun[],
): readonly PlannedRun[] {
  const removed = new Map<string, number>();
  const add = (request: JobRequest, by: 1 | -1) =>
    removed.set(requestKey(request), (removed.get(requestKey(request)) ?? 0) + by);
  for (const { request } of before) add(request, 1);
  for (const item of batch.items) {
    if (item.groupId !== groupId) continue;
    add(item.request, -1);
    if (!stays(item) && (removed.get(requestKey(item.request)) ?? 0) < 0) return runs;
  }
  return runs.filter(({ request }) => {
    if ((removed.get(requestKey(request)) ?? 0) <= 0) return true;
    add(request, -1);
    return false;
  });
}

/** The place among the planned runs of each row that asks for the same. Those that stay are asked first. */
function matchRows(own: readonly BatchItem[], runs: readonly PlannedRun[]): Map<BatchItem, number> {
  const rows = new Map<string, BatchItem[]>();
  for (const item of [...own.filter(stays), ...own.filter((one) => !stays(one))]) {
    const key = requestKey(item.request);
    const alike = rows.get(key);
    if (alike) alike.push(item);
    else rows.set(key, [item]);
  }
  // Taken from the end below.
  for (const alike of rows.values()) alike.reverse();
  const found = new Map<BatchItem, number>();
  runs.forEach((run, at) => {
    const item = rows.get(requestKey(run.request))?.pop();
    if (item) found.set(item, at);
  });
  return found;
}

/**
 * The planned runs whose place an edited row has: where the rows between two that are still planned
 * equal in number the runs that are planned anew there, each row stands for one run.
 */
function takenByEdits(own: readonly BatchItem[], found: ReadonlyMap<BatchItem, number>, count: number): Set<number> {
  const taken = new Set<number>();
  let between: BatchItem[] = [];
  let before = -1;
  const close = (after: number) => {
    if (between.length === after - before - 1) {
      between.forEach((item, at) => {
        if (item.isEdited) taken.add(before + 1 + at);
      });
    }
    between = [];
    before = after;
  };
  for (const item of own) {
    const at = found.get(item);
    if (at !== undefined) close(at);
    else if (item.isEdited || !isAgreed(item)) between.push(item);
  }
  close(count);
  return taken;
}

function withUnavailable(item: BatchItem, { unavailable }: PlannedRun): BatchItem {
  if (JSON.stringify(item.unavailable) === JSON.stringify(unavailable)) return item;
  const { unavailable: _before, ...rest } = item;
  return { ...rest, ...(unavailable ? { unavailable } : {}) };
}

/** A run that nobody has agreed to, with ids of its own. */
export function newItem(request: JobRequest, groupId: string, more: Partial<BatchItem> = {}): BatchItem {
  return { id: randomId(), groupId, request, intentId: randomId(), ...more };
}

/** A planned run as a draft. */
export function plannedItem({ request, unavailable, source }: PlannedRun, groupId: string): BatchItem {
  return newItem(request, groupId, { ...(unavailable ? { unavailable } : {}), ...(source ? { source } : {}) });
}

/** A job whose settings are taken over. */
export type GivenJob = Pick<JobRecord, "requestId" | "model" | "payload">;

interface JobRuns {
  runs: PlannedRun[];
  /** IDs of the jobs whose model or settings are unknown. */
  unknown: string[];
  /** What is not among the runs, in sentences. */
  problem?: string;
}

/** One run for each job with the same settings, in the order of the jobs. */
export function jobRuns(jobs: readonly GivenJob[]): JobRuns {
  const runs: PlannedRun[] = [];
  const unknown: string[] = [];
  let left = 0;
  for (const { requestId, model, payload } of jobs) {
    if (!model || payload === undefined) unknown.push(requestId);
    else if (runs.length < MAX_ITEMS) runs.push({ request: { model, payload } });
    else left += 1;
  }
  const sentences = [
    unknown.length > 0 &&
      `The settings of ${counted(unknown.length)} are unknown, so ${unknown.length === 1 ? "it is" : "they are"} left out.`,
    left > 0 &&
      `A batch takes at most ${MAX_ITEMS.toLocaleString("en-US")} runs. ${counted(left)} ${left === 1 ? "is" : "are"} left out.`,
  ].filter((sentence) => sentence !== false);
  return { runs, unknown, ...(sentences.length > 0 ? { problem: sentences.join(" ") } : {}) };
}

const counted = (count: number) => `${count.toLocaleString("en-US")} ${count === 1 ? "job" : "jobs"}`;
