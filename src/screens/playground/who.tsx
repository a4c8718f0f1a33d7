import type { ReactNode } from "react";

/** Who speaks, above what they say. A heading, so that one can go from message to message. */
export function Who({ children }: { children: ReactNode }) {
  return <h3 className="m-0 mb-1 font-medium text-[12px] text-ink-3">{children}</h3>;
}
