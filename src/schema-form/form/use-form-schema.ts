import { useMemo } from "react";
import type { FormSchema } from "../read/field.ts";
import { readSchema, type SchemaHints } from "../read/read-schema.ts";

const NO_HINTS: SchemaHints = {};

/**
 * The form of a model's parameters; undefined until the model's detail is there. `hints` are what the person corrected, the
 * same object at every render.
 */
export function useFormSchema(model: { raw: unknown } | undefined, hints = NO_HINTS): FormSchema | undefined {
  return useMemo(() => model && readSchema(model.raw, hints), [model, hints]);
}
