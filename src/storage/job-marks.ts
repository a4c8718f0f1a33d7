import { isRecord } from "#lib/read.ts";
import { ROW_VERSIONS } from "./keys.ts";
import type { RowKind } from "./typed-rows.ts";

/** What a person noted of a job, in this browser alone. */
export interface JobMarks {
  requestId: string;
  /** The job, or one of its files at least. */
  isStarred: boolean;
  /** Places of the starred files in the job, from 0, in order. Absent or empty where the star is the whole job's. */
  starredFiles?: number[];
  tags: string[];
  note: string;
  /** When its files were archived into a folder. */
  savedAtMs?: number;
}

const MAX_TAGS = 50;
const LONGEST_TAG = 60;
const LONGEST_NOTE = 10_000;
const MAX_FILES = 1000;

const isIndex = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

export const jobMarkRows: RowKind<JobMarks> = {
  store: "marks",
  version: ROW_VERSIONS.marks,
  read: (body) => {
    if (!isRecord(body) || typeof body.requestId !== "string") return undefined;
    const tags = Array.isArray(body.tags) ? body.tags.filter((tag) => typeof tag === "string") : [];
    return {
      requestId: body.requestId,
      isStarred: body.isStarred === true,
      ...(body.isStarred === true && Array.isArray(body.starredFiles) && body.starredFiles.every(isIndex)
        ? { starredFiles: body.starredFiles.slice(0, MAX_FILES) }
        : {}),
      tags: tags.map((tag) => tag.slice(0, LONGEST_TAG)).slice(0, MAX_TAGS),
      note: typeof body.note === "string" ? body.note.slice(0, LONGEST_NOTE) : "",
      ...(typeof body.savedAtMs === "number" ? { savedAtMs: body.savedAtMs } : {}),
    };
  },
};

/** The key of the row of a job's marks. It has the account in it: two accounts may know one job. */
export const jobMarkKey = (accountId: string, requestId: string) => `${accountId}|${requestId}`;
