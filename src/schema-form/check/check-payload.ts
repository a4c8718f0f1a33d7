import { atPath, isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { type Field, type FormSchema, fieldName, fieldPositions, type NumberField } from "../read/field.ts";
import { checkJson, type Issue, type JsonPath, MAX_STEPS } from "./check-json.ts";
import { findBestVariantIndex, isOption } from "./fits-field.ts";
import { type Problem, problemText } from "./problems.ts";

const BOUNDS: readonly [keyword: string, isBroken: (field: NumberField, value: number) => boolean][] = [
  ["minimum", ({ min, openMin }, value) => min !== undefined && (openMin ? value <= min : value < min)],
  ["maximum", ({ max, openMax }, value) => max !== undefined && (openMax ? value >= max : value > max)],
];

/**
 * Checks a number that is written as a text, which some services take or ask for (in-the-wild 1,
 * trap 1). Its range still counts. Undefined where the value is no such number.
 */
function numberAsText(field: Field, issue: Issue | undefined, value: unknown): Issue | "fine" | undefined {
  if (field.kind !== "number" || typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  if (Number.isNaN(number)) return field.asString ? { path: [], keyword: "type", schema: {} } : undefined;
  const broken = BOUNDS.find(([, isBroken]) => isBroken(field, number))?.[0];
  if (broken) return { path: issue?.path ?? [], keyword: broken, schema: {} };
  return "fine";
}

/**
 * Real listings contradict themselves (in-the-wild 5): their own defaults and options are always fine.
 */
function isTolerated(field: Field, issue: Issue, value: unknown, reading: FormSchema["reading"]): boolean {
  if (issue.keyword === "required") return false;
  if (field.defaultValue !== undefined && sameJson(value, field.defaultValue)) return true;
  if (field.kind === "choice" && isOption(field.options, value)) return true;
  if (issue.keyword !== "type") return false;
  if (value === null && field.nullable) return true;
  // A listing may type a field as one address and describe it as taking several.
  if (field.kind === "media" && field.shape === "either" && Array.isArray(value))
    return value.length <= (field.maxItems ?? Number.POSITIVE_INFINITY);
  return reading !== "json-schema" && reading !== "openapi" && numberAsText(field, issue, value) !== undefined;
}

/** For a value that fits none of several alternatives: the first issue of the alternative that it comes nearest to. */
function nearest(issue: Issue): Issue {
  const branches = (issue.branches ?? []).filter((branch) => branch.length > 0);
  const nearBranches = branches.filter((branch) =>
    branch.every((inner) => inner.path.length > issue.path.length || inner.keyword !== "type"),
  );
  const [best] = [...nearBranches].sort((a, b) => a.length - b.length);
  const [first] = best ?? [];
  return first && first.keyword !== "enum" && first.keyword !== "const" ? nearest(first) : issue;
}

/** A problem with its place as one text, and the position of its field in the form. */
interface Placed {
  problem: Problem;
  place: string;
  position: number;
}

function placed(schema: FormSchema, problem: Problem | undefined): Placed | undefined {
  if (!problem) return undefined;
  const position = fieldPositions(schema).get(String(problem.path[0])) ?? schema.fields.length;
  return { problem, place: JSON.stringify(problem.path), position };
}

/** The problems of missing top-level keys, by schema and key. */
const missingProblems = new WeakMap<FormSchema, Map<string, Placed | undefined>>();

/**
 * The problem of a missing top-level key. It is always the same object, because a long form needs it with every change.
 */
function describeMissing(schema: FormSchema, issue: Issue, key: string): Placed | undefined {
  const known = missingProblems.get(schema) ?? new Map<string, Placed | undefined>();
  missingProblems.set(schema, known);
  if (!known.has(key)) known.set(key, placed(schema, describeIssue(schema, {}, issue)));
  return known.get(key);
}

/** The problem of an issue; undefined where the issue is tolerated. */
function describe(schema: FormSchema, payload: JsonRecord, found: Issue): Placed | undefined {
  const issue = found.branches ? nearest(found) : found;
  const isMissing = issue.keyword === "required" && issue.path.length === 0 && issue.key !== undefined;
  if (isMissing) return describeMissing(schema, issue, issue.key ?? "");
  return placed(schema, describeIssue(schema, payload, issue));
}

function describeIssue(schema: FormSchema, payload: JsonRecord, issue: Issue): Problem | undefined {
  const path =
    issue.key === undefined || issue.keyword === "additionalProperties" ? issue.path : [...issue.path, issue.key];
  const [key] = path;
  const position = (typeof key === "string" ? fieldPositions(schema).get(key) : undefined) ?? -1;
  const topField = schema.fields[position];
  const value = atPath(payload, ...path);
  if (!topField) {
    const unknownKey = issue.keyword === "additionalProperties" ? issue.key : undefined;
    const message =
      unknownKey === undefined
        ? "These values conflict with each other."
        : `“${unknownKey}” isn’t a parameter of this model.`;
    return { name: "", label: unknownKey ?? "", path, message, missing: false };
  }
  const field = fieldAt(topField, path.slice(1));
  if (isTolerated(field, issue, value, schema.reading)) return undefined;
  const missing = issue.keyword === "required" || issue.keyword === "dependentRequired";
  const prefix = field === topField ? "" : `${topField.label}: `;
  return {
    name: fieldName(position),
    label: topField.label,
    path,
    message: prefix + problemText(field, issue, value),
    missing,
  };
}

/** What schemas cannot express: a required text must not be empty, and numbers written as strings have a range too. */
function ownProblems(schema: FormSchema, payload: JsonRecord): Problem[] {
  return Object.entries(payload).flatMap(([key, value]): Problem[] => {
    const position = fieldPositions(schema).get(key) ?? -1;
    const field = schema.fields[position];
    if (!field) return [];
    const problem = (issue: Issue, missing: boolean) => [
      {
        name: fieldName(position),
        label: field.label,
        path: [field.key],
        message: problemText(field, issue, value),
        missing,
      },
    ];
    if (
      field.required &&
      isEmpty(value) &&
      (field.kind === "text" || field.kind === "media") &&
      !sameJson(value, field.defaultValue)
    ) {
      return problem({ path: [], keyword: "required", schema: {} }, true);
    }
    const asText = numberAsText(field, undefined, value);
    if (asText && asText !== "fine") return problem(asText, false);
    return emptyFiles(field, value, []).map(({ field: inner, path }) => ({
      name: fieldName(position),
      label: field.label,
      path: [field.key, ...path],
      message: `${field.label}: ${problemText(inner, { path: [], keyword: "required", schema: {} }, "")}`,
      missing: true,
    }));
  });
}

/** The required files inside a value that are still empty, as in a new entry of a list. */
function emptyFiles(field: Field, value: unknown, path: JsonPath): { field: Field; path: JsonPath }[] {
  switch (field.kind) {
    case "media":
      if (path.length === 0 || !field.required || !isEmpty(value) || sameJson(value, field.defaultValue)) return [];
      return [{ field, path }];
    case "group":
      if (!isRecord(value)) return [];
      return field.fields.flatMap((inner) =>
        Object.hasOwn(value, inner.key) ? emptyFiles(inner, value[inner.key], [...path, inner.key]) : [],
      );
    case "map":
      if (!isRecord(value)) return [];
      return Object.entries(value).flatMap(([key, inner]) => emptyFiles(field.item, inner, [...path, key]));
    case "list":
    case "tuple":
      if (!Array.isArray(value)) return [];
      return value.flatMap((inner, at) => {
        const item = field.kind === "list" ? field.item : field.items[at];
        return item ? emptyFiles(item, inner, [...path, at]) : [];
      });
    case "union": {
      const variant = field.variants[findBestVariantIndex(field.variants, value)];
      return variant ? emptyFiles(variant, value, path) : [];
    }
    default:
      return [];
  }
}

const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0);

/**
 * Everything for which a payload must not be sent, in the order of the form, one problem per place. Patterns are not
 * run here: they run in a Worker that is stopped after 100 ms (`patterns.ts`).
 */
export function checkPayload(schema: FormSchema, payload: JsonRecord): Problem[] {
  const seen = new Set<string>();
  const found: Placed[] = [];
  const add = (next: Placed | undefined) => {
    if (next === undefined || seen.has(next.place)) return;
    seen.add(next.place);
    found.push(next);
  };
  for (const issue of checkJson(schema.schema, payload, { index: schema.index })) add(describe(schema, payload, issue));
  for (const problem of ownProblems(schema, payload)) add(placed(schema, problem));
  return found.sort((a, b) => a.position - b.position).map(({ problem }) => problem);
}

/** The type of the next step of a path into a value of each kind; undefined where no path leads into it. */
const STEP_INTO: Record<Field["kind"], "number" | "string" | undefined> = {
  text: undefined,
  number: undefined,
  boolean: undefined,
  choice: undefined,
  choices: "number",
  media: "number",
  colour: "string",
  group: "string",
  list: "number",
  tuple: "number",
  map: "string",
  union: undefined,
  json: undefined,
};

/**
 * The deepest field on the way along a path below `field`. The kind of the next step shows which variant of a union is
 * meant.
 */
function fieldAt(field: Field, path: JsonPath): Field {
  const [step, ...rest] = path;
  if (step === undefined) return field;
  if (field.kind === "group") {
    const next = field.fields.find((candidate) => candidate.key === step);
    return next ? fieldAt(next, rest) : field;
  }
  if (field.kind === "list" || field.kind === "map") return fieldAt(field.item, rest);
  if (field.kind === "tuple" && typeof step === "number") {
    const next = field.items[step];
    return next ? fieldAt(next, rest) : field;
  }
  if (field.kind === "union") {
    const next = field.variants.find((variant) => STEP_INTO[variant.kind] === typeof step);
    return next ? fieldAt(next, path) : field;
  }
  return field;
}

/** Steps of checking that all conditions on one payload share, because a form may have a condition for every field. */
const budgets = new WeakMap<JsonRecord, { left: number }>();

function budgetFor(values: JsonRecord): { left: number } {
  const budget = budgets.get(values) ?? { left: MAX_STEPS };
  budgets.set(values, budget);
  return budget;
}

/**
 * Whether a field applies to a payload: it has no conditions, or one of them is met. `values`: the payload with all
 * defaults filled in, the same object for all fields, because they share the steps of checking. Where those are used
 * up, every field applies.
 */
export function fieldApplies({ index }: FormSchema, { conditions }: Field, values: JsonRecord): boolean {
  if (conditions === undefined) return true;
  const budget = budgetFor(values);
  if (budget.left < 0) return true;
  return conditions.some((condition) =>
    "key" in condition
      ? Object.hasOwn(values, condition.key)
      : (checkJson(condition.schema, values, { index, budget }).length === 0) === condition.holds,
  );
}
