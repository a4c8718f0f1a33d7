import { type ComponentProps, lazy, Suspense } from "react";
import { Skeleton } from "#ui/skeleton.tsx";

const Combobox = lazy(() => import("#ui/combobox.tsx").then((module) => ({ default: module.Combobox })));

/** A list that is typed to narrow, loaded with the first field that has so many options. */
export function LongList(props: ComponentProps<typeof Combobox>) {
  return (
    <Suspense fallback={<Skeleton className="h-[34px]" />}>
      <Combobox {...props} />
    </Suspense>
  );
}
