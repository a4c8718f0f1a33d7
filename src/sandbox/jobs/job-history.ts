import { HOME_ORGANISATION } from "../authenticate.ts";
import { findModel } from "../catalogue/catalogue.ts";
import type { ModelDefinition } from "../catalogue/model-definition.ts";
import { withDefaults } from "../catalogue/payload-check.ts";
import { FAIL_REASONS } from "../documented-inputs.ts";
import { hashText } from "../media/seeded-random.ts";
import { seededFraction, seededHex, uuidFromHex } from "../seeded-ids.ts";
import { createHistoryPages, type JobFilter } from "./history-pages.ts";
import type { JobEnding, SandboxJob } from "./sandbox-job.ts";

/** Finished jobs from before the sandbox began, newest first, each made only when it is asked for. */
export interface JobHistory {
  user: string;
  /** The positions of the jobs that a filter lets through, newest first: one page of them, and how many there are. */
  page(filter: JobFilter, limit: number, offset: number): { positions: number[]; total: number };
  requestId(index: number): string;
  job(index: number): SandboxJob;
  find(requestId: string): SandboxJob | undefined;
}

const MODEL_IDS = [
  "lumen-2",
  "lumen-2-pro",
  "halide-video",
  "grainfield",
  "lumen-2",
  "overture-voice",
  "halide-turbo",
  "contact-sheet",
  "overture-music",
];

/** Days that the history reaches back: a little more than the 60 of spec 8, so that some media has expired. */
const DAYS = 75;
const DAY_MS = 86_400_000;
/** The most time between two jobs. */
const LONGEST_STEP_MS = 4 * 3_600_000;
/** The age of the newest job. */
const NEWEST_AGE_MS = 3_600_000;

const ENDINGS = ["success", "failed", "cancelled"] as const;

/** The place in `ENDINGS`, by a number from 0 to 99. */
function endingPlace(draw: number): number {
  if (draw < 88) return 0;
  return draw < 96 ? 1 : 2;
}

export function createJobHistory(count: number, seed: number, nowMs: number, user: string): JobHistory {
  const models = MODEL_IDS.map(findModel).filter((model): model is ModelDefinition => model !== undefined);
  const stepMs = Math.min(LONGEST_STEP_MS, (DAYS * DAY_MS) / Math.max(1, count));
  const mixKey = hashText(`history ${seed}`);
  /** A number for one job and one use of it, which `salt` names; always the same. */
  const mix = (index: number, salt: number) => scramble(index * 8 + salt, mixKey);
  const modelPlace = (index: number) => mix(index, 1) % models.length;
  const modelAt = (index: number) => models[modelPlace(index)] as ModelDefinition;
  const createdAt = (index: number) =>
    Math.floor(nowMs - NEWEST_AGE_MS - index * stepMs - (mix(index, 2) % 1000) * (stepMs / 1000));
  const endingAt = (index: number): JobEnding => {
    const draw = mix(index, 3) % 100;
    const status = ENDINGS[endingPlace(draw)] ?? "success";
    return status === "failed" ? { status, reason: Object.values(FAIL_REASONS)[draw % 3] ?? "" } : { status };
  };
  // The first eight digits carry the index, hidden by a reversible mix, so that no map of all ids is needed.
  const key = hashText(`history ids ${seed}`);
  const requestId = (index: number) => {
    const first = ((Math.imul(index, 0x9e3779b1) ^ key) >>> 0).toString(16).padStart(8, "0");
    return uuidFromHex(first + seededHex(24, "history", seed, index));
  };
  const history: JobHistory = {
    user,
    page: createHistoryPages({
      count,
      classes: models.flatMap(({ id, type }) => ENDINGS.map((status) => ({ modelId: id, modelType: type, status }))),
      classAt: (index) => modelPlace(index) * ENDINGS.length + endingPlace(mix(index, 3) % 100),
      createdAtSeconds: (index) => Math.floor(createdAt(index) / 1000),
    }),
    requestId,
    job(index) {
      const model = modelAt(index);
      const prompt = historyPrompt(mix(index, 4));
      const payload = {
        [model.parameters.some((p) => p.wire.name === "text") ? "text" : "prompt"]: prompt,
        ...seedFor(model, mix(index, 5)),
      };
      const full = withDefaults(model, payload);
      const seconds =
        model.timing === "sync" ? 0 : model.timing.minSeconds + Math.round(20 * seededFraction(seed, index));
      return {
        requestId: requestId(index),
        user,
        organisation: HOME_ORGANISATION,
        model,
        payload,
        priceMicroUsd: model.pricing.of(full),
        createdAtMs: createdAt(index),
        finishesAtMs: createdAt(index) + seconds * 1000,
        ending: endingAt(index),
        files: model.files(full),
        inputIds: [],
        fetchedFiles: new Set(),
      };
    },
    find(id) {
      if (!/^[0-9a-f]{8}-/.test(id)) return undefined;
      const index = Math.imul(Number.parseInt(id.slice(0, 8), 16) ^ key, INVERSE) >>> 0;
      return index < count && requestId(index) === id ? history.job(index) : undefined;
    },
  };
  return history;
}

/** Undoes the multiplication by 0x9e3779b1, modulo 2^32. */
const INVERSE = 0x0e8b2f51;

function scramble(value: number, key: number): number {
  let mixed = (value ^ key) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function seedFor(model: ModelDefinition, value: number): { seed?: number } {
  return model.parameters.some((parameter) => parameter.wire.name === "seed") ? { seed: (value % 1_000_000) + 1 } : {};
}

const SUBJECTS = [
  "A lighthouse",
  "An old tram",
  "Two herons",
  "A glass greenhouse",
  "A paper boat",
  "A night market",
  "A brass telescope",
  "A row of bicycles",
  "A sleeping fox",
  "A stone bridge",
  "A kite over dunes",
  "A small bakery",
] as const;

const SETTINGS = [
  "in morning fog",
  "after the rain",
  "under a red sky",
  "in falling snow",
  "by the harbor",
  "seen from above",
  "in a birch wood",
  "at the blue hour",
] as const;

const STYLES = [
  "35 mm film, soft grain",
  "ink and watercolor",
  "long exposure",
  "studio light, plain ground",
  "wide angle, low sun",
  "macro, shallow focus",
] as const;

/** A prompt for a job of the seeded history: the same for the same number. */
function historyPrompt(number: number): string {
  const subject = SUBJECTS[number % SUBJECTS.length];
  const setting = SETTINGS[Math.floor(number / 16) % SETTINGS.length];
  const style = STYLES[Math.floor(number / 256) % STYLES.length];
  return `${subject} ${setting}, ${style}`;
}
