import { trustWorker } from "#lib/trust-worker.ts";
import type { Field } from "../read/field.ts";
import workerAddress from "./pattern-worker.ts?worker&url";

/** A text to be checked against a pattern of the listing. */
export interface PatternJob {
  /** The form's name of the field. */
  name: string;
  label: string;
  pattern: string;
  text: string;
}

/** The patterns of a form that have a text to check: those of its text fields. */
export function patternJobs(fields: readonly { name: string; field: Field; value: unknown }[]): PatternJob[] {
  return fields.flatMap(({ name, field, value }) =>
    field.kind === "text" && field.pattern !== undefined && typeof value === "string" && value !== ""
      ? [{ name, label: field.label, pattern: field.pattern, text: value }]
      : [],
  );
}

/** A pattern that runs longer is stopped, and its text is left to the service. */
const PATTERN_LIMIT_MS = 100;
/** A worker that takes longer to start is given up. */
const START_LIMIT_MS = 2000;

/** What this needs of a worker, so that a test can bring one of Node's. */
export interface PatternWorker {
  postMessage(jobs: readonly { pattern: string; text: string }[]): void;
  terminate(): void;
  onmessage: ((event: { data: boolean[] }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

/** A worker that runs patterns; undefined where the platform has none. */
function createPatternWorker(): PatternWorker | undefined {
  if (typeof Worker === "undefined") return undefined;
  const worker = new Worker(trustWorker(workerAddress), { type: "module" });
  const adapted: PatternWorker = {
    postMessage: (jobs) => worker.postMessage(jobs),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.onmessage = (event: MessageEvent<boolean[]>) => adapted.onmessage?.({ data: event.data });
  worker.onerror = (event) => adapted.onerror?.(event);
  return adapted;
}

export interface PatternResults {
  /** The jobs that do not match. */
  failing: PatternJob[];
  /** The jobs that were stopped: nothing is known of them. */
  stopped: PatternJob[];
}

/**
 * Runs the patterns of a listing one after the other in a worker, because a regular expression may run forever. Each is
 * stopped after 100 ms; its text may be sent, and the service decides. Without workers nothing is checked.
 */
export async function checkPatterns(
  jobs: readonly PatternJob[],
  start: () => PatternWorker | undefined = createPatternWorker,
): Promise<PatternResults> {
  const results: PatternResults = { failing: [], stopped: [] };
  let worker: PatternWorker | undefined;
  for (const job of jobs) {
    worker ??= start();
    if (!worker) return { failing: [], stopped: [] };
    const answer = await runOne(worker, job);
    if (answer === "stopped") {
      worker = undefined;
      results.stopped.push(job);
    } else if (!answer) results.failing.push(job);
  }
  worker?.terminate();
  return results;
}

function runOne(worker: PatternWorker, { pattern, text }: PatternJob): Promise<boolean | "stopped"> {
  return new Promise((resolve) => {
    const stop = () => {
      worker.terminate();
      resolve("stopped");
    };
    // The first response, to an empty list, only shows that the worker has started: that time is not the pattern's.
    let timer = setTimeout(stop, START_LIMIT_MS);
    worker.onerror = () => {
      clearTimeout(timer);
      stop();
    };
    worker.onmessage = () => {
      clearTimeout(timer);
      timer = setTimeout(stop, PATTERN_LIMIT_MS);
      worker.onmessage = (event) => {
        clearTimeout(timer);
        resolve(event.data[0] ?? true);
      };
      worker.postMessage([{ pattern, text }]);
    };
    worker.postMessage([]);
  });
}
