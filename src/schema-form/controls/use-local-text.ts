import { useState } from "react";
import { sameJson } from "../read/same-json.ts";

interface LocalText {
  text: string;
  /** The value last sent to the form for this text. */
  value: unknown;
  version: number;
}

/**
 * The text of an input whose value the form keeps: typing renders only the input, while a value set from outside
 * (reset, the JSON view) replaces the text. `1.` stays `1.` although its value is 1.
 */
export function useLocalText(
  value: unknown,
  version: number,
  toText: (value: unknown) => string,
): [text: string, setText: (text: string, value: unknown) => void] {
  const [state, setState] = useState<LocalText>(() => ({ text: toText(value), value, version }));
  let current = state;
  if (state.version !== version) {
    current = sameJson(state.value, value) ? { ...state, version } : { text: toText(value), value, version };
    setState(current);
  }
  return [current.text, (text, emitted) => setState({ text, value: emitted, version })];
}
