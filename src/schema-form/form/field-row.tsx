import { RotateCcw } from "lucide-react";
import { memo, type ReactNode, useId, useMemo, useState, useSyncExternalStore } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { Button, buttonClass, IconButton } from "#ui/button.tsx";
import { Field, HelpIcon } from "#ui/field.tsx";
import { BooleanControl } from "../controls/choice-control.tsx";
import type { ControlProps } from "../controls/control-props.ts";
import { FieldControl } from "../controls/field-control.tsx";
import { isGroupControl } from "../controls/is-group-control.ts";
import { fieldNote } from "../controls/nested-field.tsx";
import type { BooleanField, Field as SchemaField } from "../read/field.ts";
import { createFieldState, type FieldView, messageAt } from "./field-state.ts";
import { useFormContext } from "./form-context.ts";
import { rowId } from "./form-handle.ts";
import { SafeMarkdown } from "./safe-markdown.tsx";

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
  const note = view.unchecked
    ? "Not checked here, because the model’s pattern takes too long. The service checks it."
    : undefined;
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
      <div className="flex min-h-8 items-center gap-1.5 text-[12.5px] text-ink-3 pointer-coarse:min-h-11">
        <label id={ids.labelId} htmlFor={id} className="cursor-pointer py-1 font-medium text-ink">
          {control.field.label}
        </label>
        {view.changed && (
          <span title="Changed from the default" className="size-[5px] shrink-0 rounded-full bg-accent">
            <span className="sr-only">changed</span>
          </span>
        )}
        <span className="ml-auto flex items-center gap-0.5">{aside}</span>
        <BooleanControl {...control} ids={ids} />
      </div>
      <div id={lineId} className="wrap-anywhere min-h-2.5 text-[12px] text-ink-3 leading-[18px]">
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
        Sent as <code className="font-mono text-[11.5px] text-ink-2">{visibleLine(field.key) || '""'}</code>
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
