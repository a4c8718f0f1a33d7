import type { Ref, RefCallback } from "react";

/** One ref that fills several, so that a component can use its own and pass the caller's on. */
export function mergeRefs<T>(...refs: (Ref<T> | undefined)[]): RefCallback<T> {
  return (node) => {
    for (const ref of refs) {
      if (typeof ref === "function") ref(node);
      else if (ref) ref.current = node;
    }
  };
}
