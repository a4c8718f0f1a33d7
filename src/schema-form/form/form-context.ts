import { createContext, type ReactNode, useContext } from "react";
import type { MediaControlProps } from "../controls/control-props.ts";
import type { Field } from "../read/field.ts";
import type { FormHandle } from "./form-handle.ts";

interface FormContextValue {
  form: FormHandle;
  /** Draws a media field, for a screen that can upload. Without it the field takes addresses. */
  renderMedia: ((props: MediaControlProps) => ReactNode) | undefined;
  /** What a screen adds to the end of a field's label line. */
  renderAside: ((field: Field) => ReactNode) | undefined;
}

export const FormContext = createContext<FormContextValue | undefined>(undefined);

/** The form that a row or control belongs to. Throws outside of `SchemaForm`. */
export function useFormContext(): FormContextValue {
  const value = useContext(FormContext);
  if (!value) throw new Error("A field was rendered outside SchemaForm.");
  return value;
}
