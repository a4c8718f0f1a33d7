import { RotateCcw } from "lucide-react";
import { memo, useCallback, useState, useSyncExternalStore } from "react";
import { Field } from "#ui/field.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import type { Field as SchemaField } from "../read/field.ts";
import { FieldControl } from "./field-control.tsx";
import { HelpText, HelpToggle } from "./field-help.tsx";
import { fieldNote } from "./field-note.ts";
import { rowId } from "./focus-field.ts";
import { useFormContext } from "./form-context.ts";
import { isGroupControl } from "./is-group-control.ts";
import { SwitchRow } from "./switch-row.tsx";

/**
 * One field with its label, note, help and problem. It renders again only when what it shows beside the control
 * changes: the problem, the changed mark, or a value set from outside.
 */
export const FieldRow = memo(function FieldRow({ name, field }: { name: string; field: SchemaField }) {
  const { store, renderAside } = useFormContext();
  const view = useSyncExternalStore(
    useCallback((listener: () => void) => store.subscribeField(name, listener), [store, name]),
    () => store.getView(name),
  );
  const [helpOpen, setHelpOpen] = useState(false);
  const onChange = useCallback(
    (value: unknown, isLocal?: boolean) => store.change(name, value, isLocal),
    [store, name],
  );
  const onBlur = useCallback(() => store.touch(name), [store, name]);
  const value = store.getValue(name);
  const hasHelp = Boolean(field.help) || (field.nullable && field.kind !== "choice");
  const aside = (
    <>
      {renderAside?.(field)}
      {view.changed && (
        <IconButton label={`Reset ${field.label}`} size="sm" onClick={() => store.resetField(name)}>
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
    ? "Not checked here: the model's pattern takes too long. The service checks it."
    : undefined;
  const hint = helpOpen ? <HelpText field={field} onNull={() => onChange(null)} /> : note;
  const control = { field, value, version: view.version, onChange, onBlur, place: name };
  return (
    <div id={rowId(store, name)} data-field={field.kind} hidden={view.hidden} className="scroll-mt-4 pb-1">
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
