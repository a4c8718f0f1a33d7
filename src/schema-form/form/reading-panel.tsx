import { lazy, Suspense, useState } from "react";
import { FoldButton } from "#ui/button.tsx";
import type { FormSchema } from "../read/field.ts";

// Few ever look: what stands behind the line comes when it is opened.
const ReadingRoles = lazy(() =>
  import("./reading-roles.tsx").then(
    (module) => ({ default: module.ReadingRoles }),
    () => ({ default: () => <p className="m-0 pl-5 text-ink-2">This part did not load. Reload the page.</p> }),
  ),
);

const READINGS: Record<FormSchema["reading"], string> = {
  parameters: "a list of parameters",
  "json-schema": "a JSON Schema",
  openapi: "an OpenAPI document",
  map: "a map of parameters",
  table: "a table of parameters",
  none: "nothing that is known",
};

const countOf = (fields: number) => (fields === 1 ? "1 field" : `${fields} fields`);

/** Says how the model's listing was read; opened, what was left out and what each field is taken for. */
export function ReadingPanel({ modelId, schema }: { modelId: string; schema: FormSchema }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="How the form was read" className="text-[12.5px]">
      <FoldButton isOpen={isOpen} onOpenChange={setOpen} className="rounded-sm text-ink-3">
        Read as {READINGS[schema.reading]}. {countOf(schema.fields.length)}.
      </FoldButton>
      {isOpen && (
        <Suspense>
          <ReadingRoles modelId={modelId} schema={schema} />
        </Suspense>
      )}
    </section>
  );
}
