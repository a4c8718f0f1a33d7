import type { ReactNode } from "react";

/** Who speaks, above what they say, and beside it what can be done. A heading, so that one can go from message to message. */
export function Who({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-7 items-center gap-1.5 pointer-coarse:min-h-10">
      <h3 className="m-0 font-medium text-[12px] text-ink-3">{children}</h3>
      {aside}
    </div>
  );
}
