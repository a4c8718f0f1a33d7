import { sameJson } from "#lib/read.ts";
import type { Problem } from "../check/problems.ts";
import { placeIn, placeSteps } from "../controls/control-props.ts";
import type { Field } from "../read/field.ts";
import { type FieldValue, isChanged } from "./field-values.ts";
import type { FormHandle } from "./form-handle.ts";
import { formErrors } from "./resolver.ts";

/** What a row shows. The same object while it shows the same, so that a keystroke elsewhere renders nothing here. */
export interface FieldView {
  /** The value that the row's control was given or set itself. */
  value: FieldValue;
  /** The message to show now. What is missing is shown only after the person left the field or pressed Run. */
  message: string | undefined;
  changed: boolean;
  /** Only other payloads have this key: the row is not shown. */
  hidden: boolean;
  /** Its pattern could not be run to an end: only the service can check the value. */
  unchecked: boolean;
  /** All that is wrong, for a field that has fields inside. */
  problems: readonly Problem[];
  /** Whether what is missing inside the field is shown. */
  saysMissing: boolean;
}

const NO_PROBLEMS: readonly Problem[] = [];

/** Whether a kind of field has fields inside. */
const HAS_FIELDS: Record<Field["kind"], boolean> = {
  text: false,
  number: false,
  boolean: false,
  choice: false,
  choices: false,
  media: false,
  colour: false,
  group: true,
  list: true,
  tuple: true,
  map: true,
  union: true,
  json: false,
};

/**
 * One field for its row, by react-hook-form's `register`, `getFieldState` and `subscribe`. Not by `useController`,
 * which renders with every change of the value: a text box shows by itself what is typed.
 */
export function createFieldState(form: FormHandle, name: string, field: Field) {
  const { methods } = form;
  const registered = methods.register(name);
  const hasFields = HAS_FIELDS[field.kind];
  let view: FieldView | undefined;
  let wasChanged = false;

  function read(): FieldView {
    const value = form.getValue(name);
    const { isTouched, error } = methods.getFieldState(name);
    const problems = formErrors({ [name]: error })[name]?.problems ?? NO_PROBLEMS;
    const isSubmitted = form.isSubmitted();
    return {
      value,
      message: problems.find(({ missing }) => !missing || isTouched || isSubmitted)?.message,
      changed: isChanged(field, value),
      // What is sent or has a problem is never out of sight.
      hidden: field.conditions !== undefined && !value.isSet && problems.length === 0 && !form.applies(name),
      unchecked: form.isUnchecked(field, value.value),
      problems: hasFields ? problems : NO_PROBLEMS,
      saysMissing: hasFields && isSubmitted,
    };
  }

  return {
    subscribe: (listener: () => void) =>
      methods.subscribe({
        // A field that only some payloads have depends on all the others.
        ...(field.conditions === undefined && { name, exact: true }),
        formState: { values: true, errors: true, touchedFields: true, isSubmitted: true },
        callback: listener,
      }),
    getView(): FieldView {
      const next = read();
      if (view === undefined || KEYS.some((key) => next[key] !== view?.[key])) view = next;
      return view;
    },
    getValue: () => form.getValue(name).value,
    /** What the person did in the control. `isShown`: its own box shows it already, so the row need not render. */
    change(value: unknown, isShown = false): void {
      const before = form.getValue(name);
      if (before.isSet === (value !== undefined) && sameJson(before.value, value)) return;
      wasChanged = true;
      const next = before.withValue(value);
      if (isShown && view) view.value = next;
      void registered.onChange({ target: { name, value: next }, type: "change" });
    },
    /**
     * The person left the field: what is missing may be shown now. Not where nothing was put in yet: the first field has
     * the focus from the start, and who chooses a model first has done nothing wrong.
     */
    leave(): void {
      if (!wasChanged) return;
      void registered.onBlur({ target: { name, value: form.getValue(name) }, type: "blur" });
    },
    reset: () => form.resetField(name),
    isUnreadable: (place: string) => form.getValue(name).unreadable.has(place),
    setUnreadable(place: string, message: string | undefined): void {
      const value = form.getValue(name);
      if (value.unreadable.get(place) !== message) methods.setValue(name, value.withUnreadable(place, message));
    },
  };
}

const KEYS = ["value", "message", "changed", "hidden", "unchecked", "problems", "saysMissing"] as const;

/**
 * What is wrong at a place inside a field, such as `f3/0/width`: parts inside a field show their own. Undefined where
 * nothing is wrong, or what is missing is not shown yet.
 */
export function messageAt({ problems, saysMissing }: FieldView, place: string): string | undefined {
  const [name = ""] = placeSteps(place);
  const found = problems.find(({ path }) => path.slice(1).reduce<string>(placeIn, name) === place);
  return found && (!found.missing || saysMissing) ? found.message.replace(`${found.label}: `, "") : undefined;
}
