import type { JsonRecord } from "#lib/read.ts";
import { withDefaults } from "../catalogue/payload-check.ts";
import type { SandboxJob } from "../jobs/sandbox-job.ts";
import type { MadeMedia, MediaSpec } from "./make-media.ts";
import { hashText } from "./seeded-random.ts";
import { yieldThread } from "./yield-thread.ts";

/** Bytes of finished files that stay in memory: a player asks for one clip in many ranges. */
const STORED_BYTES = 64 * 1024 * 1024;

/**
 * Makes each file once while it is stored, and one file at a time: painting holds the thread, so other requests get
 * time between two files. The files that were asked for longest ago go first when space is short.
 */
interface MediaStore {
  take(key: string, make: () => Promise<MadeMedia>): Promise<MadeMedia>;
}

export function createMediaStore(storedBytes = STORED_BYTES): MediaStore {
  const files = new Map<string, { made: Promise<MadeMedia>; bytes: number }>();
  /** Ends with the last file that was asked for. */
  let queue: Promise<unknown> = Promise.resolve();

  const makeInTurn = (make: () => Promise<MadeMedia>): Promise<MadeMedia> => {
    const made = queue.then(yieldThread).then(make);
    queue = made.catch(() => undefined);
    return made;
  };
  const makeRoom = () => {
    let sum = [...files.values()].reduce((total, file) => total + file.bytes, 0);
    for (const [key, file] of files) {
      if (sum <= storedBytes) return;
      if (file.bytes === 0) continue;
      files.delete(key);
      sum -= file.bytes;
    }
  };

  return {
    take(key, make) {
      const known = files.get(key);
      const file = known ?? { made: makeInTurn(make), bytes: 0 };
      files.delete(key);
      files.set(key, file);
      if (known === undefined) {
        file.made.then(
          ({ bytes }) => {
            file.bytes = bytes.length;
            makeRoom();
          },
          () => files.delete(key),
        );
      }
      return file.made;
    },
  };
}

/** Makes one file: the encoders' own, or a test's replacement. */
export type MediaMaker = (spec: MediaSpec) => Promise<MadeMedia>;

const PROMPT_KEYS = ["prompt", "text", "instruction", "lyrics"];

/** The request for one file of a job: the same prompt and seed give the same file. Without a seed each job has its own. */
export function mediaSpec(job: SandboxJob, index: number): MediaSpec {
  const file = job.files[index] ?? { kind: job.model.type, format: "png" as const };
  const { kind, format, width = 512, height = 512, durationSeconds = 0 } = file;
  const payload = withDefaults(job.model, job.payload);
  return {
    kind,
    format,
    prompt: promptOf(payload),
    seed: seedOf(job, payload),
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

/**
 * The seed that the payload names, as a number or a text. Left out, or the lowest that the model takes, it is drawn anew for
 * each job: that is what real services do, and what makes the runs of a batch differ.
 */
function seedOf({ model, requestId }: SandboxJob, payload: JsonRecord): number {
  const lowestSeed = model.parameters.find(({ wire }) => wire.name === "seed")?.wire.min_value ?? -1;
  const asked =
    payload.seed === undefined || payload.seed === null || payload.seed === "" ? Number.NaN : Number(payload.seed);
  return Number.isFinite(asked) && asked > lowestSeed ? asked : hashText(requestId);
}
