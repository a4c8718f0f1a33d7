import { plainName } from "#lib/find-value.ts";
import type { AnswerPath } from "./field.ts";
import type { Listing } from "./listing.ts";
import { keyWords } from "./roles.ts";

const words = (text: string) => new Set(text.split(" "));

/** Keys below which a model's inputs stand. */
const INPUT = words(
  "input inputs parameter parameters param params args arg arguments argument payload request requests body fields form field",
);
/** Keys that do, and as often are something else. */
const MAYBE_INPUT = words("schema schemas options settings config configuration properties variables schemata");
/** Operations by which a model is run. */
const RUNS = words(
  "run runs generate generation generations predict prediction predictions inference submit invoke infer",
);
/** Below these stands something else, whatever else is said on the way. */
const OTHER = words(
  "output outputs response responses returned returns return error errors exception exceptions failure failures webhook " +
    "webhooks callback callbacks event events example examples sample samples demo demos pricing price prices billing cost " +
    "costs rate rates tier tiers header headers cookie cookies security auth internal private system status statuses log " +
    "logs metric metrics stats statistics usage quota history job jobs recent cancel upload uploads login token tokens " +
    "feedback health deprecated legacy links tags changelog validation account user users hardware limits outcome outcomes",
);
/** As the last of the path's words they speak of what comes back; further up they are envelopes. */
const ENVELOPES = words("result results response return data");
const TRAINING = words("train training trainings finetune finetuning trainer tuning");
const LESS = words("query path meta metadata info ui advanced deprecated old previous path");
/** Where named schemas are stored: not a listing of parameters by itself. */
const SHELVES = words("defs definitions schemas components tools functions endpoints");

/** Names of what a generation model takes. */
const INPUT_NAME =
  /prompt|^text|seed|image|video|audio|mask|width|height|size|ratio|aspect|duration|steps|guidance|cfg|scale|strength|style|voice|speed|resolution|format|quality|lora|^num|^n$|count|fps|frame|instruction|lyrics|sampler|scheduler|temperature|top_?[pk]|max_|language|emotion|pitch|mode|camera|motion|background|safety|watermark|reference|negative|batch|file|input|model/i;
/** Names of what comes back from one. */
const OUTPUT_NAME = words(
  "id status state createdat updatedat startedat completedat finishedat logs metrics error errors output outputs outcome " +
    "result results requestid jobid taskid predictionid queueposition responseurl statusurl cancelurl urls code message " +
    "detail details loc msg price cost amount currency total progress eta usage hasnsfwconcepts timings mediaurls event " +
    "webhookid success webhookurl response request data contenttype filename filesize",
);

function pathScore(path: AnswerPath): number {
  let score = 0;
  let soft = 0;
  const keys = path.filter((step) => typeof step === "string");
  for (const [at, key] of keys.entries()) {
    const isLast = at === keys.length - 1;
    const plain = plainName(key);
    const parts = keyWords(key);
    const isInput = parts.some((part) => INPUT.has(part));
    if (ENVELOPES.has(plain)) {
      const isNext = at === keys.length - 2;
      soft = plain === "data" ? 0 : isLast ? 5 : isNext ? (plain.startsWith("result") ? 1.5 : 4) : 0.5;
      continue;
    }
    if (parts.some((part) => OTHER.has(part))) score -= 7;
    else if (isInput) {
      soft = 0;
      score += isLast ? 4 : at >= keys.length - 3 ? 2 : 0.5;
    } else if (parts.some((part) => MAYBE_INPUT.has(part))) score += isLast ? 1.5 : 0.3;
    if (parts.some((part) => TRAINING.has(part))) score -= 7;
    if (parts.some((part) => LESS.has(part))) score -= 1.5;
    if (parts.some((part) => RUNS.has(part))) score += 1;
    if (/^(latest|default|current)/.test(plain)) score += 1.5;
  }
  return Math.min(score, 6) - soft;
}

/** What the labels of the records on the way say, such as `type: "model_run"` beside a schema. */
function labelScore(labels: readonly string[]): number {
  let score = 0;
  for (const label of labels) {
    const parts = keyWords(label);
    if (parts.some((part) => RUNS.has(part) || INPUT.has(part))) score += 1.5;
    if (parts.some((part) => OTHER.has(part))) score -= 4;
    if (parts.some((part) => TRAINING.has(part))) score -= 4;
  }
  return Math.max(-8, Math.min(3, score));
}

interface Surroundings {
  path: AnswerPath;
  /** Words that name the records on the way: types, names, operations. */
  labels: readonly string[];
  /** What else the walk knows: a wrapper, an inner part, a version that is the latest. */
  bonus: number;
}

/**
 * The score of a listing as the one of a model's inputs. About 12 is a sure one; below `LEAST` it is none.
 */
export function scoreListing(listing: Listing, { path, labels, bonus }: Surroundings): number {
  const { names, evidence, hasMore, reading } = listing;
  const count = Math.max(1, names.length);
  const sample = names.slice(0, 100);
  const share = (test: (name: string) => boolean) => sample.filter(test).length / Math.max(1, sample.length);
  const isOutput = (name: string) => OUTPUT_NAME.has(plainName(name));
  const last = path.at(-1);
  const isShelf = reading === "map" && typeof last === "string" && keyWords(last).some((word) => SHELVES.has(word));
  return (
    4.5 * evidence +
    Math.log2(1 + Math.min(count, 30)) +
    3 * share((name) => INPUT_NAME.test(name) && !isOutput(name)) -
    6 * share(isOutput) +
    (hasMore ? 0.7 : 0) +
    (path.length === 0 ? 6 : pathScore(path)) +
    labelScore(labels) +
    bonus -
    (isShelf ? 12 : 0) -
    // Records of records are everywhere in an answer: only types and defaults make them a map of parameters.
    (reading === "map" && evidence < 0.5 ? 5 : 0) -
    0.2 * path.length
  );
}

/** A listing below this is taken for none. */
export const MIN_SCORE = 5;
/** Below this, or with another listing so near, the choice is said to be in doubt. */
export const SURE_SCORE = 7.5;
export const CLEAR_LEAD = 1.6;
