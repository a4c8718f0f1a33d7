import { useEffect, useInsertionEffect, useRef, useState, useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import type { JsonRecord } from "#lib/read.ts";
import type { DeletedTest } from "../check/deleted-files.ts";
import type { Problem } from "../check/problems.ts";
import type { TextTest } from "../check/text-problems.ts";
import type { FormSchema } from "../read/field.ts";
import type { FormValues } from "./field-values.ts";
import { createFormHandle, type FormHandle } from "./form-handle.ts";

interface SchemaFormOptions {
  modelId: string;
  schema: FormSchema;
  /** What the form starts with: a draft, a job's payload. Read once per model. */
  initialPayload?: JsonRecord | undefined;
  /** Whether the file at an address is known to be gone: then the form cannot be run. Read once per model. */
  isDeleted?: DeletedTest | undefined;
  /** Why a value must not be sent, as a sentence: then the form cannot be run. Read once per model. */
  testText?: TextTest | undefined;
  /** Called after every change with the payload as it would be sent. */
  onPayloadChange?: ((payload: JsonRecord) => void) | undefined;
}

/**
 * The form of one model, with react-hook-form. The handle stays the same while the person types, so that a screen
 * renders only with what it asks for (`useFormPayload`, `useFormProblems`). A change of model or schema starts a new
 * form; a schema that is read again does not change the values.
 */
export function useSchemaForm(options: SchemaFormOptions): FormHandle {
  const { modelId, schema, initialPayload, onPayloadChange } = options;
  const [form, setForm] = useState(() => startForm(options, initialPayload));
  if (form.modelId !== modelId) setForm(startForm(options, initialPayload));
  else if (form.schema !== schema) setForm(startForm(options, form.getPayload()));
  useForm<FormValues>({ ...form.options, formControl: form.methods.formControl });

  const latest = useRef(onPayloadChange);
  // Not a passive effect: React would schedule one more task for it at every key.
  useInsertionEffect(() => {
    latest.current = onPayloadChange;
  });
  useEffect(() => {
    let last = form.getPayload();
    return form.subscribe(() => {
      const next = form.getPayload();
      if (next === last) return;
      last = next;
      latest.current?.(next);
    });
  }, [form]);
  return form;
}

function startForm(
  { modelId, schema, isDeleted, testText }: SchemaFormOptions,
  initialPayload: JsonRecord | undefined,
): FormHandle {
  const form = createFormHandle(modelId, schema, initialPayload, isDeleted, testText);
  form.validate();
  return form;
}

/** What a run of the form would send. Renders with every change of it. */
export function useFormPayload(form: FormHandle): JsonRecord {
  return useSyncExternalStore(form.subscribe, form.getPayload);
}

/** Every problem for which the payload cannot be sent. Renders with every change of it. */
export function useFormProblems(form: FormHandle): readonly Problem[] {
  return useSyncExternalStore(form.subscribe, form.getProblems);
}

/** Whether the person pressed Run: from then on everything missing is shown. */
export function useIsSubmitted(form: FormHandle): boolean {
  return useSyncExternalStore(form.subscribe, form.isSubmitted);
}
