import { useEffect, useState } from "react";
import { type ExpandedAxes, expandAxes } from "#jobs/batch-rows/expand-axes.ts";
import type { BatchAxes } from "#jobs/stored-batches.ts";
import type { ModelSchemas } from "#jobs/use-model-schemas.ts";

/** Runs are made anew when nothing was typed for so long: thousands of them take longer than a key may. */
export const QUIET_MS = 150;

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
