import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FormSchema } from "../read/field.ts";
import type { SchemaHints } from "../read/read-schema.ts";

const NO_HINTS: SchemaHints = {};

/**
 * The form of a model's parameters. The reader is a chunk of its own, asked for at once, so that both load together;
 * `schema` is undefined until both are there. `failed`: the reader could not be loaded, and `retry` tries again.
 * `hints` are what the person corrected, the same object at every render.
 */
export function useFormSchema(
  model: { raw: unknown } | undefined,
  hints = NO_HINTS,
): {
  schema: FormSchema | undefined;
  failed: boolean;
  retry: () => void;
} {
  const reader = useQuery({
    queryKey: ["schema-reader"],
    queryFn: async () => ({ read: (await import("../read/read-schema.ts")).readSchema }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const read = reader.data?.read;
  const schema = useMemo(() => model && read?.(model.raw, hints), [model, read, hints]);
  return { schema, failed: reader.isError && schema === undefined, retry: () => void reader.refetch() };
}
