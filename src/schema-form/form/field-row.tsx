import { RotateCcw } from "lucide-react";
import { memo, type ReactNode, useId, useMemo, useState, useSyncExternalStore } from "react";
import { formatNumber } from "#lib/numbers.ts";
import { sameJson } from "#lib/read.ts";
import { safeAddress, showsTarget } from "#lib/safe-link.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { Field, HelpIcon } from "#ui/field.tsx";
import type { Problem } from "../check/problems.ts";
import { BooleanControl } from "../controls/choice-control.tsx";
import { type ControlProps, placeIn, placeSteps } from "../controls/control-props.ts";
import { FieldControl } from "../controls/field-control.tsx";
import { isGroupControl } from "../controls/is-group-control.ts";
import { fieldNote } from "../controls/nested-controls.tsx";
import type { BooleanField, Field as SchemaField } from "../read/field.ts";
import { type FieldValue, isChanged } from "./field-values.ts";
import { useFormContext } from "./form-context.ts";
import { type FormHandle, rowId } from "./form-handle.ts";
import { type HelpPart, LONGEST_HELP, readHelp } from "./read-help.ts";
import { formErrors } from "./resolver.ts";

/**
 * One field with its label, note, help and problem. It renders again only when what it shows changes: a value that its
 * control does not hold by itself, the problem, the changed mark.
 */
export const FieldRow = memo(function FieldRow({ name, field }: { name: string; field: SchemaField }) {
  const { form, renderMedia, renderAside } = useFormContext();
  // A row belongs to one field of one form: `SchemaForm` makes other rows for another form.
  const [state] = useState(() => createFieldState(form, name, field));
  const view = useSyncExternalStore(state.subscribe, state.getView);
  const [helpOpen, setHelpOpen] = useState(false);
  const context = useMemo(
    () => ({
      modelId: form.modelId,
      Control: FieldControl,
      renderMedia,
      messageAt: (place: string) => messageAt(view, place),
      setUnreadable: state.setUnreadable,
      isUnreadable: state.isUnreadable,
      onRevealInside: form.onRevealInside,
    }),
    [form, renderMedia, view, state],
  );
  const value = state.getValue();
  const hasHelp = Boolean(field.help) || (field.nullable && field.kind !== "choice");
  const aside = (
    <>
      {renderAside?.(field)}
      {view.changed && (
        <IconButton label={`Reset ${field.label}`} size="sm" onClick={state.reset}>
          <RotateCcw aria-hidden="true" className="size-3.5" />
        </IconButton>
      )}
      {hasHelp && <HelpToggle label={field.label} isOpen={helpOpen} onToggle={() => setHelpOpen(!helpOpen)} />}
      {field.required && (
        <span aria-hidden="true" className="pl-1">
          required
        </span>
      )}
    </>
  );
  const note = view.unchecked ? "Not checked here. The service will check it." : undefined;
  const hint = helpOpen ? <HelpText field={field} onNull={() => state.change(null)} /> : note;
  const control = { field, value, onChange: state.change, onBlur: state.leave, place: name, context };
  return (
    <div id={rowId(form, name)} data-field={field.kind} hidden={view.hidden} className="scroll-mt-4 pb-1">
      {field.kind === "boolean" && typeof value !== "string" && value !== null ? (
        <SwitchRow {...control} field={field} view={view} aside={aside} hint={hint} />
      ) : (
        <Field
          label={field.label}
          note={fieldNote(field)}
          required={field.required}
          changed={view.changed}
          error={view.message}
          group={isGroupControl(field)}
          hint={hint}
          aside={aside}
        >
          {(ids) => <FieldControl {...control} ids={ids} />}
        </Field>
      )}
    </div>
  );
});

interface SwitchRowProps extends Omit<ControlProps<BooleanField>, "ids"> {
  view: FieldView;
  aside: ReactNode;
  hint: ReactNode;
}

/** A switch and its label on one line. */
function SwitchRow({ view, aside, hint, ...control }: SwitchRowProps) {
  const id = useId();
  const lineId = `${id}-line`;
  const hasLine = Boolean(view.message ?? hint);
  const ids = { id, labelId: `${id}-label`, describedBy: hasLine ? lineId : undefined, invalid: Boolean(view.message) };
  return (
    <div className="flex flex-col">
      <div className="flex min-h-8 items-center gap-1.5 text-sm text-ink-3 pointer-coarse:min-h-11">
        <label id={ids.labelId} htmlFor={id} className="cursor-pointer py-1 font-medium text-ink">
          {control.field.label}
        </label>
        {view.changed && (
          <span title="Changed from default" className="size-1.25 shrink-0 rounded-full bg-accent">
            <span className="sr-only">changed</span>
          </span>
        )}
        <span className="ml-auto flex items-center gap-0.5">{aside}</span>
        <BooleanControl {...control} ids={ids} />
      </div>
      <div id={lineId} className="wrap-anywhere min-h-2.5 text-xs text-ink-3 leading-normal">
        {view.message ? <span className="text-failed">{view.message}</span> : hint}
      </div>
    </div>
  );
}

const toggleClass = buttonClass({ variant: "ghost", size: "sm", square: true });

/** The button beside a label that opens its help: an icon button, written out because every row has one. */
function HelpToggle({ label, isOpen, onToggle }: { label: string; isOpen: boolean; onToggle: () => void }) {
  const name = `About ${label}`;
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      aria-expanded={isOpen}
      onClick={onToggle}
      className={toggleClass}
    >
      <HelpIcon />
    </button>
  );
}

/** A field's help in the listing's own words, its key, and a way to send null where that is allowed. */
function HelpText({ field, onNull }: { field: SchemaField; onNull: () => void }) {
  return (
    <span className="flex flex-col items-start gap-1.5 pb-1.5">
      {field.help && <SafeMarkdown text={field.help} />}
      <span>
        Sent as <code className="font-mono text-xs text-ink-2">{visibleLine(field.key) || '""'}</code>
        {field.defaultValue !== undefined && <> · default {visibleLine(JSON.stringify(field.defaultValue), 60)}</>}
      </span>
      {field.nullable && field.kind !== "choice" && (
        <Button variant="outline" size="sm" onClick={onNull}>
          Send null
        </Button>
      )}
    </span>
  );
}

/** What a row shows. The same object while it shows the same, so that a keystroke elsewhere renders nothing here. */
interface FieldView {
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
const HAS_FIELDS: Record<SchemaField["kind"], boolean> = {
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
function createFieldState(form: FormHandle, name: string, field: SchemaField) {
  const { methods } = form;
  const registered = methods.register(name);
  const hasFields = HAS_FIELDS[field.kind];
  let view: FieldView | undefined;
  /** Whether the person changed the field in its control. */
  let wasChanged = false;

  function readView(): FieldView {
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
      const next = readView();
      if (view === undefined || VIEW_KEYS.some((key) => next[key] !== view?.[key])) view = next;
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
     * The person left the field: what is missing may be shown now. Not where nothing was put in yet: the first field
     * has the focus from the start, and who chooses a model first has done nothing wrong.
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

const VIEW_KEYS = ["value", "message", "changed", "hidden", "unchecked", "problems", "saysMissing"] as const;

/**
 * What is wrong at a place inside a field, such as `f3/0/width`: parts inside a field show their own. Undefined where
 * nothing is wrong, or what is missing is not shown yet.
 */
function messageAt({ problems, saysMissing }: FieldView, place: string): string | undefined {
  const [name = ""] = placeSteps(place);
  const found = problems.find(({ path }) => path.slice(1).reduce<string>(placeIn, name) === place);
  return found && (!found.missing || saysMissing) ? found.message.replace(`${found.label}: `, "") : undefined;
}

/**
 * A small, safe part of Markdown for help texts, which are untrusted: paragraphs, lists, code, strong and emphasis, and
 * links whose host is shown. Images and HTML stay text; of a very long text the start is shown.
 */
export function SafeMarkdown({ text }: { text: string }) {
  const { blocks, shortenedFrom } = useMemo(() => readHelp(text), [text]);
  return (
    <span className="wrap-anywhere flex flex-col gap-1">
      {blocks.map(({ isItem, parts }, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change their order.
        <span key={position} className={isItem ? "pl-3 -indent-3" : "whitespace-pre-line"}>
          {isItem && "• "}
          {parts.map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <Part key={at} part={part} />
          ))}
        </span>
      ))}
      {shortenedFrom !== undefined && (
        <span className="text-ink-2">
          Shortened: {formatNumber(LONGEST_HELP)} of {formatNumber(shortenedFrom)} characters.
        </span>
      )}
    </span>
  );
}

function Part({ part }: { part: HelpPart }) {
  switch (part.kind) {
    case "code":
      return <code className="font-mono text-xs text-ink-2">{part.text}</code>;
    case "strong":
      return <strong className="font-medium text-ink-2">{part.text}</strong>;
    case "emphasis":
      return <em>{part.text}</em>;
    case "link":
      return <HelpLink text={part.text} address={part.address} />;
    default:
      return part.text;
  }
}

/**
 * A link with the host it leads to, unless its text is that; an unusable address stays as text (H17 in
 * `test/README.md`).
 */
function HelpLink({ text, address }: { text: string; address: string }) {
  const safe = safeAddress(address);
  if (!safe) return `[${text}](${address})`;
  return (
    <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" className="underline">
      {text}
      {showsTarget(text, safe) ? "" : ` (${safe.target})`}
    </a>
  );
}
