/**
 * Whether each text matches its pattern. A pattern that is no regular expression matches everything, because then
 * only the service can decide. May run forever.
 */
export function matchPatterns(jobs: readonly { pattern: string; text: string }[]): boolean[] {
  return jobs.map(({ pattern, text }) => {
    try {
      return new RegExp(pattern, "u").test(text);
    } catch {
      return true;
    }
  });
}

// `patterns.ts` runs this file as a worker, so that it can stop a pattern that does not end.
globalThis.onmessage = (event: MessageEvent<{ pattern: string; text: string }[]>) =>
  globalThis.postMessage(matchPatterns(event.data));
