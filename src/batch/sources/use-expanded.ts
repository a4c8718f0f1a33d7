import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type ExpandedAxes, expandAxes } from "#batch/rows/expand-axes.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";

/** Runs are made this long after the last key, because to make thousands takes longer than a key press may. */
const TYPING_PAUSE_MS = 150;

/** The runs of some axes, made a moment after the last change. `isFresh`: they belong to the present axes and schemas. */
export function useExpanded(axes: BatchAxes, schemas: ModelSchemas): { expanded: ExpandedAxes; isFresh: boolean } {
  const [shown, setShown] = useState(() => ({ axes, schemas, expanded: expandAxes(axes, schemas) }));
  const isFresh = shown.axes === axes && shown.schemas === schemas;
  useEffect(() => {
    if (isFresh) return;
    const timer = setTimeout(() => setShown({ axes, schemas, expanded: expandAxes(axes, schemas) }), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isFresh, axes, schemas]);
  return { expanded: shown.expanded, isFresh };
}

/**
 * The state of a text field that reports to `onChange` a moment after the last key, and immediately when it is left or unmounted.
 * A `text` that changes from outside replaces what was typed.
 */
export function useQuietText(text: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState(text);
  const [reported, setReported] = useState(text);
  if (text !== reported) {
    setReported(text);
    setTyped(text);
  }
  const report = useEffectEvent(() => {
    if (typed === reported) return;
    setReported(typed);
    onChange(typed);
  });
  useEffect(() => {
    if (typed === reported) return;
    const timer = setTimeout(() => report(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, reported]);
  useEffect(() => () => report(), []);
  function onBlur() {
    if (typed === reported) return;
    setReported(typed);
    onChange(typed);
  }
  return { typed, setTyped, onBlur };
}

/** `make(value)`, computed again only for another value. `make` must not depend on anything else. */
export function useMade<Value, Made>(value: Value, make: (value: Value) => Made): Made {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `make` is a function of its module
  return useMemo(() => make(value), [value]);
}
