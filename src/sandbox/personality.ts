import type { JsonRecord } from "#lib/json.ts";
import type { Exchange, Route } from "./authenticate.ts";

/** What a personality may know of the exchange it changes. */
export interface Passage {
  exchange: Exchange;
  /** The route that was meant, also for a preflight; undefined for an unknown path. */
  route: Route | undefined;
  /** Sandbox time, milliseconds. */
  nowMs: number;
  wait(ms: number): Promise<void>;
  /** Reads a file of the sandbox's own storage. */
  readFile(url: string): Promise<Response>;
}

/**
 * A way in which real servers differ where the specification is silent. Each changes the request on its way in or the
 * answer on its way out; the faithful sandbox knows nothing of it.
 */
export interface Personality {
  name: string;
  /** One line for the studio's sandbox help. */
  explanation: string;
  /** Changes the request's address and headers before it is routed, or answers it in the sandbox's place. */
  request?(url: URL, headers: Headers, method: string): Response | undefined;
  /** Changes a JSON answer of status 200 on the named routes. */
  json?: { routes: readonly string[]; change(body: JsonRecord, passage: Passage): unknown };
  /** Changes the answer as a whole, after `json`. */
  response?(response: Response, passage: Passage): Response | Promise<Response>;
}
