import { useMemo, useState } from "react";
import { findField, withoutFields } from "#batch/rows/carry-axes.ts";
import { findKey, keySentence } from "#connection/find-key.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { draftToPayload, payloadToDraft } from "#schema-form/draft.ts";
import { carryValues } from "#schema-form/form/carry-values.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";
import { Button } from "#ui/button.tsx";
import { Skeleton } from "#ui/indicators.tsx";
import { axisLabel, firstSchema, withSettings } from "./axis-edits.ts";
import { FormMedia } from "./file-list.tsx";

interface ModelSettingsProps {
  model: string;
  axes: BatchAxes;
  schemas: ModelSchemas;
  onChange: (axes: BatchAxes) => void;
}

/** The form of one model, once its parameters are known. */
export function ModelSettings(props: ModelSettingsProps) {
  const known = props.schemas.get(props.model);
  if (known?.state === "ready") return <SettingsForm {...props} schema={known.schema} />;
  if (known?.state !== "failed") return <Skeleton className="h-60" />;
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="alert" className="m-0">
        Couldn’t load the parameters of this model.
      </p>
      <Button onClick={known.retry}>Try again</Button>
    </div>
  );
}

function SettingsForm({ model, axes, schemas, schema, onChange }: ModelSettingsProps & { schema: FormSchema }) {
  const first = firstSchema(axes, schemas);
  const variedText = JSON.stringify(variedKeys(axes, first, schema));
  const shown = useMemo(() => withoutFields(schema, new Set(JSON.parse(variedText) as string[])), [schema, variedText]);
  // The form does not ask for what an axis varies. Values that the settings have for these parameters are preserved (`hidden`).
  const [start] = useState(() => {
    const ownSettings = Object.hasOwn(axes.settings, model) ? axes.settings[model] : undefined;
    const shared = axes.settings[axes.models[0] ?? ""] ?? {};
    const all = Object.entries(ownSettings ?? (first ? carryValues(first, shared, schema).payload : {}));
    const isShown = ([key]: [string, unknown]) => findField(shown, key) !== undefined || !findField(schema, key);
    return {
      payload: Object.fromEntries(all.filter(isShown)),
      hidden: Object.fromEntries(all.filter((entry) => !isShown(entry))),
    };
  });
  const form = useSchemaForm({
    modelId: model,
    schema: shown,
    initial: payloadToDraft(start.payload),
    isDeleted: isFileDeleted,
    testText: keySentence,
    onChange: (draft) => {
      const payload = draftToPayload(draft);
      if (findKey(payload)?.kind === "own") return;
      onChange(withSettings(axes, model, { ...start.hidden, ...payload }));
    },
  });
  const labels = (JSON.parse(variedText) as string[]).map((key) => axisLabel(findField(schema, key), key));
  return (
    <>
      {labels.length > 0 && <p className="m-0 mb-3 text-sm text-ink-3">Varied in this batch: {labels.join(", ")}</p>}
      {shown.fields.length > 0 ? (
        <SchemaForm form={form} renderMedia={FormMedia} />
      ) : (
        <p className="m-0 text-ink-2">This model has no other parameters.</p>
      )}
    </>
  );
}

/** Values of an axis that are carried to find out which fields it varies: more rarely lead to another field. */
const MAX_TRIED = 20;

/** The keys of a model's parameters that the axes vary. The axes have the keys of the first model. */
function variedKeys(axes: BatchAxes, first: FormSchema | undefined, schema: FormSchema): string[] {
  if (!first || first === schema) return axes.parameters.map(({ key }) => key);
  return axes.parameters.flatMap(({ key, values }) => {
    const carried = values.slice(0, MAX_TRIED).map((value) => carryValues(first, { [key]: value }, schema).payload);
    return Object.keys(Object.assign({}, ...carried));
  });
}
