import { checkPatterns } from "../check/pattern-check.ts";
import { patternJobs } from "../check/pattern-list.ts";
import type { FormStore } from "./form-store.ts";

/** Typing pauses this long before patterns are run. */
const PAUSE_MS = 250;

/** Runs the patterns of the named fields now and after each pause in typing, and tells the store. Gives the way to stop. */
export function watchPatterns(store: FormStore, names: readonly string[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = "";
  let run = 0;
  const check = () => {
    const jobs = patternJobs(
      names.flatMap((name) => {
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
      void checkPatterns(jobs).then(({ failing, stopped }) => {
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
  const unsubscribe = store.subscribe(check);
  return () => {
    unsubscribe();
    run += 1;
    clearTimeout(timer);
  };
}
