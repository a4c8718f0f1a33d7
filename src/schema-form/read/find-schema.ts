import { plainName } from "#lib/find-value.ts";
import { isRecord, type JsonRecord, ownRecord, ownString, tryParseJson } from "#lib/read.ts";
import { boundListing } from "./bound-listing.ts";
import type { AnswerPath, Reading } from "./field.ts";
import { asListing, type Listing } from "./listing.ts";
import { atPointer, indexSchema, type SchemaIndex } from "./references.ts";
import { keyWords } from "./roles.ts";

/** A place of a response that could be the listing of a model's parameters. */
export interface Candidate {
  path: AnswerPath;
  reading: Reading;
  names: readonly string[];
  score: number;
  /** The document that `$ref`s point into. */
  root: unknown;
  read: Listing["read"];
  /** The value itself. */
  node: unknown;
}

export interface Search {
  best: Candidate | undefined;
  /** Whether something speaks against the choice: another place fits nearly as well, or this one hardly. */
  isUnsure: boolean;
  /** The other places, the likeliest first. Those that list the same are left out. */
  others: readonly Candidate[];
  /** The place where the response says that there are no parameters: an empty list or object under a name of inputs. */
  emptyAt: AnswerPath | undefined;
}

// Bounds of one search, because a response may be made to last forever.
/** Records and lists that are visited. */
const MAX_NODES = 20_000;
/** Items that are visited of one list. */
const MAX_ITEMS = 30;
/** Keys and positions from the response to a place. */
const MAX_STEPS = 40;
/** Characters of one JSON text inside the response, and of all of them. */
const LONGEST_TEXT = 400_000;
const MAX_TEXT = 2_000_000;
/** Other places that are offered to the person. */
const MAX_OTHERS = 12;
/** Candidates that are compared to find those that list the same. */
const MAX_RANKED = 200;
/** Schemas made of references or parts that are flattened to see what they list. */
const MAX_COMBINED = 300;
/** Steps of flattening for one document. A form has more (`indexSchema`), but a search may index many documents. */
const FLATTENING_BUDGET = 3000;

const COMBINING = ["$ref", "allOf", "anyOf", "oneOf"];

/** A value of the response that is still to be visited. */
interface Place {
  node: unknown;
  path: AnswerPath;
  /** The records around it, the outermost first. */
  around: readonly unknown[];
  /** See `Surroundings`. */
  labels: readonly string[];
  bonus: number;
  isOpenApi: boolean;
}

class Walk {
  readonly candidates: Candidate[] = [];
  emptyAt: AnswerPath | undefined;
  private readonly indexes = new Map<unknown, SchemaIndex>();
  private readonly documents: unknown[] = [];
  private textLeft = MAX_TEXT;
  private combinedLeft = MAX_COMBINED;

  /** The listing that a value is, if any. Schemas of parts cost more to read, so only so many are. */
  listingOf(node: unknown, root: unknown): Listing | undefined {
    const isCombined = isRecord(node) && COMBINING.some((key) => node[key] !== undefined);
    if (isCombined) this.combinedLeft -= 1;
    return isCombined && this.combinedLeft < 0 ? undefined : asListing(node, this.indexOf(root));
  }

  /** A JSON text as its value, and any other value as it is; undefined for a text that is no JSON or too long. */
  parsed(value: unknown): unknown {
    if (typeof value !== "string") return value;
    if (value.length > LONGEST_TEXT || value.length > this.textLeft || !/^\s*[[{]/.test(value)) return undefined;
    this.textLeft -= value.length;
    const read = boundListing(tryParseJson(value));
    return read.isTooLarge ? undefined : read.raw;
  }

  /** The nearest document around `node` that its references lead into. */
  rootOf(node: unknown, around: readonly unknown[]): unknown {
    const ref = firstRef(node);
    const outermost = around[0] ?? node;
    if (ref === undefined) return outermost;
    const isWhole = isRecord(node) && ["$defs", "definitions", "$schema", "$id"].some((key) => node[key] !== undefined);
    if (!ref.startsWith("#/")) return isWhole ? node : outermost;
    const roots = [node, ...[...around].reverse(), ...this.documents];
    return roots.find((root) => atPointer(root, ref.slice(1)) !== undefined) ?? (isWhole ? node : outermost);
  }

  indexOf(root: unknown): SchemaIndex {
    const known = this.indexes.get(root);
    if (known) return known;
    const fresh = indexSchema(root);
    fresh.budget.left = FLATTENING_BUDGET;
    this.indexes.set(root, fresh);
    return fresh;
  }

  noteDocument(node: JsonRecord): void {
    const isDocument = ["components", "$defs", "definitions"].some((key) => isRecord(node[key]));
    if (isDocument && this.documents.length < 20) this.documents.push(node);
  }
}

/** The first reference inside a value, among its first few hundred parts. */
function firstRef(root: unknown): string | undefined {
  const queue: unknown[] = [root];
  for (let at = 0; at < queue.length && at < 400; at++) {
    const node = queue[at];
    if (isRecord(node) && typeof node.$ref === "string") return node.$ref;
    if (typeof node !== "object" || node === null) continue;
    for (const inner of Object.values(node).slice(0, 100)) if (typeof inner === "object" && inner) queue.push(inner);
  }
  return undefined;
}

/** Whether a value is an OpenAPI document, or the part of one that holds schemas. */
function isOpenApi(raw: JsonRecord): boolean {
  const schemas = ownRecord(ownRecord(raw, "components") ?? {}, "schemas");
  return ownString(raw, "openapi", "swagger") !== undefined || isRecord(raw.paths) || schemas !== undefined;
}

/** Keys whose short texts say what a record is for, such as `type: "model_run"`. */
const LABELS = /^(type|name|kind|title|operation|operationid|role|direction|usage|category|apipath|path|label)$/;

function labelsOf(node: JsonRecord): string[] {
  const keys = Object.keys(node).slice(0, 40);
  const texts = keys.filter((key) => LABELS.test(plainName(key))).map((key) => node[key]);
  return texts.filter((text): text is string => typeof text === "string" && text.length <= 80).slice(0, 4);
}

/**
 * The bonus of one item of several, such as a version: for being marked as the latest, less for standing further down.
 */
function itemBonus(item: unknown, position: number): number {
  const flags = ["islatest", "latest", "isdefault", "default", "current", "iscurrent", "active"];
  const isChosen =
    isRecord(item) && Object.keys(item).some((key) => item[key] === true && flags.includes(plainName(key)));
  return (isChosen ? 2 : 0) - 0.5 * Math.min(position, 4);
}

/** Properties of a request's body that may contain the payload. */
const INNER = /^(input|inputs|payload|body|parameters|params|arguments|args|data|modelinput|request)$/;
/** Properties of a request's body that are the request's own, and stand beside the payload. */
const BESIDE =
  /^(id|model|modelid|modelname|version|versionid|webhook\w*|callback\w*|createdat|outputfileprefix|stream|priority|metadata|user|userid|async|organization\w*|orgid|requestid|logs?|timeout|tags?|project\w*|queue|provider|type|task|action|operation|method|endpoint|region|idempotencykey|dryrun|ispublic|context|isnew|startedat|client\w*)$/;
/** Keywords of a schema whose values are its parts: what lies there is part of the schema, not a listing. */
const SCHEMA_PARTS = new Set(
  (
    "properties items prefixItems additionalProperties patternProperties allOf anyOf oneOf not if then else required enum " +
    "default examples example const dependentSchemas"
  ).split(" "),
);

/** The parts of a request body's schema that may be the payload. `isWrapper`: all others are the request's own. */
function payloadParts(schema: JsonRecord, walk: Walk, root: unknown) {
  const properties = ownRecord(schema, "properties") ?? {};
  const keys = Object.keys(properties);
  const inner = keys.filter((key) => INNER.test(plainName(key)) && isRecord(properties[key]));
  const isObject = (key: string) => {
    const part = properties[key];
    const listing = walk.listingOf(part, root);
    return listing?.reading === "json-schema" || (isRecord(part) && part.type === "object");
  };
  const objects = inner.filter(isObject).map((key) => ({ key, node: properties[key] }));
  const taken = new Set(objects.map(({ key }) => key));
  const others = keys.filter((key) => !taken.has(key));
  return { objects, isWrapper: objects.length > 0 && others.every((key) => BESIDE.test(plainName(key))) };
}

/** Visits one place: notes it as a candidate where it is a listing, and adds the places inside it to `queue`. */
function visit(walk: Walk, place: Place, queue: Place[]): void {
  const node = walk.parsed(place.node);
  if (typeof node !== "object" || node === null) return;
  // A JSON text is a document of its own: references inside it do not lead out.
  const around = node === place.node ? place.around : [];
  const { path } = place;
  const inOpenApi = place.isOpenApi || (isRecord(node) && isOpenApi(node));
  if (isRecord(node)) walk.noteDocument(node);
  const root = walk.rootOf(node, around);
  const listing = walk.listingOf(node, root);
  let { bonus } = place;
  let isSchema = false;
  if (listing && (listing.names.length > 0 || path.length === 0)) {
    isSchema = listing.reading === "json-schema";
    if (isSchema && isRecord(node)) {
      const { objects, isWrapper } = payloadParts(node, walk, root);
      for (const { key, node: inner } of objects) {
        const next = { node: inner, path: [...path, "properties", key], around: [...around, node] };
        queue.push({ ...place, ...next, bonus: isWrapper ? bonus : bonus - 4, isOpenApi: inOpenApi });
      }
      if (isWrapper) bonus -= 9;
    }
    const labels = isRecord(node) && typeof node.title === "string" ? [...place.labels, node.title] : place.labels;
    const score = scoreListing(listing, { path, labels, bonus });
    const reading = isSchema && inOpenApi ? "openapi" : listing.reading;
    walk.candidates.push({ path, reading, names: listing.names, score, root, read: listing.read, node });
    // What is surely a list of parameters has no other inside.
    if (!isSchema && listing.evidence > 0.6 && listing.reading !== "map") return;
  } else if (walk.emptyAt === undefined && isEmpty(node) && isInputPath(path)) walk.emptyAt = path;
  const next = { around: [...around, node], isOpenApi: inOpenApi };
  if (Array.isArray(node)) {
    for (const [position, item] of node.slice(0, MAX_ITEMS).entries()) {
      const labels = isRecord(item) ? [...place.labels, ...labelsOf(item)].slice(-6) : place.labels;
      const more = node.length > 1 ? itemBonus(item, position) : 0;
      queue.push({ ...place, ...next, node: item, path: [...path, position], labels, bonus: place.bonus + more });
    }
    return;
  }
  if (!isRecord(node)) return;
  for (const key of Object.keys(node)) {
    if (isSchema && SCHEMA_PARTS.has(key)) continue;
    const value = node[key];
    if ((typeof value === "object" && value !== null) || (typeof value === "string" && /^\s*[[{]/.test(value)))
      // Inside a schema only definitions are left here, and one of those is rarely the whole payload.
      queue.push({ ...place, ...next, node: value, path: [...path, key], bonus: place.bonus - (isSchema ? 8 : 0) });
  }
}

const isEmpty = (node: object): boolean =>
  Object.keys(node).length === 0 ||
  (isRecord(node) && isRecord(node.properties) && Object.keys(node.properties).length === 0);

/** Keys whose empty value means that a model has no parameters. */
const EMPTY_KEYS =
  /^(parameters|params|inputs?|arguments|args|payload|(input|request|payload|parameters?|params)schema|inputparameters)$/;

/** Whether an empty value at a path means that there are no parameters: a sure listing would score well there. */
function isInputPath(path: AnswerPath): boolean {
  const last = path.at(-1);
  if (typeof last !== "string" || !EMPTY_KEYS.test(plainName(last))) return false;
  const sureListing = { reading: "map" as const, names: ["prompt"], evidence: 1, hasMore: false, read: () => NOTHING };
  return scoreListing(sureListing, { path, labels: [], bonus: 0 }) > MIN_SCORE + 2;
}
const NOTHING = { schema: {}, notes: [] };

/** The names that a candidate lists as one text, to find candidates that list the same. */
const listedNames = ({ names }: Candidate) => JSON.stringify(names.slice(0, 200).sort());

/**
 * Looks for the listing of a payload's keys anywhere in a response: every list, table, map and schema is judged by
 * what it describes and by where it stands. Bounded for hostile responses.
 */
export function searchAnswer(raw: unknown): Search {
  const walk = new Walk();
  const queue: Place[] = [{ node: raw, path: [], around: [], labels: [], bonus: 0, isOpenApi: false }];
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const place = queue[at];
    if (place && place.path.length <= MAX_STEPS) visit(walk, place, queue);
  }
  // The sort is stable: of equal candidates the one nearer the top comes first.
  const ranked = walk.candidates.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const seen = new Set<string>();
  const distinct = ranked.slice(0, MAX_RANKED).filter((candidate) => {
    const key = listedNames(candidate);
    return !seen.has(key) && seen.add(key);
  });
  const [first, second] = distinct;
  const best = first && first.score >= MIN_SCORE ? first : undefined;
  const lead = best && second ? best.score - second.score : Number.POSITIVE_INFINITY;
  const isUnsure = best !== undefined && (best.score < SURE_SCORE || lead < CLEAR_LEAD);
  const others = (best ? distinct.slice(1) : distinct).slice(0, MAX_OTHERS);
  return { best, isUnsure, others, emptyAt: walk.emptyAt };
}

/** What stands at a place of a response; JSON texts on the way are read. Undefined where there is nothing. */
function atPlace(raw: unknown, path: AnswerPath): { node: unknown; around: readonly unknown[] } | undefined {
  const walk = new Walk();
  let node = walk.parsed(raw);
  let around: unknown[] = [];
  for (const step of path) {
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) return undefined;
    const inner: unknown = (node as Record<string | number, unknown>)[step];
    around = typeof inner === "string" ? [] : [...around, node];
    node = typeof inner === "string" ? walk.parsed(inner) : inner;
  }
  return node === undefined ? undefined : { node, around };
}

/** The listing at a place that the person named, or inside it; undefined where none is there. */
export function searchPlace(raw: unknown, path: AnswerPath): Candidate | undefined {
  const at = atPlace(raw, path);
  if (!at) return undefined;
  const walk = new Walk();
  const root = walk.rootOf(at.node, at.around);
  const listing = walk.listingOf(at.node, root);
  if (listing && listing.names.length > 0) {
    return { path, reading: listing.reading, names: listing.names, score: 0, root, read: listing.read, node: at.node };
  }
  const inner = searchAnswer(at.node).best;
  return inner && { ...inner, path: [...path, ...inner.path] };
}

const words = (text: string) => new Set(text.split(" "));

/** Keys below which a model's inputs stand. */
const INPUT = words(
  "input inputs parameter parameters param params args arg arguments argument payload request requests body fields form field",
);
/** Keys below which inputs stand about as often as something else. */
const MAYBE_INPUT = words("schema schemas options settings config configuration properties variables schemata");
/** Operations by which a model is run. */
const RUNS = words(
  "run runs generate generation generations predict prediction predictions inference submit invoke infer",
);
/** Keys below which stand no inputs, whatever the other keys of the path say. */
const OTHER = words(
  "output outputs response responses returned returns return error errors exception exceptions failure failures webhook " +
    "webhooks callback callbacks event events example examples sample samples demo demos pricing price prices billing cost " +
    "costs rate rates tier tiers header headers cookie cookies security auth internal private system status statuses log " +
    "logs metric metrics stats statistics usage quota history job jobs recent cancel upload uploads login token tokens " +
    "feedback health deprecated legacy links tags changelog validation account user users hardware limits outcome outcomes",
);
/** Keys that name what comes back where they end a path; further up they only wrap the response. */
const ENVELOPES = words("result results response return data");
/** Keys of training, which takes other parameters than a run. */
const TRAINING = words("train training trainings finetune finetuning trainer tuning");
/** Keys that make inputs a little less likely. */
const LESS = words("query path meta metadata info ui advanced deprecated old previous");
/** Names under which schemas are stored: not a listing of parameters by itself. */
const SCHEMA_STORES = words("defs definitions schemas components tools functions endpoints");

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

/** Points for the keys of a path. An envelope costs points until a key of inputs follows it. */
function pathScore(path: AnswerPath): number {
  let score = 0;
  let envelopeCost = 0;
  const keys = path.filter((step) => typeof step === "string");
  for (const [at, key] of keys.entries()) {
    const isLast = at === keys.length - 1;
    const plain = plainName(key);
    const parts = keyWords(key);
    const isInput = parts.some((part) => INPUT.has(part));
    if (ENVELOPES.has(plain)) {
      const isNext = at === keys.length - 2;
      envelopeCost = plain === "data" ? 0 : isLast ? 5 : isNext ? (plain.startsWith("result") ? 1.5 : 4) : 0.5;
      continue;
    }
    if (parts.some((part) => OTHER.has(part))) score -= 7;
    else if (isInput) {
      envelopeCost = 0;
      score += isLast ? 4 : at >= keys.length - 3 ? 2 : 0.5;
    } else if (parts.some((part) => MAYBE_INPUT.has(part))) score += isLast ? 1.5 : 0.3;
    if (parts.some((part) => TRAINING.has(part))) score -= 7;
    if (parts.some((part) => LESS.has(part))) score -= 1.5;
    if (parts.some((part) => RUNS.has(part))) score += 1;
    if (/^(latest|default|current)/.test(plain)) score += 1.5;
  }
  return Math.min(score, 6) - envelopeCost;
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
  /** Points for what else the walk knows: a wrapper, an inner part, a version that is the latest. */
  bonus: number;
}

/**
 * How likely a listing is the one of a model's inputs, in points. About 12 is a sure one; below `MIN_SCORE` it does not
 * count. All weights were found by measuring: `test/schema-form/read/envelopes.test.ts` shows what a change does.
 */
function scoreListing(listing: Listing, { path, labels, bonus }: Surroundings): number {
  const { names, evidence, hasMore, reading } = listing;
  const count = Math.max(1, names.length);
  const sample = names.slice(0, 100);
  const share = (test: (name: string) => boolean) => sample.filter(test).length / Math.max(1, sample.length);
  const isOutput = (name: string) => OUTPUT_NAME.has(plainName(name));
  const last = path.at(-1);
  const isSchemaStore =
    reading === "map" && typeof last === "string" && keyWords(last).some((word) => SCHEMA_STORES.has(word));
  return (
    4.5 * evidence +
    Math.log2(1 + Math.min(count, 30)) +
    3 * share((name) => INPUT_NAME.test(name) && !isOutput(name)) -
    6 * share(isOutput) +
    (hasMore ? 0.7 : 0) +
    (path.length === 0 ? 6 : pathScore(path)) +
    labelScore(labels) +
    bonus -
    (isSchemaStore ? 12 : 0) -
    // Records of records are everywhere in a response: only types and defaults make them a map of parameters.
    (reading === "map" && evidence < 0.5 ? 5 : 0) -
    0.2 * path.length
  );
}

/** A listing below this is taken for none. */
const MIN_SCORE = 5;
/** Below this, or with another listing so near, the choice is said to be in doubt. */
const SURE_SCORE = 7.5;
const CLEAR_LEAD = 1.6;
