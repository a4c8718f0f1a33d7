import { matchPatterns } from "../read/match-patterns.ts";

// A pattern of a listing can take for ever: here it can be stopped (reliability 1.4).
self.onmessage = (event: MessageEvent<{ pattern: string; text: string }[]>) =>
  self.postMessage(matchPatterns(event.data));
