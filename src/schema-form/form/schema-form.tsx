import { memo, type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { visibleLine } from "#lib/visible-text.ts";
import { FoldButton } from "#ui/button.tsx";
import type { MediaControlProps } from "../controls/control-props.ts";
import type { Field } from "../read/field.ts";
import { FieldGroups, inGroups, type NamedField } from "./field-groups.tsx";
import { fieldValue, isChanged } from "./field-values.ts";
import { FormContext } from "./form-context.ts";
import type { FormHandle } from "./form-handle.ts";
import { JsonView } from "./json-view.tsx";
import { AnswerBeside, ReadingDoubt } from "./reading-place.tsx";

interface ScreenParts {
  /** Draws media fields for a screen that can upload. Must be the same function at every render. */
  renderMedia?: ((props: MediaControlProps) => ReactNode) | undefined;
  /** Adds to the end of a field's label line. Must be the same function at every render. */
  renderAside?: ((field: Field) => ReactNode) | undefined;
}

interface SchemaFormProps extends ScreenParts {
  /** What `useSchemaForm` gave. */
  form: FormHandle;
}

/** A model's parameters as a form. It renders no `form` element and no Run button: those are the screen's. */
export function SchemaForm({ form, ...parts }: SchemaFormProps) {
  const { schema } = form;
  const limits = schema.limits ?? [];
  const isRead = schema.fields.length > 0;
  return (
    <>
      {limits.length > 0 && (
        <p role="status" className="m-0 mb-3 text-sm text-ink-2">
          {limits.join(" ")}
        </p>
      )}
      {schema.isUnsure && <ReadingDoubt schema={schema} />}
      {isRead && <Fields key={form.id} form={form} {...parts} />}
      {!isRead && schema.reading !== "empty" && <JsonView form={form} rows={9} />}
      {!isRead && schema.reading !== "empty" && <AnswerBeside schema={schema} />}
    </>
  );
}

const Fields = memo(function Fields({ form, renderMedia, renderAside }: SchemaFormProps) {
  useEffect(() => form.watchPatterns(), [form]);
  const context = useMemo(() => ({ form, renderMedia, renderAside }), [form, renderMedia, renderAside]);
  const [main, advanced] = useMemo(() => {
    const named = form.schema.fields.map((field, position) => ({ name: form.names[position] ?? "", field }));
    return [inGroups(named.filter(({ field }) => !field.advanced)), named.filter(({ field }) => field.advanced)];
  }, [form]);
  return (
    <FormContext value={context}>
      <div className="flex flex-col">
        <FieldGroups form={form} groups={main} />
        {advanced.length > 0 && <Advanced form={form} fields={advanced} />}
        <UnknownKeys form={form} />
      </div>
    </FormContext>
  );
});

/** The advanced fields, folded, with a count of those that were changed. It opens when a field in it is revealed. */
function Advanced({ form, fields }: { form: FormHandle; fields: readonly NamedField[] }) {
  const [isOpen, setOpen] = useState(false);
  const groups = useMemo(() => inGroups(fields), [fields]);
  useEffect(() => form.onReveal((name) => form.field(name)?.advanced && setOpen(true)), [form]);
  const changed = useSyncExternalStore(form.subscribe, () => {
    const values = form.methods.getValues();
    return fields.filter(({ name, field }) => isChanged(field, fieldValue(values[name]))).length;
  });
  return (
    <section aria-label="Advanced">
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-sm text-ink-2">
        Advanced ({fields.length}){changed > 0 && <span className="ml-auto text-sm text-ink-3">{changed} changed</span>}
      </FoldButton>
      {isOpen && (
        <div className="flex flex-col pt-2">
          <FieldGroups form={form} groups={groups} />
        </div>
      )}
    </section>
  );
}

/** Lists the keys from JSON or a job that are sent although the form has no field for them, and their problems. */
function UnknownKeys({ form }: { form: FormHandle }) {
  const keys = useSyncExternalStore(form.subscribe, form.getUnknownKeys);
  const wrong = useSyncExternalStore(form.subscribe, () => JSON.stringify(unknownMessages(form)));
  const unknown = JSON.parse(keys) as string[];
  if (unknown.length === 0) return null;
  return (
    <div className="mt-2 text-xs text-ink-3">
      Extra fields:{" "}
      {unknown.map((key, position) => (
        <span key={key}>
          {position > 0 && ", "}
          <code className="font-mono text-xs text-ink-2">{visibleLine(key) || '""'}</code>
        </span>
      ))}
      {(JSON.parse(wrong) as string[]).map((message) => (
        <p key={message} role="alert" className="wrap-anywhere m-0 mt-1 text-failed">
          {message}
        </p>
      ))}
    </div>
  );
}

function unknownMessages(form: FormHandle): string[] {
  const own = form.getProblems().filter(({ name, path }) => name === "" && path.length > 0);
  return [...new Set(own.map(({ message }) => message))];
}
