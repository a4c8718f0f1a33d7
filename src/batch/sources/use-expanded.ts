import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type ExpandedAxes, expandAxes } from "#batch/rows/expand-axes.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";
import type { BatchAxes } from "#storage/stored-batches.ts";

/** The time without typing after which runs are made anew: thousands of them take longer than a key may. */
const QUIET_MS = 150;

/** The runs of some axes, a moment after the last change; `isFresh` once they are those of the axes as they are. */
export function useExpanded(axes: BatchAxes, schemas: ModelSchemas): { expanded: ExpandedAxes; isFresh: boolean } {
  const [shown, setShown] = useState(() => ({ axes, schemas, expanded: expandAxes(axes, schemas) }));
  const isFresh = shown.axes === axes && shown.schemas === schemas;
  useEffect(() => {
    if (isFresh) return;
    const timer = setTimeout(() => setShown({ axes, schemas, expanded: expandAxes(axes, schemas) }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [isFresh, axes, schemas]);
  return { expanded: shown.expanded, isFresh };
}

/**
 * A text that is passed to `onChange` a moment after the last key, at once when the field is left, and when it goes. One that
 * others set is taken over.
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
    const timer = setTimeout(() => report(), QUIET_MS);
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

/** What follows from a value, made once for each. */
export function useMade<Value, Made>(value: Value, make: (value: Value) => Made): Made {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `make` is a function of its module
  return useMemo(() => make(value), [value]);
}
