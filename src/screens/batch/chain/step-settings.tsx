import { useEffect } from "react";
import { keySentence } from "#connection/find-key.ts";
import type { JsonRecord } from "#lib/read.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import { useFormPayload, useFormProblems, useSchemaForm } from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { FormMedia } from "../sources/form-media.tsx";

/** What the settings of a step are now. */
export interface StepForm {
  form: FormHandle;
  settings: JsonRecord;
  isValid: boolean;
}

interface StepSettingsProps {
  model: string;
  /** Without the fields that the results fill. */
  schema: FormSchema;
  starting: JsonRecord;
  onChange: (form: StepForm) => void;
}

/** The settings of a step: what its model takes beside the results. */
export function StepSettings({ model, schema, starting, onChange }: StepSettingsProps) {
  const options = {
    modelId: model,
    schema,
    initialPayload: starting,
    isDeleted: isFileDeleted,
    testText: keySentence,
  };
  const form = useSchemaForm(options);
  const settings = useFormPayload(form);
  const isValid = useFormProblems(form).length === 0;
  useEffect(() => onChange({ form, settings, isValid }), [form, settings, isValid, onChange]);
  return <SchemaForm form={form} renderMedia={FormMedia} />;
}
