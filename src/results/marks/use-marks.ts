import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import type { JobMarks } from "#storage/job-marks.ts";
import { toast } from "#ui/toast-store.ts";
import { changeMarks, type MarkChange, type MarksById, marksQuery } from "./marks-store.ts";

export interface Marks {
  marks: MarksById;
  /** Stars them all, or takes the star from all where each has one. */
  toggleStar: (requestIds: readonly string[]) => void;
  change: (requestIds: readonly string[], change: (marks: JobMarks) => MarkChange) => void;
}

const NONE: MarksById = new Map();

/** Stars, tags and notes of the current key's jobs, stored in this browser. A write that fails is shown, not thrown. */
export function useMarks(): Marks {
  const accountId = useConnection()?.accountId ?? "";
  const { data: marks = NONE } = useQuery(marksQuery(accountId));
  function change(requestIds: readonly string[], make: (marks: JobMarks) => MarkChange) {
    changeMarks(accountId, requestIds, make).catch(() => {
      toast({ title: "Not saved", body: "This browser could not save the change.", tone: "error" });
    });
  }
  return {
    marks,
    change,
    toggleStar: (requestIds) => {
      const isStarred = !requestIds.every((id) => marks.get(id)?.isStarred);
      change(requestIds, () => ({ isStarred, starredFiles: [] }));
    },
  };
}
