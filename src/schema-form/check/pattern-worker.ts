/**
 * Whether each text matches its pattern. A pattern that is no regular expression matches everything: the service
 * decides. Never throws, but may run for ever.
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

// A pattern of a listing may never end; in a worker it can be stopped.
globalThis.onmessage = (event: MessageEvent<{ pattern: string; text: string }[]>) =>
  globalThis.postMessage(matchPatterns(event.data));
