import { isRecord, type JsonRecord, ownArray, ownRecord } from "#lib/read.ts";
import { checkJson } from "../check/check-json.ts";
import type { BuildContext } from "./build-context.ts";
import type { Applies } from "./field.ts";
import { flattenSchema } from "./flatten-schema.ts";

interface Part {
  schema: unknown;
  applies: Applies | undefined;
}

/** `if`, `then` and `else`: the schema's own, and those that came with the parts of its `allOf`. */
function branches(context: BuildContext, schema: JsonRecord): Part[] {
  const rules = [schema, ...(ownArray(schema, "x-rules") ?? []).filter(isRecord)];
  return rules.flatMap((rule) => {
    const holds: Applies = (values) => checkJson(rule.if, values, { index: context.index }).length === 0;
    return [
      { schema: rule.then, applies: holds },
      { schema: rule.else, applies: (values) => !holds(values) },
    ];
  });
}

/**
 * Properties that only some payloads have, beside those that all have: of `then` and `else`, of `dependentSchemas` and
 * of alternatives. `applies` says for which values; it is missing where that cannot be told beforehand.
 */
export function conditionalProperties(
  context: BuildContext,
  schema: JsonRecord,
  trail: readonly string[],
): Map<string, { property: JsonRecord; applies: Applies | undefined }> {
  const dependent = Object.entries(ownRecord(schema, "dependentSchemas", "dependencies") ?? {});
  const parts: Part[] = [
    ...branches(context, schema),
    ...dependent.map(([trigger, part]) => ({
      schema: part,
      applies: (values: JsonRecord) => Object.hasOwn(values, trigger),
    })),
    ...[...(ownArray(schema, "anyOf") ?? []), ...(ownArray(schema, "oneOf") ?? [])].map((part) => ({
      schema: part,
      applies: undefined,
    })),
  ];
  const known = ownRecord(schema, "properties") ?? {};
  const found = new Map<string, { property: JsonRecord; applies: Applies | undefined }>();
  for (const { schema: part, applies } of parts) {
    if (!isRecord(part)) continue;
    const more = ownRecord(flattenSchema(context.index, part, trail).schema, "properties") ?? {};
    for (const [key, property] of Object.entries(more)) {
      if (Object.hasOwn(known, key) || !isRecord(property)) continue;
      const earlier = found.get(key);
      // Said twice, it applies when either does.
      const both = earlier?.applies;
      if (!earlier) found.set(key, { property, applies });
      else found.set(key, { ...earlier, applies: both && applies && ((values) => both(values) || applies(values)) });
    }
  }
  return found;
}
