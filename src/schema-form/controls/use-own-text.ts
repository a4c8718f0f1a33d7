import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { fitHeight } from "#ui/text-area.tsx";
import { sameJson } from "../read/same-json.ts";

/** A box of either kind can be told its text. */
type TextBox = HTMLInputElement & HTMLTextAreaElement;

interface OwnText {
  box: RefObject<TextBox | null>;
  defaultValue: string;
  /** Says what the form was given for the text that the box holds now. */
  told: (value: unknown) => void;
}

/**
 * A text box that keeps its own text: typing renders nothing, while a value set from outside (reset, the JSON view)
 * replaces the text.
 */
export function useOwnText(value: unknown, version: number, toText: (value: unknown) => string): OwnText {
  const box = useRef<TextBox>(null);
  const [defaultValue] = useState(() => toText(value));
  const held = useRef({ value, version });
  useLayoutEffect(() => {
    if (held.current.version === version) return;
    const isSame = sameJson(held.current.value, value);
    held.current = { value, version };
    if (isSame || !box.current) return;
    box.current.value = toText(value);
    fitHeight(box.current);
  });
  function told(given: unknown) {
    held.current.value = given;
  }
  return { box, defaultValue, told };
}
