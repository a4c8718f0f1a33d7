import { useNavigate } from "@tanstack/react-router";
import { ArrowRight, Hash } from "lucide-react";
import { useMemo, useState } from "react";
import { jobCharge } from "#api/charge-words.ts";
import { isUsableRequestId } from "#api/path-id.ts";
import { readQuery, searchIndex } from "#history/job-index/search-index.ts";
import { useJobIndex } from "#history/job-index/use-job-index.ts";
import { formatAge } from "#lib/time.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { useDeletedMedia } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { useMarks } from "#results/marks/use-marks.ts";
import { jobName } from "#runs/job-facts.ts";
import { promptOf } from "#runs/job-prompt.ts";
import { statusWords } from "#runs/status-words.ts";
import { useTrackedJobs } from "#runs/use-jobs.ts";
import type { JobRecord } from "#storage/job-records.ts";
import { fold } from "./find-entries.ts";
import type { PaletteEntry } from "./palette-entry.ts";

const MAX_SHOWN = 5;
const RECENT = 4;

/**
 * The recent and running jobs; with a search the newest that fit, over all that this browser has indexed, and the way to
 * the others in History. A text that can be an id opens the job of that id.
 */
export function useJobEntries(query: string): { jobs: PaletteEntry[]; byId: PaletteEntry[] } {
  const navigate = useNavigate();
  const [nowMs] = useState(() => Date.now());
  const found = useFoundJobs(query, nowMs);
  const deleted = useDeletedMedia().jobs;
  const open = (requestId: string) => void navigate({ to: "/jobs/$requestId", params: { requestId } });
  const shown = found.slice(0, query === "" ? RECENT : MAX_SHOWN);
  const jobs = shown.map((entry) => jobEntry(entry, nowMs, deleted.has(entry.requestId), () => open(entry.requestId)));
  if (query !== "" && found.length > shown.length) {
    jobs.push({
      id: "jobs-all",
      group: "Jobs",
      label: `All ${found.length.toLocaleString("en-US")} jobs with ${visibleLine(query, 60)}`,
      icon: ArrowRight,
      run: () => void navigate({ to: "/history", search: { q: query } }),
    });
  }
  const id = idIn(query);
  const byId =
    id === undefined
      ? []
      : [{ id: "open-id", group: "By ID" as const, label: `Open job ${id}`, icon: Hash, run: () => open(id) }];
  return { jobs, byId };
}

/** Newest first. Jobs that this browser follows are there before the index is read, and with their newest status. */
function useFoundJobs(query: string, nowMs: number): readonly JobRecord[] {
  const tracked = useTrackedJobs();
  const { state } = useJobIndex();
  const marks = useMarks().marks;
  const { entries, texts, isOpen } = state;
  const words = useMemo(
    () => tracked.map((job) => fold(`${promptOf(job)}\n${job.model}\n${job.requestId}`)),
    [tracked],
  );
  return useMemo(() => {
    const known = new Map<string, JobRecord>(tracked.map((job) => [job.requestId, job]));
    const indexed = isOpen ? entries : [];
    if (query === "") return tracked.length > 0 ? tracked.slice(0, RECENT) : indexed.slice(0, RECENT);
    const terms = readQuery(query);
    const isText = terms.every(({ field, isNot }) => field === "text" && !isNot);
    const fits = (place: number) => isText && terms.every(({ value }) => words[place]?.includes(value));
    const found = searchIndex({ entries: indexed, texts, query, filters: {}, marks, nowMs });
    const inIndex = new Set(found.map(({ requestId }) => requestId));
    const alone = tracked.filter(({ requestId }, place) => !inIndex.has(requestId) && fits(place));
    return [...alone, ...found.map((entry) => known.get(entry.requestId) ?? entry)];
  }, [query, tracked, words, entries, texts, isOpen, marks, nowMs]);
}

function jobEntry(entry: JobRecord, nowMs: number, isDeleted: boolean, run: () => void): PaletteEntry {
  const { requestId, model, status, media, submittedAtMs } = entry;
  const createdAtSeconds = entry.createdAtSeconds ?? (submittedAtMs && submittedAtMs / 1000);
  const [first] = media;
  const isPicture = first && first.kind !== "audio";
  return {
    id: `job-${requestId}`,
    group: "Jobs",
    label: jobName(entry),
    picture: (
      <span className="grid h-[30px] w-[46px] shrink-0 place-items-center overflow-hidden rounded-[5px] bg-hover text-ink-3">
        {isPicture && (
          <CachedThumb item={first} alt="" createdAtSeconds={createdAtSeconds} isDeleted={isDeleted} isSmall />
        )}
      </span>
    ),
    detail: [
      model && visibleLine(model),
      createdAtSeconds !== undefined && formatAge(createdAtSeconds, nowMs),
      jobCharge(entry),
    ]
      .filter(Boolean)
      .join(" · "),
    status: statusWords(status),
    run,
  };
}

/** The id of a job that was typed or pasted, also as the end of an address; undefined for anything that is a word. */
export function idIn(query: string): string | undefined {
  const text = query.trim();
  const id = /^https?:\/\/\S+\/([^\s/?#]+)(?:[?#]\S*)?$/.exec(text)?.[1] ?? text;
  return id.length >= 8 && /\d/.test(id) && isUsableRequestId(id) ? id : undefined;
}
