import { useEffect, useState } from "react";

/** Whether the list has stood still since this row came into sight: what is only passed by loads nothing. */
export function useSettled(isScrolling: boolean): boolean {
  const [isSettled, setIsSettled] = useState(!isScrolling);
  useEffect(() => {
    if (!isScrolling) setIsSettled(true);
  }, [isScrolling]);
  return isSettled;
}
