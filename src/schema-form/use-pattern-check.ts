import { useEffect } from "react";
import type { FormStore } from "./form-store.ts";
import type { PatternResults } from "./pattern-check.ts";
import { type PatternJob, patternJobs } from "./pattern-list.ts";

/** Typing pauses this long before patterns are run. */
const PAUSE_MS = 250;

/** Runs the patterns of a form's text fields beside it, after each pause in typing. A form without patterns does nothing. */
export function usePatternCheck(store: FormStore): void {
  useEffect(() => {
    const withPattern = store.names.filter((name) => {
      const field = store.field(name);
      return field?.kind === "text" && field.pattern !== undefined;
    });
    if (withPattern.length === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = "";
    let run = 0;
    const check = () => {
      const jobs = patternJobs(
        withPattern.flatMap((name) => {
          const field = store.field(name);
          return field ? [{ name, field, value: store.getValue(name) }] : [];
        }),
      );
      const key = JSON.stringify(jobs);
      if (key === last) return;
      last = key;
      run += 1;
      const mine = run;
      clearTimeout(timer);
      timer = setTimeout(() => {
        void runPatterns(jobs).then(({ failing, stopped }) => {
          if (mine !== run) return;
          store.setPatternProblems(
            failing.map(({ name, label }) => ({
              name,
              label,
              path: [store.field(name)?.key ?? ""],
              message: `${label} does not have the form that the model expects.`,
              missing: false,
            })),
            stopped.map(({ name }) => name),
          );
        });
      }, PAUSE_MS);
    };
    check();
    const stop = store.subscribe(check);
    return () => {
      stop();
      run += 1;
      clearTimeout(timer);
    };
  }, [store]);
}

/** Loaded with the first pattern. Where that fails nothing counts as wrong: the service has the last word. */
function runPatterns(jobs: readonly PatternJob[]): Promise<PatternResults> {
  return import("./pattern-check.ts").then(
    ({ checkPatterns }) => checkPatterns(jobs),
    () => ({ failing: [], stopped: [] }),
  );
}
