import { type ReactNode, Suspense, useState } from "react";

/**
 * Renders its children from the first time that `when` holds, and keeps them: a lazily loaded dialog costs nothing
 * before it is asked for, and stays mounted afterwards, so that it can give the focus back when it closes.
 */
export function OnDemand({ when, children }: { when: boolean; children: ReactNode }) {
  const [wasAsked, setWasAsked] = useState(when);
  if (when && !wasAsked) setWasAsked(true);
  return wasAsked ? <Suspense>{children}</Suspense> : null;
}
