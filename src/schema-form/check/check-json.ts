import { isRecord, type JsonRecord } from "#lib/json.ts";
import { findRef, indexSchema, isOldDraft, type SchemaIndex } from "../read/schema-index.ts";
import { checkArray } from "./check-array.ts";
import { type CheckContext, type Issue, type JsonPath, own } from "./check-context.ts";
import { checkObject } from "./check-object.ts";
import { checkValue, typeMatches } from "./check-value.ts";

/** How deep schemas and values may go before checking gives up and lets the service decide. */
const MAX_DEPTH = 200;
/** Schemas that branch into themselves would take forever: after so many steps the rest counts as allowed. */
const MAX_STEPS = 100_000;

export interface CheckOptions {
  /** The index of the document that `$ref`s point into. Made from the schema itself where absent. */
  index?: SchemaIndex | undefined;
  /** Runs a `pattern`. Without it patterns are left to the Worker (`pattern-check.ts`): they may never end. */
  testPattern?: ((pattern: string, text: string) => boolean) | undefined;
}

function checkCombined(context: CheckContext, schema: JsonRecord, value: unknown, path: JsonPath): Issue[] {
  const issues: Issue[] = [];
  const each = (key: string) => {
    const list = own(schema, key);
    return Array.isArray(list) ? list.map((part) => context.check(part, value, path)) : undefined;
  };
  for (const part of each("allOf") ?? []) issues.push(...part);
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
    if (context.oldDraft) return issues;
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
  issues.push(...checkCombined(context, schema, value, path));
  return issues;
}

/**
 * Checks a value against a JSON Schema (drafts 7 to 2020-12) without evaluating code: the page's policy forbids it.
 * Never throws. `$ref` stays in the document; `format` and the content keywords only describe.
 */
export function checkJson(schema: unknown, value: unknown, options: CheckOptions = {}): Issue[] {
  const index = options.index ?? indexSchema(schema);
  let steps = 0;
  const active = new Map<object, readonly number[]>();
  const context: CheckContext = {
    index,
    oldDraft: isOldDraft(index.root),
    testPattern: options.testPattern,
    depth: 0,
    check(part, inner, path) {
      if (!isRecord(part)) return checkSchema(context, part, inner, path);
      // Paths only grow on the way down, so the same schema at the same depth of path is a loop that consumes nothing.
      const running = active.get(part) ?? [];
      steps += 1;
      if (steps > MAX_STEPS || running.includes(path.length)) return [];
      active.set(part, [...running, path.length]);
      context.depth += 1;
      const issues = checkSchema(context, part, inner, path);
      context.depth -= 1;
      active.set(part, running);
      return issues;
    },
  };
  return context.check(schema, value, []);
}
