import type { Field } from "../read/field.ts";

/** Where no field was told to be the prompt, the first text whose key speaks of one is. */
export function withOneMainPrompt(fields: Field[]): Field[] {
  if (fields.some((field) => field.role === "prompt")) return fields;
  const at = fields.findIndex((field) => field.kind === "text" && !field.role && /prompt/i.test(field.key));
  if (at < 0) return fields;
  return fields.map((field, position) =>
    position === at && field.kind === "text" ? { ...field, role: "prompt", multiline: true } : field,
  );
}
