import type { JsonRecord } from "#lib/json.ts";
import { withDefaults } from "./catalogue/payload-check.ts";
import type { MadeMedia, MediaSpec } from "./media/make-media.ts";
import { hashText } from "./media/seeded-random.ts";
import type { SandboxJob } from "./sandbox-job.ts";

/** Makes one file: the encoders' own, or a stand-in of a test. */
export type MediaMaker = (spec: MediaSpec) => Promise<MadeMedia>;

const PROMPT_KEYS = ["prompt", "text", "instruction", "lyrics"];

/** The request for one file of a job: the same payload gives the same file, another seed another. */
export function mediaSpec(job: SandboxJob, index: number): MediaSpec {
  const file = job.files[index] ?? { kind: job.model.type, format: "png" as const };
  const { kind, format, width = 512, height = 512, durationSeconds = 0 } = file;
  const payload = withDefaults(job.model, job.payload);
  return {
    kind,
    format,
    prompt: promptOf(payload),
    seed: seedOf(payload, job.requestId),
    width,
    height,
    durationSeconds,
    index,
  };
}

function promptOf(payload: JsonRecord): string {
  const key = PROMPT_KEYS.find((name) => typeof payload[name] === "string" && payload[name] !== "");
  return key === undefined ? "Untitled" : String(payload[key]);
}

/** 0 and -1 ask for another result every time; no seed at all means that the payload decides. */
function seedOf(payload: JsonRecord, requestId: string): number {
  if (typeof payload.seed !== "number") return hashText(JSON.stringify(payload));
  return payload.seed > 0 ? payload.seed : hashText(requestId);
}
