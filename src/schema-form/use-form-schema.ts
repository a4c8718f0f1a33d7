import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FormSchema } from "./field.ts";
import { readFlat } from "./read-flat.ts";

/**
 * The form of a model's parameters: at once for plain parameters, and for every other shape once the full reader is
 * loaded. `schema` is undefined until then; `failed` says that the reader could not be loaded, and `retry` tries again.
 */
export function useFormSchema(model: { parameters: unknown } | undefined): {
  schema: FormSchema | undefined;
  failed: boolean;
  retry: () => void;
} {
  const flat = useMemo(() => readFlat(model?.parameters), [model]);
  const reader = useQuery({
    queryKey: ["schema-reader"],
    queryFn: async () => ({ read: (await import("./read-schema.ts")).readSchema }),
    enabled: model !== undefined && flat === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const read = reader.data?.read;
  const schema = useMemo(() => flat ?? (model && read?.(model.parameters)), [flat, model, read]);
  return { schema, failed: reader.isError && schema === undefined, retry: () => void reader.refetch() };
}
