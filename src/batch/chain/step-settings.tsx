import { useEffect } from "react";
import { keySentence } from "#connection/find-key.ts";
import type { JsonRecord } from "#lib/read.ts";
import { isFileDeleted } from "#media/deleted-media.ts";
import { draftOf } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import {
  useFormPayload,
  useFormProblems,
  usePendingUploads,
  useSchemaForm,
} from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { FormMedia } from "../sources/form-media.tsx";

/** What the settings of a step are now. */
export interface StepForm {
  form: FormHandle;
  settings: JsonRecord;
  isValid: boolean;
  /** A file is on its way to it. */
  isUploading: boolean;
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
    initial: draftOf(starting),
    isDeleted: isFileDeleted,
    testText: keySentence,
  };
  const form = useSchemaForm(options);
  const settings = useFormPayload(form);
  const isValid = useFormProblems(form).length === 0;
  const isUploading = usePendingUploads(form) > 0;
  useEffect(() => onChange({ form, settings, isValid, isUploading }), [form, settings, isValid, isUploading, onChange]);
  return <SchemaForm form={form} renderMedia={FormMedia} />;
}
