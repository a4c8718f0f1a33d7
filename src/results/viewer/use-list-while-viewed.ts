import { useState } from "react";

/**
 * The list that the viewer steps through: the given one, or the last one that had the viewed item. A filter may take that
 * item away while it is viewed, because its star is gone or its run has ended, and the viewer stays open. The list must be
 * the same object as long as nothing in it changes.
 */
export function useListWhileViewed<T>(list: readonly T[], isViewed: (item: T) => boolean): readonly T[] {
  const [last, setLast] = useState(list);
  if (last === list) return list;
  const isGone = !list.some(isViewed) && last.some(isViewed);
  if (isGone) return last;
  setLast(list);
  return list;
}
