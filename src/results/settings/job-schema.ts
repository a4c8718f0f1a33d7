import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useApi } from "#connection/client.ts";
import type { JsonRecord } from "#lib/read.ts";
import { modelQueries } from "#models/model-queries.ts";
import { useFormSchema } from "#schema-form/form/use-schema-form.ts";
import type { Field, FormSchema } from "#schema-form/read/field.ts";
import { useReadingHints } from "#schema-form/read/place-store.ts";

interface JobSchema {
  /** The parameters of the model as it is today; undefined until they are read, and where the service has none. */
  schema: FormSchema | undefined;
  /** What the service applies to keys that are left out; undefined until the schema is read. */
  defaults: JsonRecord | undefined;
  /** Whether more may still come: the detail is loading. */
  isLoading: boolean;
}

/** The parameters of a job's model. Its detail is cached for a quarter of an hour; a failure leaves them undefined. */
export function useJobSchema(model: string | undefined): JobSchema {
  const detail = useQuery({
    ...modelQueries(useApi()).detail(model ?? ""),
    enabled: model !== undefined,
    retry: false,
  });
  const schema = useFormSchema(detail.data, useReadingHints(model ?? ""));
  const defaults = useMemo(() => schema && defaultsOf(schema), [schema]);
  const isLoading = model !== undefined && !detail.isError && schema === undefined;
  return { schema, defaults, isLoading };
}

function defaultsOf(schema: FormSchema): JsonRecord {
  const named = schema.fields.filter((field: Field) => field.defaultValue !== undefined && field.defaultValue !== null);
  return Object.fromEntries(named.map((field) => [field.key, field.defaultValue]));
}
