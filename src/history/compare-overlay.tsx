import { useMemo } from "react";
import { isMediaDeleted } from "#media/deleted-media.ts";
import type { Marks } from "#results/marks/use-marks.ts";
import { Compare } from "#results/viewer/compare/compare.tsx";
import { MAX_COMPARED } from "#results/viewer/compare/same-prompt.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { useJobIndex, useKnownJob } from "./job-index/use-job-index.ts";

interface CompareOverlayProps {
  /** The ids in the address. */
  text: string | undefined;
  entries: readonly JobRecord[];
  marks: Marks;
  /** Shows others, or none. */
  onChange: (text: string | undefined) => void;
}

/** The comparison of an address, over whatever the list shows: also over an empty one. */
export function CompareOverlay({ text, entries, marks, onChange }: CompareOverlayProps) {
  const compared = useCompared(text, entries);
  const knownJobs = useKnownJobs(entries);
  if (compared.length < 2) return null;
  return (
    <Compare
      key={compareText(compared)}
      jobs={compared}
      knownJobs={knownJobs}
      marks={marks}
      onCompare={(jobs) => onChange(compareText(jobs))}
      onClose={() => onChange(undefined)}
    />
  );
}

/** The compared jobs as they stand in the address. */
export function compareText(jobs: readonly JobRecord[]): string {
  return jobs.map(({ requestId }) => requestId).join(",");
}

/**
 * The jobs of an address that have a file to compare, `MAX_COMPARED` at most: as the list has them, else as they are
 * known, for a comparison may come from Create while the list shows others.
 */
function useCompared(text: string | undefined, entries: readonly JobRecord[]): readonly JobRecord[] {
  const knownJob = useKnownJob();
  return useMemo(() => {
    const ids = text === undefined ? [] : [...new Set(text.split(","))].slice(0, MAX_COMPARED);
    return ids
      .flatMap((id) => entries.find(({ requestId }) => requestId === id) ?? knownJob(id) ?? [])
      .filter(({ media }) => media.length > 0);
  }, [text, entries, knownJob]);
}

/** All jobs that the index holds, else those of the list. Results of other models are looked for among them. */
export function useKnownJobs(entries: readonly JobRecord[]): readonly JobRecord[] {
  const known = useJobIndex().state.entries;
  return known.length > entries.length ? known : entries;
}

/** What a job is compared with from the viewer: the chosen jobs, else the next one that has a file of its kind. */
export function withNeighbour(
  requestId: string,
  chosen: readonly JobRecord[],
  entries: readonly JobRecord[],
): readonly JobRecord[] {
  const isThere = (entry: JobRecord) => entry.media.length > 0 && !isMediaDeleted(entry.requestId);
  const index = entries.findIndex((entry) => entry.requestId === requestId);
  const own = entries[index];
  if (!own) return [];
  const others = chosen.filter((entry) => entry.requestId !== requestId && isThere(entry));
  if (others.length > 0) return [own, ...others].slice(0, MAX_COMPARED);
  const isLike = (entry: JobRecord) => isThere(entry) && entry.media[0]?.kind === own.media[0]?.kind;
  const next = entries.slice(index + 1).find(isLike) ?? entries.slice(0, index).findLast(isLike);
  return next ? [own, next] : [own];
}
