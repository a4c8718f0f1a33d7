import type { FieldIds } from "#ui/field.tsx";
import type { Field } from "../read/field.ts";

/** What every control gets. Values are what the payload holds; undefined is "not sent". */
export interface ControlProps<F extends Field = Field> {
  field: F;
  value: unknown;
  /** Grows when the value may have been set from outside the control. */
  version: number;
  /** `isLocal`: the control shows the value itself, so its row need not render again. */
  onChange: (value: unknown, isLocal?: boolean) => void;
  onBlur: () => void;
  ids: FieldIds;
  /** A place of its own in the form, for controls that can hold text that is no value yet. */
  place: string;
}
