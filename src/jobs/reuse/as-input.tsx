import { lazy, Suspense } from "react";
import type { AsInputProps } from "./as-input-dialog.tsx";

// It reads parameter schemas, which the rest of History does not need.
const AsInputDialog = lazy(async () => ({ default: (await import("./as-input-dialog.tsx")).AsInputDialog }));

/** Asks which model a file is for, once it is wanted. */
export function AsInput(props: AsInputProps) {
  return (
    <Suspense>
      <AsInputDialog {...props} />
    </Suspense>
  );
}
