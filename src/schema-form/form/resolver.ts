import type { FieldError, FieldErrors } from "react-hook-form";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { checkPayload } from "../check/check-payload.ts";
import { type DeletedTest, deletedFileProblems } from "../check/deleted-files.ts";
import { type PatternJob, type PatternResults, patternJobs } from "../check/patterns.ts";
import type { Problem } from "../check/problems.ts";
import { type TextTest, textProblems } from "../check/text-problems.ts";
import { type Draft, valuesWithUploads } from "../draft.ts";
import { type Field, type FormSchema, fieldNames } from "../read/field.ts";
import {
  type FieldValue,
  type FormValues,
  fieldValue,
  OTHER_KEYS,
  type OtherKeys,
  otherKeys,
  recordsFromValues,
} from "./field-values.ts";

/**
 * What react-hook-form holds as the error of a field. `type` is `required` while nothing is given, `server` for what
 * the service refused, else `invalid`.
 */
export interface FormError extends FieldError {
  /** All that is wrong with the field, also inside it. The same array while the problems are the same. */
  problems: readonly Problem[];
  /** For `server`: the value that was refused. The error ends with it. */
  refused?: FieldValue | undefined;
}

type FormErrors = Partial<Record<string, FormError>>;

/** The result of checking a form's values. */
export interface Checked {
  /** What the form holds, uploads included. */
  draft: Draft;
  /** What a run would send. */
  payload: JsonRecord;
  /** Every problem for which the payload cannot be sent, in the order of the form. */
  problems: readonly Problem[];
  /** The problems by the name of the field in react-hook-form. */
  errors: FormErrors;
}

interface FormChecker {
  /** Checks the values. A draft or a payload that equals the last one is the same object. */
  check: (values: FormValues) => Checked;
  /** Texts whose pattern has not been run yet. */
  untestedPatterns: (values: FormValues) => PatternJob[];
  /** Takes what a run of patterns found. Returns the names of the fields that may have another error now. */
  takePatterns: (jobs: readonly PatternJob[], results: PatternResults) => string[];
  /** Whether the pattern of a field took too long for its value: only the service can check it. */
  isUnchecked: (field: Field, value: unknown) => boolean;
}

/**
 * The checker of one form. Patterns run in a worker, so their results arrive later and are remembered by pattern and
 * text: until then a text counts as fine. `isDeleted`: whether the file at an address is known to be gone. `testText`:
 * what must not be sent.
 */
export function createFormChecker(schema: FormSchema, isDeleted?: DeletedTest, testText?: TextTest): FormChecker {
  const names = fieldNames(schema);
  const patterns = new Map<string, "fails" | "fits" | "stopped">();
  const withPattern = schema.fields.flatMap((field, position) =>
    field.kind === "text" && field.pattern !== undefined ? [{ name: names[position] ?? "", field }] : [],
  );
  let lastChecked: Checked | undefined;

  const jobsOf = (values: FormValues) =>
    patternJobs(withPattern.map(({ name, field }) => ({ name, field, value: fieldValue(values[name]).sent })));

  function check(values: FormValues): Checked {
    const made = recordsFromValues(schema, values);
    const draft =
      lastChecked && sameEntries(valuesWithUploads(lastChecked.draft), valuesWithUploads(made.draft), Object.is)
        ? lastChecked.draft
        : made.draft;
    const payload =
      lastChecked && sameEntries(lastChecked.payload, made.payload, isSameText) ? lastChecked.payload : made.payload;
    const problems = [
      ...unreadableTexts(schema, names, values),
      ...checkPayload(schema, payload),
      ...(isDeleted ? deletedFileProblems(schema, payload, isDeleted) : []),
      ...(testText ? textProblems(schema, payload, testText) : []),
      ...(withPattern.length === 0 ? [] : failingPatterns(schema, jobsOf(values), patterns)),
    ];
    lastChecked = { draft, payload, problems, errors: errorsOf(problems, lastChecked?.errors) };
    return lastChecked;
  }

  return {
    check,
    untestedPatterns: (values) => jobsOf(values).filter((job) => !patterns.has(patternKey(job))),
    takePatterns(jobs, { failing, stopped }) {
      for (const job of jobs) {
        patterns.set(patternKey(job), failing.includes(job) ? "fails" : stopped.includes(job) ? "stopped" : "fits");
      }
      return [...failing, ...stopped].map(({ name }) => name);
    },
    isUnchecked: (field, value) =>
      patternJobs([{ name: "", field, value }]).some((job) => patterns.get(patternKey(job)) === "stopped"),
  };
}

const patternKey = ({ pattern, text }: PatternJob) => JSON.stringify([pattern, text]);

function failingPatterns(
  schema: FormSchema,
  jobs: readonly PatternJob[],
  answers: ReadonlyMap<string, string>,
): Problem[] {
  return jobs
    .filter((job) => answers.get(patternKey(job)) === "fails")
    .map(({ name, label }) => ({
      name,
      label,
      path: [schema.fields[fieldNames(schema).indexOf(name)]?.key ?? ""],
      message: `${label} doesn’t match the format that this model expects.`,
      missing: false,
    }));
}

function unreadableTexts(schema: FormSchema, names: readonly string[], values: FormValues): Problem[] {
  const problems: Problem[] = [...otherKeys(values[OTHER_KEYS]).unreadable.values()].map((message) => ({
    name: "",
    label: "",
    path: [],
    message,
    missing: false,
  }));
  // This runs over every field at every key, so the loop allocates nothing.
  for (const [position, name] of names.entries()) {
    const { unreadable } = fieldValue(values[name]);
    const field = unreadable.size > 0 ? schema.fields[position] : undefined;
    if (!field) continue;
    for (const message of unreadable.values()) {
      problems.push({ name, label: field.label, path: [field.key], message, missing: false });
    }
  }
  return problems;
}

/** The problems by field. A field with the same problems as `before` has the same error object. */
function errorsOf(problems: readonly Problem[], before: FormErrors = {}): FormErrors {
  const byName = new Map<string, Problem[]>();
  for (const problem of problems) {
    const name = problem.name || OTHER_KEYS;
    const known = byName.get(name);
    if (known) known.push(problem);
    else byName.set(name, [problem]);
  }
  const errors: FormErrors = {};
  for (const [name, own] of byName) {
    const old = before[name];
    if (old && sameJson(old.problems, own)) errors[name] = old;
    else {
      const type = own.every(({ missing }) => missing) ? "required" : "invalid";
      errors[name] = { type, message: own[0]?.message ?? "", problems: own };
    }
  }
  return errors;
}

/** Whether two values have the same JSON text. Another order of keys is another text. */
const isSameText = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

function sameEntries(a: JsonRecord, b: JsonRecord, isSame: (a: unknown, b: unknown) => boolean): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, at) => key === others[at] && isSame(a[key], b[key]));
}

/**
 * What react-hook-form holds as errors, read as ours: all of them come from the resolver or from `setError` here.
 */
export const formErrors = (errors: FieldErrors<FormValues>): FormErrors => errors as FormErrors;

/**
 * The errors that a form with these values has: those of the checker, and the service's refusals as long as the refused
 * value is unchanged and nothing else is wrong with it.
 */
export function currentErrors(
  checked: Checked,
  shown: FormErrors,
  valueAt: (name: string) => FieldValue | OtherKeys | undefined,
): FormErrors {
  const errors = { ...checked.errors };
  for (const [name, error] of Object.entries(shown)) {
    const isUnchanged = error?.type === "server" && error.refused === valueAt(name);
    if (isUnchanged && errors[name] === undefined) errors[name] = error;
  }
  return errors;
}
