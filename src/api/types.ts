import type { FileSignature } from "#lib/file-signature.ts";
import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";

/** Model id and payload: the body of an estimate and of a submit (spec 2). */
export interface JobRequest {
  model: string;
  payload: JsonRecord;
}

/** What a payload will cost, and so what a submit of it charges (spec 2). */
export interface Estimate {
  model: string;
  priceMicroUsd: MicroUsd;
}

export type MediaKind = FileSignature["kind"];

/**
 * What the studio learned of a file from its first bytes (`kind` to `text`) and from the element that loaded it. A fact that
 * was not learned is absent.
 */
export interface FileFacts {
  kind?: MediaKind;
  /** For people: "PNG picture", "PDF document". */
  label?: string;
  /** `bin` for what is unknown, and for pages, which must not run from the disk either. */
  extension?: string;
  mimeType?: string;
  /** Of the whole file. */
  bytes?: number;
  /** The beginning of a text. */
  text?: string;
  /** In pixels. */
  width?: number;
  height?: number;
  durationSeconds?: number;
  /** An element of this page has loaded it. It is never stored. */
  isLoaded?: true;
}

/** One generated file (spec 2, outcome.media_urls), or one found elsewhere in an outcome, as its record says. */
export interface MediaItem extends Pick<FileFacts, "width" | "height" | "durationSeconds" | "bytes"> {
  id: string;
  /** What the service says that it is; `other` where it does not say, or says that it is none of the three. */
  kind: MediaKind;
  url: string;
  /** The thumbnail that the service names beside it. */
  posterUrl?: string;
  /** The service did not name it as a file of the outcome, or it came from an imported file: not to be loaded unasked. */
  isElsewhere?: true;
}

/** A job as the service last reported it. Unknown fields stay in `raw`. */
export interface Job {
  requestId: string;
  /** Absent only where the service did not say. */
  model: string | undefined;
  /** One of the four of the specification, or another word, normalized: see `readStatus` (spec 3). */
  status: string;
  media: MediaItem[];
  /** The payload echoed by the service, where it does. */
  payload: JsonRecord | undefined;
  createdAtSeconds: number | undefined;
  updatedAtSeconds: number | undefined;
  /** Why it failed, in the service's words, where it says so. */
  failureReason: string | undefined;
  /** There are no files because the record says nothing of an outcome, as in a list of ids and statuses. */
  lacksOutcome?: true | undefined;
  raw: JsonRecord;
}

/** Filters of the job list exactly as the service takes them (spec 4.1). `next` alone is the studio's own field. */
export interface JobListParams {
  model_id?: string;
  model_type?: string[];
  status?: string[];
  created_after?: number;
  created_before?: number;
  limit?: number;
  offset?: number;
  /** The `next` of the page before, sent in place of an offset. */
  next?: Readonly<Record<string, string>>;
}

export interface JobPage {
  jobs: Job[];
  /** Only where the service gives it (spec 4.1 rule 5: not shown). */
  total: number | undefined;
  /** Whether more jobs follow, where the service says so. */
  hasMore?: boolean;
  /** The query parameters of the next page, under the names of the service, where it gives any. */
  next?: Readonly<Record<string, string>>;
}

/** A generation model's detail (spec 2: exact structure not shown). */
export interface ModelDetail {
  id: string;
  /** What people call it, where that is more than its id. */
  name: string | undefined;
  /** `image`, `video`, `audio`, or whatever word the service uses; undefined where it does not say. */
  type: string | undefined;
  description: string | undefined;
  /** Price in words for the picker, such as "$0.035 per image", where the detail has one. */
  priceText: string | undefined;
  /** The whole answer as it came: `schema-form/` finds the parameters in it. */
  raw: unknown;
}

export interface TextModel {
  id: string;
  raw: JsonRecord;
}

/** File types the service stores for inputs (spec 8). */
export const FILE_TYPES = ["jpeg", "jpg", "png", "mp4", "mp3", "wav"] as const;
export type FileType = (typeof FILE_TYPES)[number];

export interface UploadTarget {
  uploadUrl: string;
  publicUrl: string;
  /** What the PUT brings besides its type. */
  headers?: Record<string, string>;
}
