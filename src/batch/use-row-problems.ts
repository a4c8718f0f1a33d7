import { useEffect, useMemo, useState } from "react";
import { rowProblems } from "#batch/rows/row-problems.ts";
import type { ItemView } from "#batch/runner/item-states.ts";
import type { ModelSchemas } from "#schema-form/use-model-schemas.ts";

/** Rows are checked for so long, ms, before a frame may be drawn. */
const SLICE_MS = 8;

export interface RowProblems {
  problems: ReadonlyMap<string, readonly string[]>;
  /** Drafts that are still to be checked: they are not ready. */
  unchecked: ReadonlySet<string>;
}

/**
 * Why drafts are not ready. A few rows are checked at once; where thousands change together, in slices between frames, so that
 * typing stays smooth.
 */
export function useRowProblems(items: readonly ItemView[], schemas: ModelSchemas): RowProblems {
  const work = useMemo(() => startWork(items, schemas), [items, schemas]);
  const [slices, setSlices] = useState(0);
  const result = useMemo((): RowProblems => {
    // Read for its change alone: a slice has gone on with the work.
    void slices;
    const left = work.items.slice(work.next).map(({ item }) => item.id);
    return { problems: new Map(work.problems), unchecked: new Set(left) };
  }, [work, slices]);
  const isWhole = result.unchecked.size === 0;
  // One slice after each drawing.
  useEffect(() => {
    if (isWhole) return;
    const timer = setTimeout(() => {
      goOn(work, schemas);
      setSlices((count) => count + 1);
    });
    return () => clearTimeout(timer);
  });
  return result;
}

interface Work {
  items: readonly ItemView[];
  next: number;
  problems: Map<string, readonly string[]>;
}

function startWork(all: readonly ItemView[], schemas: ModelSchemas): Work {
  const work: Work = { items: all.filter(({ state }) => state.kind === "draft"), next: 0, problems: new Map() };
  goOn(work, schemas);
  return work;
}

/** What was found before of a row that did not change takes no time. */
function goOn(work: Work, schemas: ModelSchemas): void {
  const endMs = performance.now() + SLICE_MS;
  while (work.next < work.items.length) {
    const item = work.items[work.next]?.item;
    work.next += 1;
    const sentences = item ? rowProblems(item, schemas) : [];
    if (item && sentences.length > 0) work.problems.set(item.id, sentences);
    if (work.next % 16 === 0 && performance.now() > endMs) return;
  }
}
