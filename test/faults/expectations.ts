import { TEXTS } from "./expected-words.ts";
import type { Endpoint } from "./fault-network.ts";
import type { FaultCase, Sort } from "./faults.ts";
import type { Outcome } from "./outcomes.ts";

type Kind =
  /** Read again as spec 7 rule 1 says: five times in all. */
  | "repeated"
  /** As those, but the answer's body is not read. */
  | "delete"
  /** One request for each poll. */
  | "poll"
  /** The bytes of a file, to the storage and from it. */
  | "put"
  | "file"
  /** Repeated only after a refusal in the service's own words. */
  | "text";

function kindOf(endpoint: Endpoint): Kind {
  if (TEXTS.includes(endpoint)) return "text";
  if (endpoint === "job") return "poll";
  if (endpoint === "signed PUT") return "put";
  if (endpoint === "media GET") return "file";
  return endpoint === "delete media" ? "delete" : "repeated";
}

export interface Expected {
  /** To the endpoint, while the fault lasts. */
  requests: number;
  how: Outcome["how"];
}

const done = (requests: number): Expected => ({ requests, how: "done" });
const failed = (requests: number): Expected => ({ requests, how: "failed" });
const MAX_TRIES = 5;

/** How one try ends while a fault lasts, by the kind of the endpoint and the sort of the fault. */
export function expectedOutcome(endpoint: Endpoint, { sort }: FaultCase): Expected {
  const kind = kindOf(endpoint);
  const tries = kind === "poll" || kind === "file" || kind === "text" ? 1 : MAX_TRIES;
  switch (sort) {
    case "offline":
      // An upload begins with its address.
      return failed(kind === "put" ? 0 : tries);
    case "lost":
    case "answer lost":
    case "no CORS":
      return failed(tries);
    case "redirect":
      return kind === "put" || kind === "file" ? done(1) : failed(tries);
    case "cut":
      // The status was all that was to be read.
      if (kind === "delete") return done(1);
      return kind === "text" ? { requests: 1, how: "early" } : failed(tries);
    case "silent":
      return failed(tries);
    case "drip":
      // As long as something comes, or goes, it is waited for. A record has a limit as a whole.
      return kind === "text" || kind === "file" || kind === "put" || kind === "delete" ? done(1) : failed(tries);
    case "busy once":
      if (kind === "poll" || kind === "file") return failed(1);
      return done(2);
    case "status 429":
    case "status 502":
    case "status 503":
      return failed(kind === "poll" || kind === "file" ? 1 : MAX_TRIES);
    case "gateway 502":
      return failed(tries);
    case "status 404":
      // The service says that nothing is left to delete.
      return kind === "delete" ? done(1) : failed(1);
    case "status 403":
      // A signed address may have run out: a fresh one is asked for, once.
      return failed(kind === "put" ? 2 : 1);
    case "other record":
    case "no record":
    case "web page":
    case "endless":
    case "too deep":
      if (kind === "delete" || kind === "put" || kind === "file") return done(1);
      // Whatever a model's record says beside its parameters.
      return endpoint === "model" && sort === "other record" ? done(1) : failed(1);
    case "hostile":
    case "entries doubled":
    case "delivered twice":
      return done(1);
    case "revoked":
      // No storage is given the key; an upload ends before it comes to it.
      if (kind === "file") return done(1);
      return failed(kind === "put" ? 0 : 1);
    case "abort":
      return kind === "delete" ? done(1) : { requests: 1, how: "stopped" };
    case "close":
      return { requests: 1, how: "stopped" };
    case "freeze":
      // What came while the page stood still is taken, where the limit is one of silence.
      if (kind === "file" || kind === "text" || kind === "put") return done(1);
      return kind === "poll" ? failed(1) : done(2);
    case "out of order":
      return done(2);
    default:
      return failed(1);
  }
}

/** What a file holds after a fault that gives other bytes: its kind comes from the bytes alone. */
export function expectedFile(sort: Sort): string | undefined {
  if (sort === "web page") return "bin of 37 bytes";
  if (sort === "endless") return `png of ${100 * 1024 * 1024 + 8} bytes`;
  if (sort === "other record") return "json of 22 bytes";
  if (sort === "no record") return "txt of 1 bytes";
  return sort === "too deep" ? "json of 200000 bytes" : undefined;
}
