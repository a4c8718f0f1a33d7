/** One request as it was sent, with the key redacted, and everything that came back for it. */
export interface LoggedExchange {
  /** Milliseconds since the first request in the same log. All times here count from there. */
  sentAtMs: number;
  request: { method: string; url: string; headers: Record<string, string>; body: string };
  response?: { atMs: number; status: number; headers: Record<string, string> };
  events: LoggedEvent[];
  /** How many further events were dropped. */
  lostEvents?: number;
  /** The body of a response that was read whole, such as a job's. A text response in one piece is an event instead. */
  body?: string;
  /** How it ended, in words, and when. */
  end?: { atMs: number; text: string };
  /** How often it was sent with the same response, where that was more than once: reads of a job that still runs. */
  repeatCount?: number;
}

/** One event of a stream, or the whole body where a text endpoint answered in one piece. */
export interface LoggedEvent {
  atMs: number;
  name: string | undefined;
  data: string;
}
