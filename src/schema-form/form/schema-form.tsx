import { lazy, memo, type ReactNode, Suspense, useMemo, useState, useSyncExternalStore } from "react";
import { FoldButton } from "#ui/fold-button.tsx";
import type { Field } from "../read/field.ts";
import { FieldRows, inGroups, type NamedField } from "./field-rows.tsx";
import { FormContext, type MediaControlProps } from "./form-context.ts";
import type { FormStore } from "./form-store.ts";
import { UnknownKeys } from "./unknown-keys.tsx";
import { usePatternCheck } from "./use-pattern-check.ts";
import type { SchemaFormHandle } from "./use-schema-form.ts";

// Most models have a form: the editor comes with the first one that has none.
const PayloadJsonEditor = lazy(() =>
  import("./payload-json-editor.tsx").then((module) => ({ default: module.PayloadJsonEditor })),
);

/** The long tail, folded, with a count of what was changed in it. */
function Advanced({ store, fields }: { store: FormStore; fields: readonly NamedField[] }) {
  const [isOpen, setOpen] = useState(false);
  const revealed = useSyncExternalStore(store.subscribe, store.getRevealed);
  const [seen, setSeen] = useState(revealed);
  const groups = useMemo(() => inGroups(fields), [fields]);
  if (seen !== revealed) {
    setSeen(revealed);
    setOpen(true);
  }
  useSyncExternalStore(store.subscribe, store.getViewsVersion);
  const changed = fields.filter(({ name }) => store.getView(name).changed).length;
  return (
    <section aria-label="Advanced">
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-sm text-ink-2">
        Advanced ({fields.length})
        {changed > 0 && <span className="ml-auto text-[12.5px] text-ink-3">{changed} changed</span>}
      </FoldButton>
      {isOpen && (
        <div className="flex flex-col pt-2">
          <FieldRows store={store} groups={groups} />
        </div>
      )}
    </section>
  );
}

const Fields = memo(function Fields({ store, renderMedia, renderAside }: FieldsProps) {
  usePatternCheck(store);
  const context = useMemo(() => ({ store, renderMedia, renderAside }), [store, renderMedia, renderAside]);
  const [main, advanced] = useMemo(() => {
    const named = store.schema.fields.map((field, position) => ({ name: store.names[position] ?? "", field }));
    return [inGroups(named.filter(({ field }) => !field.advanced)), named.filter(({ field }) => field.advanced)];
  }, [store]);
  return (
    <FormContext value={context}>
      <div className="flex flex-col">
        <FieldRows store={store} groups={main} />
        {advanced.length > 0 && <Advanced store={store} fields={advanced} />}
        <UnknownKeys store={store} />
      </div>
    </FormContext>
  );
});

interface ScreenParts {
  /** Draws media fields for a screen that can upload; keep it stable between renders. */
  renderMedia?: ((props: MediaControlProps) => ReactNode) | undefined;
  /** Adds to the end of a field's label line; keep it stable between renders. */
  renderAside?: ((field: Field) => ReactNode) | undefined;
}

type FieldsProps = ScreenParts & { store: FormStore };

export interface SchemaFormProps extends ScreenParts {
  /** What `useSchemaForm` gave. */
  form: Pick<SchemaFormHandle, "store">;
}

/** A model's parameters as a form. It renders no `form` element and no Run button: those are the screen's. */
export function SchemaForm({ form, ...parts }: SchemaFormProps) {
  if (form.store.schema.fields.length === 0) {
    return (
      <Suspense>
        <PayloadJsonEditor form={form} />
      </Suspense>
    );
  }
  return <Fields key={form.store.id} store={form.store} {...parts} />;
}
