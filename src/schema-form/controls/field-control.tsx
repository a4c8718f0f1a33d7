import type { ReactNode } from "react";
import { fitsField } from "../check/fits-field.ts";
import type { Field } from "../read/field.ts";
import { BooleanControl, ChoiceControl } from "./choice-control.tsx";
import type { ControlProps } from "./control-props.ts";
import { numberOptions } from "./is-group-control.ts";
import { NumberControl, SeedControl } from "./number-control.tsx";
import { StructuredControl } from "./structured-control.tsx";
import { TextControl } from "./text-control.tsx";

/** The control for a field of any kind. A value that its own control cannot show is written as JSON: never a dead end. */
export function FieldControl(props: ControlProps): ReactNode {
  const { field, ...rest } = props;
  const { value, context } = rest;
  if (needsJson(field, value)) return <StructuredControl {...props} shownAs="json" />;
  if (value === null && field.nullable && field.kind !== "choice")
    return <StructuredControl {...props} shownAs="null" />;
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
      return context.renderMedia ? (
        context.renderMedia({ ...rest, field })
      ) : (
        <StructuredControl {...props} shownAs="itself" />
      );
    case "choices":
    case "colour":
    case "group":
    case "list":
    case "tuple":
    case "map":
    case "union":
    case "json":
      return <StructuredControl {...props} shownAs="itself" />;
    default:
      return field satisfies never;
  }
}

/** Whether the field's own control cannot show a value. The kinds below show a value of any shape. */
function needsJson(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case "choices":
    case "media":
    case "group":
    case "list":
    case "tuple":
    case "map":
      return value !== undefined && !fitsField(field, value);
    case "text":
    case "number":
    case "boolean":
    case "choice":
    case "colour":
    case "union":
    case "json":
      return false;
  }
}
