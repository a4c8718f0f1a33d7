import { useRef } from "react";

/**
 * The list that the viewer steps through: the given one, or the last one that had the viewed item. A filter may take that
 * item away while it is viewed, because its star is gone or its run has ended, and the viewer stays open.
 */
export function useListWhileViewed<T>(list: readonly T[], isViewed: (item: T) => boolean): readonly T[] {
  const last = useRef(list);
  if (last.current !== list && (list.some(isViewed) || !last.current.some(isViewed))) last.current = list;
  return last.current;
}
