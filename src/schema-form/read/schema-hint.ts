import type { JsonRecord } from "#lib/read.ts";

/** An `x-` hint by its name, with or without a maker's word in it: `x-step` and `x-maker-step` are both "step". */
export function schemaHint(schema: JsonRecord, name: string): unknown {
  for (const key of Object.keys(schema)) {
    if (!key.startsWith("x-") || !key.endsWith(name)) continue;
    if (/^x-(?:[a-z0-9]+-)?$/i.test(key.slice(0, key.length - name.length))) return schema[key];
  }
  return undefined;
}
