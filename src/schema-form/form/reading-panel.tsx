import { useState } from "react";
import { FoldButton } from "#ui/button.tsx";
import type { FormSchema } from "../read/field.ts";
import { ReadingDetails } from "./reading-details.tsx";

const READINGS: Record<FormSchema["reading"], string> = {
  parameters: "a list of parameters",
  "json-schema": "a JSON Schema",
  openapi: "an OpenAPI document",
  map: "a map of parameters",
  table: "a table of parameters",
  empty: "an empty list of parameters",
  none: "no known format",
};

const countOf = (fields: number) => (fields === 1 ? "1 field" : `${fields} fields`);

/** Shows how the model's listing was read; when opened, where it stands, what was left out and what each field is for. */
export function ReadingPanel({ modelId, schema }: { modelId: string; schema: FormSchema }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Field mapping" className="text-[12.5px]">
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-sm text-ink-3">
        Field mapping (advanced): {countOf(schema.fields.length)} from {READINGS[schema.reading]}
      </FoldButton>
      {isOpen && <ReadingDetails modelId={modelId} schema={schema} />}
    </section>
  );
}
