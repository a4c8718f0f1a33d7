import type { MicroUsd } from "#lib/money.ts";
import type { JsonRecord } from "#lib/read.ts";

type ModelType = "image" | "video" | "audio";

/**
 * A parameter as GET /apikey/models/{id} shows it: the array shape of real servers, which the specification leaves
 * open.
 */
export interface WireParameter {
  name: string;
  display_name?: string;
  description?: string;
  /** An open vocabulary: `string`, `enum`, `integer`, `image (URL)`, `JSON type` and so on. */
  type: string;
  required?: boolean | "Conditional";
  default_value?: unknown;
  options?: readonly (string | number)[];
  min_value?: number;
  max_value?: number;
  step?: number;
  /** What each entry of a list holds, as a JSON Schema. */
  items?: JsonRecord;
  /** A regular expression that the service itself does not enforce. */
  pattern?: string;
}

/** A parameter with its rule for values: undefined for a good one, otherwise what is wrong, in words. */
export interface Parameter {
  wire: WireParameter;
  check(value: unknown): string | undefined;
}

/** How a price is calculated. All amounts are whole micro-USD (spec 1: flat per job, per image or per clip). */
export interface Pricing {
  /** The headline price of `price_info`. */
  price: MicroUsd;
  unit: "image" | "second" | "clip" | "audio";
  /** The price in words, such as "$0.035 per image". */
  details: string;
  /** The price of a payload whose defaults are filled in. */
  of(payload: JsonRecord): MicroUsd;
}

/** One file that a job will make. Sizes in pixels, duration in seconds. */
export interface PlannedFile {
  kind: ModelType;
  format: "png" | "jpeg" | "mp4" | "wav";
  width?: number;
  height?: number;
  durationSeconds?: number;
}

export interface ModelDefinition {
  id: string;
  type: ModelType;
  brief: string;
  detailed?: string;
  tags: readonly string[];
  parameters: readonly Parameter[];
  pricing: Pricing;
  /** How long a job takes, in seconds at speed 1; `sync` answers within the submit (spec 8). */
  timing: "sync" | { minSeconds: number; maxSeconds: number };
  /** The files for a payload whose defaults are filled in. */
  files(payload: JsonRecord): PlannedFile[];
  /** Rules between parameters; answers what is wrong, naming the key. */
  rule?(payload: JsonRecord): string | undefined;
  /** `inactive` is refused at submit (spec 3); `unlisted` answers by id but stands in no list. */
  state?: "inactive" | "unlisted";
  /** Every job of this model ends in failed, with this reason. */
  alwaysFails?: string;
}

/** Spec 8: a video job takes roughly 1 to 5 minutes. */
export const VIDEO_TIMING = { minSeconds: 60, maxSeconds: 300 };
