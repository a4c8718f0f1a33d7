import { lazy, Suspense } from "react";
import type { MediaItem } from "#api/types.ts";

// It reads parameter schemas, which the rest of History does not need.
const AsInputDialog = lazy(async () => ({ default: (await import("./as-input-dialog.tsx")).AsInputDialog }));

/** Asks which model a file is for, once it is wanted. */
export function AsInput(props: { item: MediaItem; onClose: () => void }) {
  return (
    <Suspense>
      <AsInputDialog {...props} />
    </Suspense>
  );
}
