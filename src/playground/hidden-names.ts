import { createContext, useContext } from "react";

/** Whether a column stands in a blind comparison: nothing in it may give its model away. */
export const HiddenNames = createContext(false);

export function useIsHidden(): boolean {
  return useContext(HiddenNames);
}
