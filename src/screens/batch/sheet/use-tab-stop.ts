import { useEffect, useMemo, useRef } from "react";
import type { SheetLine } from "./sheet-layout.ts";

/** The item that Tab leads to: the active one, and once that is not shown any more the one in its place. */
export function useTabStop(lines: readonly SheetLine[], active: string | undefined): string | undefined {
  const order = useMemo(() => lines.flatMap(({ cells }) => cells.flatMap((id) => id ?? [])), [lines]);
  const last = useRef(0);
  const at = active === undefined ? -1 : order.indexOf(active);
  useEffect(() => {
    if (at >= 0) last.current = at;
  }, [at]);
  return at >= 0 ? active : order[Math.min(last.current, order.length - 1)];
}
