import { useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useForm } from "react-hook-form";
import type { JsonRecord } from "#lib/read.ts";
import { noteFields, pendingAmong, uploadOutcomes, useUploadStore } from "#media/upload/upload-store.ts";
import type { DeletedTest } from "../check/deleted-files.ts";
import type { Problem } from "../check/problems.ts";
import type { TextTest } from "../check/text-problems.ts";
import { type Draft, payloadToDraft } from "../draft.ts";
import type { FormSchema } from "../read/field.ts";
import { readSchema, type SchemaHints } from "../read/read-schema.ts";
import type { FormValues } from "./field-values.ts";
import { createFormHandle, type FormHandle } from "./form-handle.ts";

interface SchemaFormOptions {
  modelId: string;
  schema: FormSchema;
  /** What the form starts with: its last draft, a job's payload (`payloadToDraft`). Read once per model. */
  initial?: Draft | undefined;
  /** Whether the file at an address is known to be gone: then the form cannot be run. Read once per model. */
  isDeleted?: DeletedTest | undefined;
  /** Why a value must not be sent, as a sentence: then the form cannot be run. Read once per model. */
  testText?: TextTest | undefined;
  /** Called with the draft after each change of it. */
  onChange?: ((draft: Draft) => void) | undefined;
}

/**
 * The form of one model, with react-hook-form. The handle stays the same while the person types, so that a screen
 * renders only with what it asks for (`useFormPayload`, `useFormProblems`). A change of model or schema starts a new
 * form; a schema that is read again does not change the values.
 */
export function useSchemaForm(options: SchemaFormOptions): FormHandle {
  const { modelId, schema, initial, onChange } = options;
  const [form, setForm] = useState(() => startForm(options, initial));
  if (form.modelId !== modelId) setForm(startForm(options, initial));
  else if (form.schema !== schema) setForm(startForm(options, form.getDraft()));
  useForm<FormValues>({ ...form.options, formControl: form.methods.formControl });

  const latest = useRef(onChange);
  // An insertion effect, because for a passive one React would schedule one more task at every key.
  useInsertionEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    let last = form.getDraft();
    return form.subscribe(() => {
      const next = form.getDraft();
      if (next === last) return;
      last = next;
      latest.current?.(next);
    });
  }, [form]);
  useEffect(() => followUploads(form), [form]);
  return form;
}

/**
 * Puts the address of each stored file into the form, and takes out uploads that were ended. Tells the upload store
 * which uploads have a field. Returns the function that stops it.
 */
export function followUploads(form: FormHandle): () => void {
  let ids: readonly string[] = [];
  let isFinishing = false;
  const follow = () => {
    if (isFinishing) return;
    const oldIds = ids;
    ids = form.getUploads();
    if (ids !== oldIds) noteFields(oldIds, ids);
    isFinishing = true;
    form.finishUploads(uploadOutcomes());
    isFinishing = false;
    ids = form.getUploads();
  };
  follow();
  const stops = [form.subscribe(follow), useUploadStore.subscribe(follow)];
  return () => {
    for (const stop of stops) stop();
    noteFields(ids, []);
  };
}

/** How many files are being uploaded for a form, without those that failed. A run waits for them. */
export function usePendingUploads(form: FormHandle): number {
  const ids = useSyncExternalStore(form.subscribe, form.getUploads);
  return useUploadStore(({ uploads }) => pendingAmong(uploads, ids));
}

function startForm(
  { modelId, schema, isDeleted, testText }: SchemaFormOptions,
  initial: Draft = payloadToDraft({}),
): FormHandle {
  const form = createFormHandle(modelId, schema, initial, isDeleted, testText);
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

const NO_HINTS: SchemaHints = {};

/**
 * The form of a model's parameters; undefined until the model's detail is there. `hints` are what the person corrected,
 * the same object at every render.
 */
export function useFormSchema(model: { raw: unknown } | undefined, hints = NO_HINTS): FormSchema | undefined {
  return useMemo(() => model && readSchema(model.raw, hints), [model, hints]);
}
