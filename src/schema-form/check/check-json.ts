import { isRecord, type JsonRecord, sameJson } from "#lib/read.ts";
import { findRef, indexSchema, isOldDraft, type SchemaIndex } from "../read/references.ts";

/** A place in a payload: keys of objects and positions in arrays. */
export type JsonPath = readonly (string | number)[];

/** One thing that a schema does not allow. */
export interface Issue {
  path: JsonPath;
  keyword: string;
  /** The schema that holds the keyword. */
  schema: JsonRecord;
  /** For `required`, `dependentRequired` and unknown keys: which key. */
  key?: string;
  /** For `anyOf` and `oneOf`: the issues of each alternative. */
  branches?: readonly (readonly Issue[])[];
}

interface CheckContext {
  index: SchemaIndex;
  /** Draft 7 and older: `$ref` hides the keys beside it. */
  isOldDraft: boolean;
  testPattern: ((pattern: string, text: string) => boolean) | undefined;
  depth: number;
  /** The path of one step further down. It is the same object every time, so that results are found by it. */
  below(path: JsonPath, step: string | number): JsonPath;
  check(schema: unknown, value: unknown, path: JsonPath): Issue[];
}

/** How deep schemas and values may go before checking stops and leaves the decision to the service. */
const MAX_DEPTH = 200;
/** The steps after which the rest counts as allowed: schemas that branch into themselves would take forever. */
export const MAX_STEPS = 100_000;
/** The most issues of one schema and value. Nobody reads more, and alternatives multiply them. */
const MAX_ISSUES = 20_000;

interface CheckOptions {
  /** The index of the document that `$ref`s point into. Made from the schema itself where absent. */
  index?: SchemaIndex | undefined;
  /** Runs a `pattern`. Without it patterns are left to the Worker (`patterns.ts`): they may never end. */
  testPattern?: ((pattern: string, text: string) => boolean) | undefined;
  /** Steps that are left, where several checks share them. */
  budget?: { left: number } | undefined;
}

function checkCombined(context: CheckContext, schema: JsonRecord, value: unknown, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const each = (key: string) => {
    const list = own(schema, key);
    return Array.isArray(list) ? list.map((part) => context.check(part, value, path)) : undefined;
  };
  // The same part twice gives the same list of issues, which counts once.
  for (const part of new Set(each("allOf"))) for (const issue of part) issues.push(issue);
  const any = each("anyOf");
  if (any && any.length > 0 && !any.some((part) => part.length === 0)) {
    issues.push({ path, keyword: "anyOf", schema, branches: any });
  }
  const one = each("oneOf");
  const matches = one?.filter((part) => part.length === 0).length ?? 1;
  if (one && one.length > 0 && matches !== 1) {
    issues.push({ path, keyword: "oneOf", schema, branches: matches === 0 ? one : [] });
  }
  const not = own(schema, "not");
  if (not !== undefined && context.check(not, value, path).length === 0) issues.push({ path, keyword: "not", schema });
  const condition = own(schema, "if");
  if (condition !== undefined) {
    const branch = context.check(condition, value, path).length === 0 ? own(schema, "then") : own(schema, "else");
    if (branch !== undefined) issues.push(...context.check(branch, value, path));
  }
  return issues;
}

function checkSchema(context: CheckContext, schema: unknown, value: unknown, path: JsonPath): Issue[] {
  if (schema === false) return [{ path, keyword: "false", schema: {} }];
  if (!isRecord(schema) || context.depth > MAX_DEPTH) return [];
  const issues: Issue[] = [];
  const fail = (keyword: string) => issues.push({ path, keyword, schema });
  const ref = own(schema, "$ref") ?? own(schema, "$dynamicRef") ?? own(schema, "$recursiveRef");
  if (typeof ref === "string") {
    const target = findRef(context.index, ref, schema);
    if (target !== undefined) issues.push(...context.check(target, value, path));
    if (context.isOldDraft) return issues;
  }
  if (value === null && own(schema, "nullable") === true) return issues;
  const type = own(schema, "type");
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (
    types.length > 0 &&
    !types.some((word) => (isRecord(word) ? context.check(word, value, path).length === 0 : typeMatches(word, value)))
  ) {
    fail("type");
  }
  checkValue(schema, value, fail);
  const pattern = own(schema, "pattern");
  if (typeof value === "string" && typeof pattern === "string" && context.testPattern?.(pattern, value) === false) {
    fail("pattern");
  }
  if (Array.isArray(value)) issues.push(...checkArray(context, schema, value, path));
  if (isRecord(value)) issues.push(...checkObject(context, schema, value, path));
  for (const issue of checkCombined(context, schema, value, path)) issues.push(issue);
  return issues.length > 1 ? [...new Set(issues)].slice(0, MAX_ISSUES) : issues;
}

/** The remembered result for one schema and one value at one place. */
interface Known {
  value: unknown;
  issues: Issue[];
}

/**
 * Checks a value against a JSON Schema (drafts 7 to 2020-12) without evaluating code: the page's policy forbids it.
 * `$ref` stays in the document; `format` and the content keywords only describe.
 */
export function checkJson(schema: unknown, value: unknown, options: CheckOptions = {}): Issue[] {
  const index = options.index ?? indexSchema(schema);
  const budget = options.budget ?? { left: MAX_STEPS };
  /** The lengths of the paths at which each schema is being checked at the moment. */
  const active = new Map<object, readonly number[]>();
  // Keyed by the path object: `below` makes one for each place.
  const known = new Map<object, Map<JsonPath, Known>>();
  /** How often checking was cut short: at a loop, or because the budget was used up. */
  let cutCount = 0;
  const context: CheckContext = {
    index,
    isOldDraft: isOldDraft(index.root),
    testPattern: options.testPattern,
    depth: 0,
    below: pathMaker(),
    check(part, inner, path) {
      if (!isRecord(part)) return checkSchema(context, part, inner, path);
      const remembered = known.get(part)?.get(path);
      if (remembered && Object.is(remembered.value, inner)) return remembered.issues;
      // Paths only grow on the way down, so the same schema at the same depth of path is a loop that consumes nothing.
      const running = active.get(part) ?? [];
      budget.left -= 1;
      if (budget.left < 0 || running.includes(path.length)) {
        cutCount += 1;
        return [];
      }
      const cutsBefore = cutCount;
      active.set(part, [...running, path.length]);
      context.depth += 1;
      const issues = checkSchema(context, part, inner, path);
      context.depth -= 1;
      active.set(part, running);
      // A result that was cut short holds only here.
      if (cutCount === cutsBefore) remember(known, part, path, { value: inner, issues });
      return issues;
    },
  };
  return context.check(schema, value, []);
}

function remember(known: Map<object, Map<JsonPath, Known>>, part: object, path: JsonPath, found: Known): void {
  const places = known.get(part) ?? new Map<JsonPath, Known>();
  known.set(part, places.set(path, found));
}

function pathMaker(): CheckContext["below"] {
  const made = new WeakMap<JsonPath, Map<string | number, JsonPath>>();
  return (path, step) => {
    const steps = made.get(path) ?? new Map<string | number, JsonPath>();
    made.set(path, steps);
    const next = steps.get(step) ?? [...path, step];
    steps.set(step, next);
    return next;
  };
}

function checkItems(context: CheckContext, schema: JsonRecord, value: readonly unknown[], path: JsonPath): Issue[] {
  const prefix = own(schema, "prefixItems");
  const items = own(schema, "items");
  const fixed = Array.isArray(prefix) ? prefix : Array.isArray(items) ? items : [];
  // Draft 7 wrote the tuple under `items` and the rest under `additionalItems`.
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  return value.flatMap((item, position) => {
    const part = position < fixed.length ? fixed[position] : rest;
    return part === undefined ? [] : context.check(part, item, context.below(path, position));
  });
}

function checkContains(context: CheckContext, schema: JsonRecord, value: readonly unknown[], path: JsonPath): Issue[] {
  const contains = own(schema, "contains");
  if (contains === undefined) return [];
  const found = value.filter((item, at) => context.check(contains, item, context.below(path, at)).length === 0).length;
  const least = own(schema, "minContains");
  const most = own(schema, "maxContains");
  const issues: Issue[] = [];
  if (found < (typeof least === "number" ? least : 1)) issues.push({ path, keyword: "contains", schema });
  if (typeof most === "number" && found > most) issues.push({ path, keyword: "maxContains", schema });
  return issues;
}

function checkArray(context: CheckContext, schema: JsonRecord, value: readonly unknown[], path: JsonPath): Issue[] {
  const issues = [...checkItems(context, schema, value, path), ...checkContains(context, schema, value, path)];
  checkCount(schema, value, (keyword) => issues.push({ path, keyword, schema }));
  if (own(schema, "uniqueItems") === true) {
    const seen = new Set<unknown>();
    const again = value.findIndex((item) => {
      const known = comparable(item);
      return seen.has(known) || !seen.add(known);
    });
    if (again >= 0) issues.push({ path: [...path, again], keyword: "uniqueItems", schema });
  }
  return issues;
}

/** How many keys a record had when it was first asked. It only decides which of two is walked. */
const sizes = new WeakMap<object, number>();

function sizeOf(source: JsonRecord): number {
  const known = sizes.get(source) ?? Object.keys(source).length;
  sizes.set(source, known);
  return known;
}

function checkKeys(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const properties = own(schema, "properties");
  const patterns = own(schema, "patternProperties");
  const rest = own(schema, "additionalProperties");
  const names = own(schema, "propertyNames");
  const patternParts = isRecord(patterns) ? Object.entries(patterns) : [];
  const isOfNamesOnly = patternParts.length === 0 && rest === undefined && names === undefined;
  if (isOfNamesOnly && !isRecord(properties)) return issues;
  // One of many conditions on a long payload looks at its own few names.
  const isShorter = isOfNamesOnly && isRecord(properties) && sizeOf(properties) < sizeOf(value);
  const keys = Object.keys(isShorter ? properties : value);
  for (const key of isShorter ? keys.filter((name) => Object.hasOwn(value, name)) : keys) {
    const item = value[key];
    // Without a way to run patterns every key may match one, so no key is unknown.
    let isKnown = patternParts.length > 0 && !context.testPattern;
    if (isRecord(properties) && Object.hasOwn(properties, key)) {
      isKnown = true;
      issues.push(...context.check(properties[key], item, context.below(path, key)));
    }
    for (const [pattern, part] of context.testPattern ? patternParts : []) {
      if (context.testPattern?.(pattern, key)) {
        isKnown = true;
        issues.push(...context.check(part, item, context.below(path, key)));
      }
    }
    if (!isKnown && rest !== undefined) {
      if (rest === false) issues.push({ path, keyword: "additionalProperties", schema, key });
      else issues.push(...context.check(rest, item, context.below(path, key)));
    }
    if (names !== undefined && context.check(names, key, context.below(path, key)).length > 0) {
      issues.push({ path, keyword: "propertyNames", schema, key });
    }
  }
  return issues;
}

function checkDependent(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"] as const) {
    const rules = own(schema, keyword);
    if (!isRecord(rules)) continue;
    for (const [trigger, rule] of Object.entries(rules)) {
      if (!Object.hasOwn(value, trigger)) continue;
      if (!Array.isArray(rule)) issues.push(...context.check(rule, value, path));
      else {
        const missing = rule.filter((key): key is string => typeof key === "string" && !Object.hasOwn(value, key));
        for (const key of missing) issues.push({ path, keyword: "dependentRequired", schema: { trigger }, key });
      }
    }
  }
  return issues;
}

function checkObject(context: CheckContext, schema: JsonRecord, value: JsonRecord, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const required = own(schema, "required");
  for (const key of Array.isArray(required) ? required : []) {
    if (typeof key === "string" && !Object.hasOwn(value, key)) issues.push({ path, keyword: "required", schema, key });
  }
  issues.push(...checkKeys(context, schema, value, path), ...checkDependent(context, schema, value, path));
  const least = own(schema, "minProperties");
  const most = own(schema, "maxProperties");
  const count = least === undefined && most === undefined ? 0 : Object.keys(value).length;
  if (typeof least === "number" && count < least) issues.push({ path, keyword: "minProperties", schema });
  if (typeof most === "number" && count > most) issues.push({ path, keyword: "maxProperties", schema });
  return issues;
}

/**
 * A keyword's own value, never one from the prototype: a schema from the wire could name `constructor`. Undefined where
 * it has none.
 */
function own(schema: JsonRecord, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/** A value as one that is equal for equal values: an object or a list as its text, with its keys in order. */
function comparable(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  if (typeof value !== "object" || value === null) return value;
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** What `hasValue` has read of long lists: a list of a schema stays as it is, and is asked with every change. */
const valuesOf = new WeakMap<object, Set<unknown>>();

/** Whether a list has a value, as `sameJson` compares. */
export function hasValue(list: readonly unknown[], value: unknown): boolean {
  if (list.length < SHORT_LIST) return list.some((one) => sameJson(one, value));
  const known = valuesOf.get(list) ?? new Set(list.map(comparable));
  valuesOf.set(list, known);
  return known.has(comparable(value));
}
const SHORT_LIST = 20;

/** Whether `value` is of a JSON Schema type. A word that JSON Schema does not know allows every value. */
function typeMatches(type: unknown, value: unknown): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isRecord(value);
  if (type === "string" || type === "number" || type === "boolean") return typeof value === type;
  return true;
}

/** Whether `value` is a multiple of `step`, forgiving the last bits of binary fractions (0.15 is 3 × 0.05). */
function isMultiple(value: number, step: number): boolean {
  if (step === 0) return true;
  const times = value / step;
  if (!Number.isFinite(times)) return false;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function checkNumber(schema: JsonRecord, value: number, fail: (keyword: string) => void): void {
  const limit = (key: string) => (typeof own(schema, key) === "number" ? (own(schema, key) as number) : undefined);
  const [low, high] = [limit("minimum"), limit("maximum")];
  const [above, below, step] = [limit("exclusiveMinimum"), limit("exclusiveMaximum"), limit("multipleOf")];
  if (low !== undefined && (own(schema, "exclusiveMinimum") === true ? value <= low : value < low)) fail("minimum");
  if (high !== undefined && (own(schema, "exclusiveMaximum") === true ? value >= high : value > high)) fail("maximum");
  if (above !== undefined && value <= above) fail("exclusiveMinimum");
  if (below !== undefined && value >= below) fail("exclusiveMaximum");
  if (step !== undefined && !isMultiple(value, step)) fail("multipleOf");
}

/**
 * The keywords that look at one value and at nothing inside it, patterns left out. `fail` is called with each keyword
 * that the value breaks.
 */
function checkValue(schema: JsonRecord, value: unknown, fail: (keyword: string) => void): void {
  if (Object.hasOwn(schema, "const") && !sameJson(schema.const, value)) fail("const");
  const options = own(schema, "enum");
  if (Array.isArray(options) && !hasValue(options, value)) fail("enum");
  if (typeof value === "number") checkNumber(schema, value, fail);
  const [least, most] = [own(schema, "minLength"), own(schema, "maxLength")];
  if (typeof value === "string" && (typeof least === "number" || typeof most === "number")) {
    const length = [...value].length;
    if (typeof least === "number" && length < least) fail("minLength");
    if (typeof most === "number" && length > most) fail("maxLength");
  }
}

/** Checks how many items an array has: `fail` is called with each keyword that it breaks. */
function checkCount(schema: JsonRecord, value: readonly unknown[], fail: (keyword: string) => void): void {
  const [least, most] = [own(schema, "minItems"), own(schema, "maxItems")];
  if (typeof least === "number" && value.length < least) fail("minItems");
  if (typeof most === "number" && value.length > most) fail("maxItems");
}
