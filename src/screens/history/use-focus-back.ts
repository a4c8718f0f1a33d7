import { type RefObject, useEffect, useRef } from "react";

/** Gives the list the focus back where what worked on the chosen jobs had it, and is gone with the choice. */
export function useFocusBack(list: RefObject<HTMLElement | null>, isChosen: boolean): void {
  const wasChosen = useRef(isChosen);
  useEffect(() => {
    if (wasChosen.current && !isChosen && document.activeElement === document.body) {
      list.current?.focus({ preventScroll: true });
    }
    wasChosen.current = isChosen;
  }, [list, isChosen]);
}
