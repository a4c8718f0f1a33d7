import type { ReactNode } from "react";

/** One line of a `dl` of facts: a name and a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="wrap-anywhere text-ink-3">{name}</dt>
      <dd className="m-0 min-w-0 tabular-nums">{children}</dd>
    </>
  );
}
