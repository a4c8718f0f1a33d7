import { PRICE_BEFORE_CHARGE } from "#api/charge-words.ts";
import { isRecord, type JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { markAdvanced, withOneMainPrompt } from "./arrange-fields.ts";
import { boundListing } from "./bound-listing.ts";
import { buildProperties } from "./build-fields.ts";
import { type BuildContext, isRgb } from "./build-scalar.ts";
import type { AnswerPath, FormSchema, ReadingPlace, Role } from "./field.ts";
import { type Candidate, type Search, searchAnswer, searchPlace } from "./find-schema.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { indexSchema } from "./references.ts";

/** The most fields that a listing may make the page build, those inside others included. */
const MAX_FIELDS = 500;

export interface SchemaHints {
  /** Roles that the person set, by key. `none` takes a guessed role away. */
  roles?: Readonly<Record<string, Role | "none">> | undefined;
  /** The place where the person said that the parameters of this service's models stand. Absent: the guess is used. */
  place?: AnswerPath | undefined;
}

const NOTHING: JsonRecord = { type: "object" };

const TOO_LARGE = "This model has too many parameters for a form. Enter the settings as JSON. The service checks them.";

const NO_FIELDS = "This model has no parameters that a form can show. Enter the settings as JSON.";

const UNREAD =
  "The service’s response about this model has no readable list of parameters. Enter the settings as JSON, with the keys " +
  `from the model’s docs. ${PRICE_BEFORE_CHARGE}`;

const placeOf = ({ path, names, reading }: Candidate): ReadingPlace => ({ path, count: names.length, reading });

/** Steps of a path that say nothing to a person: where a document stores its schemas, and its format. */
const PLUMBING = /^(components|schemas|definitions|\$defs|content|application\/json|properties)$/;

/** A place of a response in words: `data › latest_version › openapi_schema › Input`. */
export function placeWords(path: AnswerPath): string {
  const steps = path.filter((step, at) => at === path.length - 1 || !PLUMBING.test(String(step)));
  if (steps.length === 0) return "the whole response";
  return steps.map((step) => (typeof step === "number" ? `item ${step + 1}` : visibleLine(step, 60))).join(" › ");
}

/** The result where there is no form, with the reason. */
function unread(note: string, answer: unknown, others: readonly ReadingPlace[] = []): FormSchema {
  const words = { notes: [note], limits: [note] };
  return { reading: "none", fields: [], ...words, schema: NOTHING, index: indexSchema(NOTHING), answer, others };
}

/** Finds the listing in a response. Of one that is too large as a whole, only the listing is bounded and read. */
function findListing(answer: unknown, place: AnswerPath | undefined) {
  const whole = boundListing(answer);
  const raw = whole.isTooLarge ? answer : whole.raw;
  const chosen = place && searchPlace(raw, place);
  const found: Search = searchAnswer(raw);
  const best = chosen ?? found.best;
  if (!whole.isTooLarge || !best) return { found, best, chosen, notes: whole.notes, isTooLarge: whole.isTooLarge };
  const part = boundListing(best.node);
  const again = part.isTooLarge ? undefined : searchPlace(part.raw, []);
  const read = again && { ...again, path: best.path, root: again.node };
  return { found, best: read, chosen: chosen && read, notes: part.notes, isTooLarge: read === undefined };
}

/**
 * Reads what a service says about a model (in-the-wild 1 and 5) into a form of its parameters,
 * wherever in `raw` they are listed; `raw` may also be the listing itself. Where nothing can be read, `fields` is empty
 * and `reading` is `none`: the payload is then written as JSON. `empty`: the model takes no parameters.
 */
export function readSchema(raw: unknown, hints: SchemaHints = {}): FormSchema {
  const { found, best, chosen, notes, isTooLarge } = findListing(raw, hints.place);
  const others = [...(chosen && found.best ? [found.best] : []), ...found.others]
    .filter(({ path }) => JSON.stringify(path) !== JSON.stringify(best?.path))
    .map(placeOf);
  if (isTooLarge) return unread(TOO_LARGE, raw);
  const isEmpty = found.emptyAt !== undefined && !chosen && (!best || found.isUnsure);
  if (isEmpty && found.emptyAt)
    return withoutParameters(raw, found.emptyAt, best ? [placeOf(best), ...others] : others);
  if (!best) return unread(UNREAD, raw, others);
  const read = best.read();
  const context: BuildContext = {
    index: indexSchema(best.root),
    roles: new Map(Object.entries(hints.roles ?? {})),
    budget: { left: MAX_FIELDS },
    notes: [...notes, ...read.notes],
    limits: [...notes],
  };
  const flat = flattenSchema(context.index, read.schema);
  const schema = isRecord(flat.schema) ? flat.schema : NOTHING;
  if (flat.problem) context.notes.push(flat.problem);
  const place = { key: "", required: true, depth: 0, trail: flat.trail };
  const fields = isRgb(schema) ? [] : buildProperties(context, schema, place);
  return {
    reading: best.reading,
    fields: markAdvanced(withOneMainPrompt(fields)),
    notes: context.notes,
    limits: fields.length > 0 ? [...new Set(context.limits)] : [NO_FIELDS],
    schema: read.schema,
    index: context.index,
    answer: raw,
    place: placeOf(best),
    isChosen: chosen !== undefined,
    isUnsure: chosen === undefined && found.isUnsure,
    others,
  };
}

/** The result for a model whose listing is empty. */
function withoutParameters(answer: unknown, path: AnswerPath, others: readonly ReadingPlace[]): FormSchema {
  const note = `This model has no parameters: its list (${placeWords(path)}) is empty. You can still enter settings as JSON.`;
  const place = { path, count: 0, reading: "empty" as const };
  return { ...unread(note, answer, others), reading: "empty", place, isUnsure: others.length > 0 };
}
