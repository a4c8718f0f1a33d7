import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { sameJson } from "#lib/read.ts";
import { fitHeight } from "#ui/field.tsx";

/**
 * The text of an input whose value the form holds. What the person types stays as typed (`1.` stays `1.` although its
 * value is 1), while a value set from outside (reset, the JSON view) replaces the text. Call
 * `setText` with the value that the form gets for the text, so that it is not taken for one from outside.
 */
export function useLocalText(
  value: unknown,
  toText: (value: unknown) => string,
): [text: string, setText: (text: string, value: unknown) => void] {
  const [state, setState] = useState(() => ({ text: toText(value), value }));
  let current = state;
  if (!sameJson(state.value, value)) {
    current = { text: toText(value), value };
    setState(current);
  }
  return [current.text, (text, sent) => setState({ text, value: sent })];
}

/** The methods that inputs and text areas share. */
type TextBox = HTMLInputElement & HTMLTextAreaElement;

/**
 * A text box that holds its own text: typing renders nothing, while a value set from outside (reset, the JSON view)
 * replaces the text. Call `setSent` with the value that the form gets for a typed text, so that it is not taken for one
 * from outside.
 */
export function useOwnText(
  value: unknown,
  toText: (value: unknown) => string,
): { box: RefObject<TextBox | null>; defaultValue: string; setSent: (value: unknown) => void } {
  const box = useRef<TextBox>(null);
  const [defaultValue] = useState(() => toText(value));
  const sent = useRef(value);
  useLayoutEffect(() => {
    if (sameJson(sent.current, value)) return;
    sent.current = value;
    if (!box.current) return;
    box.current.value = toText(value);
    fitHeight(box.current);
  });
  function setSent(given: unknown) {
    sent.current = given;
  }
  return { box, defaultValue, setSent };
}
