import type { Marks } from "#jobs/marks/use-marks.ts";
import { Compare } from "#jobs/viewer/compare/compare.tsx";
import type { JobRecord } from "#storage/job-records.ts";
import { compareText, useCompared, useComparePool } from "./compared-jobs.ts";

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
  const pool = useComparePool(entries);
  if (compared.length < 2) return null;
  return (
    <Compare
      key={compareText(compared)}
      jobs={compared}
      knownJobs={pool}
      marks={marks}
      onCompare={(jobs) => onChange(compareText(jobs))}
      onClose={() => onChange(undefined)}
    />
  );
}
