import { useEffect } from "react";
import type { FormStore } from "./form-store.ts";

/**
 * Runs the patterns of a form's text fields beside it. A form without patterns does nothing. Where what runs them does
 * not load, nothing counts as wrong: the service has the last word.
 */
export function usePatternCheck(store: FormStore): void {
  useEffect(() => {
    const withPattern = store.names.filter((name) => {
      const field = store.field(name);
      return field?.kind === "text" && field.pattern !== undefined;
    });
    if (withPattern.length === 0) return;
    let stop: (() => void) | undefined;
    let isGone = false;
    void import("./watch-patterns.ts").then(
      ({ watchPatterns }) => {
        if (!isGone) stop = watchPatterns(store, withPattern);
      },
      () => {},
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [store]);
}
