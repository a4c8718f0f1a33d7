import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FormSchema } from "../read/field.ts";
import { readFlat } from "../read/read-flat.ts";
import type { SchemaHints } from "../read/read-schema.ts";

const NO_HINTS: SchemaHints = {};

/**
 * The form of a model's parameters: at once for plain parameters, and for every other shape once the full reader is
 * loaded. `schema` is undefined until then; `failed` says that the reader could not be loaded, and `retry` tries again.
 * `hints` are what the person corrected; keep them the same object between renders.
 */
export function useFormSchema(
  model: { parameters: unknown } | undefined,
  hints = NO_HINTS,
): {
  schema: FormSchema | undefined;
  failed: boolean;
  retry: () => void;
} {
  const flat = useMemo(() => readFlat(model?.parameters), [model]);
  const isCorrected = Object.keys(hints.roles ?? {}).length > 0;
  const reader = useQuery({
    queryKey: ["schema-reader"],
    queryFn: async () => ({ read: (await import("../read/read-schema.ts")).readSchema }),
    enabled: model !== undefined && (flat === undefined || isCorrected),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const read = reader.data?.read;
  const schema = useMemo(() => {
    if (flat && !isCorrected) return flat;
    // While the reader is on its way the plain form stays: what was typed into it is kept.
    return (model && read?.(model.parameters, hints)) ?? flat;
  }, [flat, isCorrected, model, read, hints]);
  return { schema, failed: reader.isError && schema === undefined, retry: () => void reader.refetch() };
}
