import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** A quiet block that holds a place while content loads. Give it a size; the region around it says `aria-busy`. */
export function Skeleton({ className, ...rest }: ComponentProps<"div">) {
  return <div aria-hidden="true" {...rest} className={clsx("animate-pulse rounded-sm bg-raised", className)} />;
}
