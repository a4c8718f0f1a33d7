import { createContext, type ReactNode, useContext } from "react";
import type { FieldIds } from "#ui/field.tsx";
import type { Field, MediaField } from "../read/field.ts";
import type { FormStore } from "./form-store.ts";

export interface MediaControlProps {
  field: MediaField;
  /** One address, several, or undefined where nothing is given. */
  value: unknown;
  /** Undefined takes the key out of the payload. */
  onChange: (value: unknown) => void;
  onBlur: () => void;
  ids: FieldIds;
}

export interface FormContextValue {
  store: FormStore;
  /** Draws a media field, for a screen that can upload. Without it the field takes addresses. */
  renderMedia: ((props: MediaControlProps) => ReactNode) | undefined;
  /** What a screen adds to the end of a field's label line. */
  renderAside: ((field: Field) => ReactNode) | undefined;
}

export const FormContext = createContext<FormContextValue | undefined>(undefined);

/** The form that a row or control belongs to. */
export function useFormContext(): FormContextValue {
  const value = useContext(FormContext);
  if (!value) throw new Error("A field was rendered outside SchemaForm.");
  return value;
}
