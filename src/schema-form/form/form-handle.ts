import { flushSync } from "react-dom";
import { createFormControl, type Resolver, type UseFormProps } from "react-hook-form";
import { createStore } from "zustand/vanilla";
import { type JsonRecord, sameJson } from "#lib/read.ts";
import { fieldApplies } from "../check/check-payload.ts";
import type { DeletedTest } from "../check/deleted-files.ts";
import { numberFromText } from "../check/number-text.ts";
import { checkPatterns } from "../check/patterns.ts";
import { problemFromMessage } from "../check/problems.ts";
import type { TextTest } from "../check/text-problems.ts";
import { placeIn, placeSteps } from "../controls/control-props.ts";
import { isSeedLocked, randomSeed } from "../controls/seed.ts";
import {
  type Draft,
  finishedValue,
  type OutcomeOf,
  payloadToDraft,
  uploadIds,
  valuesWithUploads,
  withDraftUploads,
} from "../draft.ts";
import { type FormSchema, fieldNames } from "../read/field.ts";
import {
  FieldValue,
  type FormValues,
  fieldValue,
  OTHER_KEYS,
  otherKeys,
  valuesFromDraft,
  withStartingValues,
} from "./field-values.ts";
import { type Checked, createFormChecker, currentErrors, type FormError, formErrors } from "./resolver.ts";

/** What can take the focus inside a row. */
export const FOCUSABLE = "input:not([type=hidden]):not([tabindex='-1']), textarea, select, button, [tabindex='0']";

/** The place of the whole payload as a text (`setUnreadable`). */
export const PAYLOAD_TEXT = "payload";

/** Typing pauses this long before patterns are run. */
const PATTERN_PAUSE_MS = 250;

/** One model's form outside of React: react-hook-form's own methods, and what a payload needs beside them. */
export type FormHandle = ReturnType<typeof createFormHandle>;

const NO_UPLOADS: readonly string[] = [];

let created = 0;

/**
 * The form of a model's parameters. react-hook-form holds the values under position names, the errors, and what was
 * touched and submitted; everything here reads or sets it by its public methods.
 *
 * Where its public API ends: a change gives an error only to the field that changed, and `trigger` for others renders
 * every field. Conditions between fields therefore reach the other fields by `setError` and `clearErrors`, one by one.
 */
export function createFormHandle(
  modelId: string,
  schema: FormSchema,
  initial: Draft = payloadToDraft({}),
  isDeleted?: DeletedTest,
  testText?: TextTest,
) {
  created += 1;
  const id = `form${created}`;
  const names = fieldNames(schema);
  const fieldByName = new Map(schema.fields.map((field, position) => [names[position] ?? "", field]));
  const knownKeys = new Set(schema.fields.map((field) => field.key));
  const defaults = Object.fromEntries(
    schema.fields.filter((field) => field.defaultValue !== undefined).map((field) => [field.key, field.defaultValue]),
  );
  const checker = createFormChecker(schema, isDeleted, testText);
  const startValues = valuesFromDraft(schema, payloadToDraft(withStartingValues(schema, {})));
  const resolver: Resolver<FormValues> = (values) => {
    const errors = currentErrors(check(), formErrors(methods.getErrors()), (name) => values[name]);
    return { values, errors } as ReturnType<Resolver<FormValues>>;
  };
  const options = { mode: "onChange", shouldFocusError: false, resolver } satisfies UseFormProps<FormValues>;
  const methods = createFormControl<FormValues>({ ...options, defaultValues: startValues });
  /**
   * The place that was revealed last. A fold around it may be mounted only later, so it is remembered; in an object,
   * because the same place may be revealed twice.
   */
  const revealed = createStore(() => ({ place: "" }));
  let isSubmitted = false;

  /** The values are checked once after each change, for all who ask. */
  let checked: Checked | undefined;
  const check = (): Checked => {
    checked ??= checker.check(methods.getValues());
    return checked;
  };

  /** Gives each field its error, `except` the one that react-hook-form is checking itself. */
  function showErrors(except?: string): void {
    const shown = formErrors(methods.getErrors());
    const errors = currentErrors(check(), shown, (name) => methods.getValues(name));
    for (const name of new Set([...Object.keys(shown), ...Object.keys(errors)])) {
      const error = errors[name];
      if (name === except || error?.problems === shown[name]?.problems) continue;
      if (error) methods.setError(name, error);
      else methods.clearErrors(name);
    }
  }

  methods.subscribe({
    formState: { values: true },
    callback({ name, type }) {
      checked = undefined;
      showErrors(type === "change" ? name : undefined);
    },
  });
  // react-hook-form has no other way to read it outside of React.
  methods.subscribe({
    formState: { isSubmitted: true },
    callback: (state) => {
      isSubmitted = state.isSubmitted ?? false;
    },
  });
  if (Object.keys(initial).length > 0) {
    const whole = payloadToDraft(withStartingValues(schema, valuesWithUploads(initial)));
    methods.reset(valuesFromDraft(schema, whole, startValues), { keepDefaultValues: true });
  }

  /** Whether the form holds anything else than what it started with. */
  const isDirty = () => {
    const values = methods.getValues();
    return names.some((name) => values[name] !== startValues[name]) || otherKeys(values[OTHER_KEYS]).values.size > 0;
  };

  let uploads: { draft: Draft | undefined; ids: readonly string[] } = { draft: undefined, ids: NO_UPLOADS };

  const filledByPayload = new WeakMap<JsonRecord, JsonRecord>();
  /**
   * A payload with every default: one object for one payload, because its conditions share a budget (`fieldApplies`).
   */
  const filled = (payload: JsonRecord): JsonRecord => {
    const withDefaults = filledByPayload.get(payload) ?? { ...defaults, ...payload };
    filledByPayload.set(payload, withDefaults);
    return withDefaults;
  };

  const refusal = (): FormError | undefined =>
    Object.values(formErrors(methods.getErrors())).find((error) => error?.type === "server");

  const reveal = (place: string) => revealed.setState({ place });

  /** Marks the form as submitted: from then on everything missing is shown, and a long form is rendered in full. */
  async function attempt(): Promise<void> {
    await methods.handleSubmit(() => undefined)();
  }

  const handle = {
    id,
    modelId,
    schema,
    names,
    /** react-hook-form's own methods, for the rows and for `useForm`. */
    methods,
    /** The options for `useForm`. */
    options,
    field: (name: string) => fieldByName.get(name),
    /** The name of the field for a key; empty where no field has it. */
    nameOf: (key: string): string => names[schema.fields.findIndex((field) => field.key === key)] ?? "",
    /** What a run would send: untouched optional fields are not in it. The same object while nothing changes. */
    getPayload: (): JsonRecord => check().payload,
    /** What the form holds, uploads included. The same object while nothing changes. */
    getDraft: (): Draft => check().draft,
    /** The ids of the uploads in the form, those that failed included. The same list while they are the same. */
    getUploads: (): readonly string[] => {
      const { draft, payload } = check();
      if (valuesWithUploads(draft) === payload) return NO_UPLOADS;
      if (uploads.draft !== draft) {
        const ids = uploadIds(draft);
        uploads = { draft, ids: sameJson(ids, uploads.ids) ? uploads.ids : ids };
      }
      return uploads.ids;
    },
    /** Every problem for which the payload cannot be sent, also those that are not shown yet. */
    getProblems: () => check().problems,
    getValue: (name: string): FieldValue => fieldValue(methods.getValues(name)),
    /** Whether a field plays a part in the payload as it is. */
    applies: (name: string): boolean => {
      const field = fieldByName.get(name);
      return field === undefined || fieldApplies(schema, field, filled(check().payload));
    },
    isUnchecked: checker.isUnchecked,
    isSubmitted: (): boolean => isSubmitted,
    isDirty,
    /** Checks the values and gives the fields their errors. Every change of a value does so by itself. */
    validate(): void {
      checked = undefined;
      showErrors();
    },
    /** Calls the listener after every change of a value or an error. Returns the function that stops it. */
    subscribe: (listener: () => void) =>
      methods.subscribe({ formState: { values: true, errors: true }, callback: listener }),
    /** Sets one field from outside its control; `undefined` takes the key out. */
    setField(name: string, value: unknown): void {
      const before = handle.getValue(name);
      if (before.isSet === (value !== undefined) && sameJson(before.value, value)) return;
      methods.setValue(name, FieldValue.of(value));
    },
    /** Sets the whole payload, key for key. Unknown keys stay and are sent. Uploads stay where their place does. */
    setPayload(payload: JsonRecord): void {
      handle.setDraft(withDraftUploads(check().draft, payload, schema.fields));
    },
    /** Sets everything that the form holds. */
    setDraft(draft: Draft): void {
      methods.setValues(valuesFromDraft(schema, draft, methods.getValues()));
    },
    /**
     * Replaces every stored upload by its address, and takes out those that were ended. A field whose text cannot be
     * read is left alone until it can, because the text will replace its value; so is the form while its JSON cannot be
     * read.
     */
    finishUploads(outcomeOf: OutcomeOf): void {
      if (handle.getUploads().length === 0 || handle.isUnreadable(PAYLOAD_TEXT)) return;
      for (const name of names) {
        const { value, unreadable } = handle.getValue(name);
        const finished = unreadable.size > 0 ? value : finishedValue(value, outcomeOf);
        if (finished !== value) methods.setValue(name, FieldValue.of(finished));
      }
    },
    /** Whether the text of the whole payload cannot be read. The form forgets it when the payload is set. */
    isUnreadable: (place: string): boolean => otherKeys(methods.getValues(OTHER_KEYS)).unreadable.has(place),
    /** Sets why the JSON text of the payload cannot be read; undefined: it can be read again. */
    setUnreadable(place: string, message: string | undefined): void {
      const others = otherKeys(methods.getValues(OTHER_KEYS));
      if (others.unreadable.get(place) !== message) methods.setValue(OTHER_KEYS, others.withUnreadable(place, message));
    },
    /** One field back to what it started with. */
    resetField(name: string): void {
      methods.resetField(name);
      showErrors();
    },
    /** Back to the model's own defaults. */
    reset(): void {
      methods.reset(startValues, { keepFieldsRef: true });
      showErrors();
    },
    /** Keys that are sent and that no field is for, as one text: equal texts re-render nothing. */
    getUnknownKeys: (): string => JSON.stringify(Object.keys(check().payload).filter((key) => !knownKeys.has(key))),
    attempt,
    /** Opens what a field, or a place inside one (`f3/0/image`), is folded away in. */
    reveal,
    /** Calls the listener with the name of the field that is revealed. Returns the function that stops it. */
    onReveal: (listener: (name: string) => void) =>
      revealed.subscribe(({ place }) => listener(placeSteps(place)[0] ?? "")),
    /**
     * Calls the listener when something inside a place is revealed, and at once where the last revealed place is inside
     * it.
     */
    onRevealInside(place: string, listener: () => void) {
      const follow = (wanted: { place: string }) => wanted.place.startsWith(`${place}/`) && listener();
      follow(revealed.getState());
      return revealed.subscribe(follow);
    },
    /**
     * Puts the service's own words beside the field that they name, until that field changes. The form can still be
     * run: only the service knows whether it would refuse again. Returns whether a field was named.
     */
    refuse(message: string | undefined): boolean {
      for (const [name, error] of Object.entries(formErrors(methods.getErrors()))) {
        if (error?.type === "server") methods.clearErrors(name);
      }
      const named = message === undefined ? undefined : problemFromMessage(schema, message);
      if (!named || check().errors[named.name]) return false;
      // An empty form shows no problem before the person had a chance to fill it in.
      const problem = { ...named, missing: !isDirty() };
      const refused = handle.getValue(named.name);
      const error: FormError = { type: "server", message: named.message, problems: [problem], refused };
      methods.setError(named.name, error);
      if (isSubmitted || !problem.missing) reveal(named.name);
      return true;
    },
    /** What the service refused and where, until that field changes. */
    getRefused: () => refusal()?.problems[0],
    /**
     * Shows everything that is missing, opens what is folded, and puts the focus into the first field with a problem.
     */
    async focusFirstProblem(): Promise<void> {
      await attempt();
      const problem = check().problems.find(({ name }) => name) ?? handle.getRefused();
      if (problem === undefined) return;
      const target = problem.name;
      flushSync(() => reveal(problem.path.slice(1).reduce<string>(placeIn, target)));
      const row = document.getElementById(rowId(handle, target));
      row?.scrollIntoView?.({ block: "center" });
      const invalid = row?.querySelector<HTMLElement>("[aria-invalid='true']:is(input, textarea, select, button)");
      (invalid ?? row?.querySelector<HTMLElement>(FOCUSABLE))?.focus({ preventScroll: true });
    },
    /** After an accepted run: every seed that was sent and is not locked is drawn anew. */
    drawNextSeeds(): void {
      for (const [name, field] of fieldByName) {
        if (field.kind !== "number" || field.role !== "seed" || isSeedLocked(modelId, field.key)) continue;
        if (handle.getValue(name).isSet) handle.setField(name, numberFromText(field, String(randomSeed(field))));
      }
    },
    /** Runs the patterns of text fields now and after each pause in typing. Returns the function that stops it. */
    watchPatterns(): () => void {
      if (!schema.fields.some((field) => field.kind === "text" && field.pattern !== undefined)) return () => {};
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isGone = false;
      const runPatterns = async () => {
        const jobs = checker.untestedPatterns(methods.getValues());
        if (jobs.length === 0) return;
        const results = await checkPatterns(jobs);
        const changedNames = checker.takePatterns(jobs, results);
        checked = undefined;
        for (const name of isGone ? [] : changedNames) await methods.trigger(name);
      };
      const restartTimer = () => {
        clearTimeout(timer);
        // If patterns cannot be run at all, no text counts as wrong: the service decides.
        timer = setTimeout(() => void runPatterns().catch(() => {}), PATTERN_PAUSE_MS);
      };
      restartTimer();
      const unsubscribe = methods.subscribe({ formState: { values: true }, callback: restartTimer });
      return () => {
        isGone = true;
        unsubscribe();
        clearTimeout(timer);
      };
    },
  };
  return handle;
}

/** The id of a field's row: rows are found by it to be scrolled to and focused. */
export const rowId = ({ id }: { id: string }, name: string): string => `${id}-${name}`;
