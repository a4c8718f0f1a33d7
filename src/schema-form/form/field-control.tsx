import { lazy, Suspense } from "react";
import { Skeleton } from "#ui/skeleton.tsx";
import { fitsField } from "../check/fits-field.ts";
import { BooleanControl } from "../controls/boolean-control.tsx";
import { ChoiceControl } from "../controls/choice-control.tsx";
import type { ControlProps } from "../controls/control-props.ts";
import { NumberControl } from "../controls/number-control.tsx";
import { SeedControl } from "../controls/seed-control.tsx";
import { TextControl } from "../controls/text-control.tsx";
import { useFormContext } from "./form-context.ts";
import { numberOptions } from "./is-group-control.ts";
import type { StructuredAs } from "./structured-control.tsx";

const LazyControl = lazy(() =>
  import("./structured-control.tsx").then((module) => ({ default: module.StructuredControl })),
);

const COMPOSITE = new Set(["group", "list", "tuple", "map", "choices", "media"]);

/** The control for a field of any kind. A value that its own control cannot show is written as JSON: never a dead end. */
export function FieldControl({ field, ...rest }: ControlProps) {
  const { renderMedia } = useFormContext();
  const { value } = rest;
  const structured = (shownAs: StructuredAs) => (
    <Suspense fallback={<Skeleton className="h-9" />}>
      <LazyControl {...rest} field={field} shownAs={shownAs} control={FieldControl} />
    </Suspense>
  );
  if (COMPOSITE.has(field.kind) && value !== undefined && !fitsField(field, value)) return structured("json");
  if (value === null && field.nullable && field.kind !== "choice") return structured("null");
  switch (field.kind) {
    case "text":
      return <TextControl {...rest} field={field} />;
    case "number": {
      if (field.role === "seed") return <SeedControl {...rest} field={field} />;
      const options = numberOptions(field);
      const isListed = value === undefined || options?.some((option) => option.value === value);
      if (!options || !isListed) return <NumberControl {...rest} field={field} />;
      return <ChoiceControl {...rest} field={{ ...field, kind: "choice", options, nullable: false }} />;
    }
    case "boolean":
      return <BooleanControl {...rest} field={field} />;
    case "choice":
      return <ChoiceControl {...rest} field={field} />;
    case "media":
      return renderMedia ? renderMedia({ ...rest, field }) : structured("itself");
    default:
      return structured("itself");
  }
}
