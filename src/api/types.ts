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

/** Statuses at which polling stops (spec 3). */
export type FinalStatus = "success" | "failed" | "cancelled";

export type MediaKind = "image" | "video" | "audio" | "other";

/** One generated file (spec 2, outcome.media_urls), or one found elsewhere in an outcome. */
export interface MediaItem {
  id: string;
  kind: MediaKind;
  url: string;
  width?: number;
  height?: number;
  posterUrl?: string;
  /** The service did not name it as a file of the outcome, or it came from a file of somebody: not to be loaded unasked. */
  isElsewhere?: true;
}

/** A job as the service last reported it. Unknown fields stay in `raw`. */
export interface Job {
  requestId: string;
  /** Absent only where the service did not say. */
  model: string | undefined;
  /** As sent: one of the four of the specification, or any other word, which means still running (spec 3). */
  status: string;
  media: MediaItem[];
  /** The payload echoed by the service, where it does. */
  payload: JsonRecord | undefined;
  createdAtSeconds: number | undefined;
  updatedAtSeconds: number | undefined;
  /** Why it failed, in the service's words, where it says so. */
  failureReason: string | undefined;
  raw: JsonRecord;
}

/** Filters of the job list exactly as the service takes them (spec 4.1). */
export interface JobListParams {
  model_id?: string;
  model_type?: string[];
  status?: string[];
  created_after?: number;
  created_before?: number;
  limit?: number;
  offset?: number;
}

export interface JobPage {
  jobs: Job[];
  /** Only where the service gives it (spec 4.1 rule 5: not shown). */
  total: number | undefined;
}

/** A generation model's detail (spec 2: exact structure not shown). */
export interface ModelDetail {
  id: string;
  /** `image`, `video`, `audio`, or whatever word the service uses; undefined where it does not say. */
  type: string | undefined;
  description: string | undefined;
  /** The parameter schema in whatever shape it came: `schema-form/` reads it. */
  parameters: unknown;
  /** Price in words for the picker, such as "$0.035 per image", where the detail has one. */
  priceText: string | undefined;
  raw: JsonRecord;
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
}
