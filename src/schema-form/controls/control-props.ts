import type { ComponentType, ReactNode } from "react";
import type { FieldIds } from "#ui/field.tsx";
import type { Field, MediaField } from "../read/field.ts";

/** What a screen that can upload gets to draw a media field. */
export interface MediaControlProps {
  field: MediaField;
  /** One address, several, an `UploadValue`, or undefined where nothing is given. */
  value: unknown;
  /** Undefined takes the key out of the payload. */
  onChange: (value: unknown) => void;
  onBlur: () => void;
  ids: FieldIds;
  /** Where it stands in its form: see `ControlProps`. */
  place: string;
}

/** What a control needs of its form, at any depth. Passed on unchanged to the fields inside a field. */
interface ControlContext {
  modelId: string;
  /** Draws a field of any kind. Passed in, so that composite controls and `FieldControl` do not import each other. */
  Control: ComponentType<ControlProps>;
  /** Draws a media field, for a screen that can upload. Without it the field takes addresses. */
  renderMedia: ((props: MediaControlProps) => ReactNode) | undefined;
  /**
   * What is wrong at a place inside the field, such as `f3/0/width`; undefined where nothing is, or is not shown yet.
   */
  messageAt: (place: string) => string | undefined;
  /** The control at a place holds text that is no value yet, such as broken JSON. Undefined: it is a value again. */
  setUnreadable: (place: string, message: string | undefined) => void;
  /** Whether the form knows of such a text. It forgets it when the value is set from outside. */
  isUnreadable: (place: string) => boolean;
  /** Calls the listener when something inside a place is to be seen. Returns the function that stops it. */
  onRevealInside: (place: string, listener: () => void) => () => void;
}

/** What every control gets. A value of undefined means that the key is not sent. */
export interface ControlProps<F extends Field = Field> {
  field: F;
  value: unknown;
  /** `isShown`: the control's own box shows the value already, so that its row need not render again. */
  onChange: (value: unknown, isShown?: boolean) => void;
  onBlur: () => void;
  ids: FieldIds;
  /** Where the control stands: the field's name in the form (`f3`), and for a field inside it the way there. */
  place: string;
  context: ControlContext;
}

/** The place of a part inside another: under a key, or at a position. A slash inside a key is escaped. */
export function placeIn(place: string, step: string | number): string {
  return `${place}/${String(step).replaceAll("%", "%25").replaceAll("/", "%2F")}`;
}

/** The keys and positions of a place, from its field's name (`f3`) on, as they stand in the payload. */
export function placeSteps(place: string): string[] {
  return place.split("/").map((step) => step.replaceAll("%2F", "/").replaceAll("%25", "%"));
}
