/** One request as it was sent, with the key redacted, and everything that came back for it. */
export interface LoggedExchange {
  /** In ms since the first request that is shown with it, like every time here. */
  sentAtMs: number;
  request: { method: string; url: string; headers: Record<string, string>; body: string };
  response?: { atMs: number; status: number; headers: Record<string, string> };
  events: LoggedEvent[];
  /** Events after these, which were too many to keep. */
  lostEvents?: number;
  /** The body of an answer that is no stream. */
  body?: string;
  /** How it ended, in words, and when. */
  end?: { atMs: number; text: string };
  /** How often it was sent with the same answer, where that was more than once: reads of a job that still runs. */
  times?: number;
}

/** One event of a stream, or the whole body of an answer in one piece. */
export interface LoggedEvent {
  atMs: number;
  name: string | undefined;
  data: string;
}
