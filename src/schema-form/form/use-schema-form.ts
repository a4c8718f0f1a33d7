import { useCallback, useEffect, useInsertionEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { JsonRecord } from "#lib/json.ts";
import type { Problem } from "../check/check-payload.ts";
import type { FormSchema } from "../read/field.ts";
import { focusField } from "./focus-field.ts";
import { createFormStore, type FormStore } from "./form-store.ts";

export interface SchemaFormOptions {
  modelId: string;
  schema: FormSchema;
  /** What the form starts with: a draft, a job's payload. Read once per model. */
  initialPayload?: JsonRecord | undefined;
  /** Called after every change with the payload as it would be sent. */
  onPayloadChange?: ((payload: JsonRecord) => void) | undefined;
}

export interface SchemaFormHandle {
  /** The react-hook-form control that holds the values under position names. */
  form: FormStore["form"];
  store: FormStore;
  /** What a run would send: untouched optional fields are not in it. */
  payload: JsonRecord;
  problems: readonly Problem[];
  isValid: boolean;
  /** Sets the whole payload, key for key. Unknown keys are kept and sent. */
  setPayload: (payload: JsonRecord) => void;
  /** Back to the model's own defaults. */
  reset: () => void;
  /** Says everything that is missing and goes to the first problem. */
  focusFirstProblem: () => void;
}

/**
 * The store of one model's form, for a screen that is told of payloads instead of rendering with each. A change of model
 * or schema starts a new form; a re-read schema keeps the values.
 */
export function useFormStore({ modelId, schema, initialPayload, onPayloadChange }: SchemaFormOptions): FormStore {
  const [store, setStore] = useState(() => createFormStore(modelId, schema, initialPayload));
  if (store.modelId !== modelId) setStore(createFormStore(modelId, schema, initialPayload));
  else if (store.schema !== schema) setStore(createFormStore(modelId, schema, store.getPayload()));

  const latest = useRef(onPayloadChange);
  // Not a passive effect: React would schedule one more task for it at every key.
  useInsertionEffect(() => {
    latest.current = onPayloadChange;
  });
  useEffect(() => {
    let last = store.getPayload();
    return store.subscribe(() => {
      const next = store.getPayload();
      if (next === last) return;
      last = next;
      latest.current?.(next);
    });
  }, [store]);
  return store;
}

/** The form of one model, whose caller renders with every change of its payload. */
export function useSchemaForm(options: SchemaFormOptions): SchemaFormHandle {
  const store = useFormStore(options);
  const payload = useFormPayload(store);
  const problems = useFormProblems(store);
  const focusFirstProblem = useCallback(() => focusField(store), [store]);
  return useMemo(
    () => ({
      form: store.form,
      store,
      payload,
      problems,
      isValid: problems.length === 0,
      setPayload: store.setPayload,
      reset: store.reset,
      focusFirstProblem,
    }),
    [store, payload, problems, focusFirstProblem],
  );
}

/** The payload alone, for a component that should re-render with it while the form above it does not. */
export function useFormPayload(store: FormStore): JsonRecord {
  return useSyncExternalStore(store.subscribe, store.getPayload);
}

export function useFormProblems(store: FormStore): readonly Problem[] {
  return useSyncExternalStore(store.subscribe, store.getProblems);
}
