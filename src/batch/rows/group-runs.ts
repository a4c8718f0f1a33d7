// Puts planned runs into a batch as draft rows, and finds the rows again when the axes of their group change.

import type { JobRequest } from "#api/types.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
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

/** A run that is not in a batch yet. */
export interface PlannedRun {
  request: JobRequest;
  /** Requested values that the model has no field or option for, as label and value: "Size 1536x1024". */
  unavailable?: readonly string[];
  /** The run whose result it uses. */
  source?: ItemSource;
}

export interface PlannedRuns {
  runs: PlannedRun[];
  /** Why there are no runs, in a sentence. */
  problem?: string;
}

/** A new group without runs. */
export function newGroup(name: string, kind: BatchGroup["kind"], axes?: BatchAxes): BatchGroup {
  return { id: randomId(), name, kind, ...(axes ? { axes } : {}) };
}

/** The batch with a group, added at the end if it is new, whose drafts are these runs. */
export function withGroup(batch: Batch, group: BatchGroup, runs: readonly PlannedRun[]): Batch {
  const isKnown = batch.groups.some(({ id }) => id === group.id);
  const groups = isKnown ? batch.groups.map((one) => (one.id === group.id ? group : one)) : [...batch.groups, group];
  return withRuns({ ...batch, groups }, group.id, runs);
}

/**
 * Why `count` runs do not fit into a batch, in a sentence; undefined where they fit. The rows of the group `groupId` do not count,
 * because the runs replace them.
 */
export function roomProblem(batch: Batch, groupId: string | undefined, count: number): string | undefined {
  const others = batch.items.filter((item) => item.groupId !== groupId).length;
  const room = Math.max(0, MAX_ITEMS - others);
  if (count <= room) return undefined;
  const [many, has, fit] = [count, others, room].map((number) => formatNumber(number));
  return others === 0
    ? `Too many runs: ${many}. A batch can have up to ${formatNumber(MAX_ITEMS)}.`
    : `Too many runs: ${many} new + ${has} existing. Up to ${fit} more fit.`;
}

/** Whether a row stays when its group gets other runs. */
const stays = (item: BatchItem) => isAgreed(item) || item.isEdited === true;

/**
 * Replaces the drafts of a group by `runs`, in their order. A draft with the same request stays the same row. Agreed and edited
 * rows stay as and where they are; a run that is such a row already, or was edited into one, is not added again.
 */
export function withRuns(batch: Batch, groupId: string, runs: readonly PlannedRun[]): Batch {
  const groupRows = batch.items.filter((item) => item.groupId === groupId);
  const runIndexes = matchRows(groupRows, runs);
  const taken = takenByEdits(groupRows, runIndexes, runs.length);
  const rowByRun = new Map([...runIndexes].map(([item, at]) => [at, item]));
  const planned = runs.map((run, at): BatchItem | undefined => {
    const item = rowByRun.get(at);
    if (taken.has(at) || (item && stays(item))) return undefined;
    return item ? withUnavailable(item, run) : plannedItem(run, groupId);
  });

  const items: BatchItem[] = [];
  let next = 0;
  const addPlannedUpTo = (end: number) => {
    for (; next < end; next += 1) {
      const item = planned[next];
      if (item) items.push(item);
    }
  };
  const lastRow = groupRows.at(-1);
  for (const item of batch.items) {
    const at = runIndexes.get(item);
    if (item.groupId !== groupId || stays(item)) items.push(item);
    // Adds the drafts up to here first, so that a row that stays keeps its place after the draft before it.
    else if (at !== undefined) addPlannedUpTo(at + 1);
    if (item === lastRow) addPlannedUpTo(runs.length);
  }
  addPlannedUpTo(runs.length);
  return { ...batch, items };
}

/**
 * The runs of changed axes without those that the person removed: runs that the axes made `before`, and that have no row now. A
 * run whose row was edited counts as removed, since the edited row replaces it. If the group has an unedited draft that the axes
 * did not make, nothing is known of removals, and all runs are returned.
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

/** For each row, the index of a run with the same request. Rows that stay are matched first. */
function matchRows(groupRows: readonly BatchItem[], runs: readonly PlannedRun[]): Map<BatchItem, number> {
  const rows = new Map<string, BatchItem[]>();
  for (const item of [...groupRows.filter(stays), ...groupRows.filter((one) => !stays(one))]) {
    const key = requestKey(item.request);
    const alike = rows.get(key);
    if (alike) alike.push(item);
    else rows.set(key, [item]);
  }
  // Reversed, because `pop` below takes from the end.
  for (const alike of rows.values()) alike.reverse();
  const found = new Map<BatchItem, number>();
  runs.forEach((run, at) => {
    const item = rows.get(requestKey(run.request))?.pop();
    if (item) found.set(item, at);
  });
  return found;
}

/**
 * The indexes of runs that edited rows have replaced. Between two matched rows, if there are as many unmatched rows as unmatched
 * runs, each of the rows stands for one of the runs.
 */
function takenByEdits(
  groupRows: readonly BatchItem[],
  found: ReadonlyMap<BatchItem, number>,
  count: number,
): Set<number> {
  const taken = new Set<number>();
  let unmatched: BatchItem[] = [];
  let lastIndex = -1;
  const endGap = (nextIndex: number) => {
    if (unmatched.length === nextIndex - lastIndex - 1) {
      unmatched.forEach((item, at) => {
        if (item.isEdited) taken.add(lastIndex + 1 + at);
      });
    }
    unmatched = [];
    lastIndex = nextIndex;
  };
  for (const item of groupRows) {
    const at = found.get(item);
    if (at !== undefined) endGap(at);
    else if (item.isEdited || !isAgreed(item)) unmatched.push(item);
  }
  endGap(count);
  return taken;
}

function withUnavailable(item: BatchItem, { unavailable }: PlannedRun): BatchItem {
  if (JSON.stringify(item.unavailable) === JSON.stringify(unavailable)) return item;
  const { unavailable: _before, ...rest } = item;
  return { ...rest, ...(unavailable ? { unavailable } : {}) };
}

/** A draft with new ids. */
export function newItem(request: JobRequest, groupId: string, more: Partial<BatchItem> = {}): BatchItem {
  return { id: randomId(), groupId, request, intentId: randomId(), ...more };
}

/** A planned run as a draft. */
export function plannedItem({ request, unavailable, source }: PlannedRun, groupId: string): BatchItem {
  return newItem(request, groupId, { ...(unavailable ? { unavailable } : {}), ...(source ? { source } : {}) });
}

/** What is needed of a job to repeat it. */
export type GivenJob = Pick<JobRecord, "requestId" | "model" | "payload">;

interface JobRuns {
  runs: PlannedRun[];
  /** IDs of the jobs whose model or settings are unknown. */
  unknown: string[];
  /** Which jobs are skipped and why, in sentences. */
  problem?: string;
}

/** One run for each job with the same settings, in the order of the jobs. */
export function jobRuns(jobs: readonly GivenJob[]): JobRuns {
  const runs: PlannedRun[] = [];
  const unknown: string[] = [];
  let extra = 0;
  for (const { requestId, model, payload } of jobs) {
    if (!model || payload === undefined) unknown.push(requestId);
    else if (runs.length < MAX_ITEMS) runs.push({ request: { model, payload } });
    else extra += 1;
  }
  const sentences = [
    unknown.length > 0 &&
      `${counted(unknown.length, "job has unknown settings and is", "jobs have unknown settings and are")} skipped.`,
    extra > 0 &&
      `A batch can have up to ${formatNumber(MAX_ITEMS)} runs. ${counted(extra, "more job is", "more jobs are")} skipped.`,
  ].filter((sentence) => sentence !== false);
  return { runs, unknown, ...(sentences.length > 0 ? { problem: sentences.join(" ") } : {}) };
}
