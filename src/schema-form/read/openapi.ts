import { isRecord, type JsonRecord, ownArray, ownRecord, ownString } from "#lib/read.ts";
import { flattenSchema } from "./flatten-schema.ts";
import { findRef, type SchemaIndex } from "./references.ts";

/** Whether a value is an OpenAPI document, or the part of one that holds schemas. Never throws. */
export function isOpenApi(raw: unknown): raw is JsonRecord {
  if (!isRecord(raw)) return false;
  const schemas = ownRecord(ownRecord(raw, "components") ?? {}, "schemas") ?? ownRecord(raw, "definitions");
  return Boolean(ownString(raw, "openapi", "swagger") || ownRecord(raw, "paths") || (raw.components && schemas));
}

const hasProperties = (index: SchemaIndex, schema: unknown) =>
  isRecord(schema) && Object.keys(ownRecord(flattenSchema(index, schema).schema, "properties") ?? {}).length > 0;

/** The schemas of the JSON bodies that its paths take by POST or PUT. */
function bodySchemas(document: JsonRecord, index: SchemaIndex): unknown[] {
  const found: unknown[] = [];
  for (const path of Object.values(ownRecord(document, "paths") ?? {})) {
    if (!isRecord(path)) continue;
    for (const method of ["post", "put"] as const) {
      const operation = ownRecord(path, method);
      const body = ownRecord(operation ?? {}, "requestBody") ?? {};
      const ref = ownString(body, "$ref");
      const shared = ref === undefined ? body : findRef(index, ref, body);
      const content = isRecord(shared) ? ownRecord(shared, "content") : undefined;
      const media = content && (content["application/json"] ?? Object.values(content)[0]);
      if (isRecord(media) && media.schema !== undefined) found.push(media.schema);
      const legacy = ownArray(operation ?? {}, "parameters")?.find((item) => isRecord(item) && item.in === "body");
      if (isRecord(legacy) && legacy.schema !== undefined) found.push(legacy.schema);
    }
  }
  return found;
}

/**
 * The schema of the payload in an OpenAPI document (in-the-wild 5): `components.schemas.Input` or `*Input`, else the
 * body of a request. A body that only wraps it under `input` is unwrapped. Undefined where none is found. Never throws.
 */
export function openApiSchema(document: JsonRecord, index: SchemaIndex): { schema: unknown; name: string } | undefined {
  const schemas =
    ownRecord(ownRecord(document, "components") ?? {}, "schemas") ?? ownRecord(document, "definitions") ?? {};
  const bodies = bodySchemas(document, index).filter((schema) => hasProperties(index, schema));
  const names = Object.keys(schemas).filter((name) => hasProperties(index, schemas[name]));
  const named = (test: (name: string) => boolean) => names.find(test);
  const input = named((name) => name === "Input") ?? named((name) => name === "TrainingInput");
  if (input) return { schema: schemas[input], name: input };
  for (const body of bodies) {
    const name = isRecord(body) ? (ownString(body, "$ref")?.split("/").at(-1) ?? "request body") : "request body";
    const inner = ownRecord(ownRecord(flattenSchema(index, body).schema, "properties") ?? {}, "input");
    return inner && hasProperties(index, inner) ? { schema: inner, name } : { schema: body, name };
  }
  const other = named((name) => /input$/i.test(name)) ?? named((name) => /request|params|arguments/i.test(name));
  const notAnswer = names.filter((name) => !/output|response|status|error|result|file$/i.test(name));
  const chosen = other ?? (notAnswer.length === 1 ? notAnswer[0] : undefined);
  return chosen ? { schema: schemas[chosen], name: chosen } : undefined;
}
