import { useEffect, useState } from "react";

/** Whether the list has let a job be seen since it came into this place: what is only passed by loads nothing. */
export function useSettled(requestId: string, isPassing: boolean): boolean {
  const [settled, setSettled] = useState(isPassing ? undefined : requestId);
  useEffect(() => {
    if (!isPassing) setSettled(requestId);
  }, [requestId, isPassing]);
  return !isPassing || settled === requestId;
}
