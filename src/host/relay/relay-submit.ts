import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { dropConnection } from "../start-server.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import { asRefusal, isRedirect, type Relayed } from "./relay-stream.ts";
import { pageHeaders, type UpstreamAnswer, upstreamHeaders } from "./upstream-request.ts";

/** The header that names an intent to run. With it a POST is forwarded once, however often it is sent. */
export const INTENT_HEADER = "x-safelight-intent";

const MOST_REQUEST_BYTES = 64 * 1024 * 1024;
const MOST_ANSWER_BYTES = 128 * 1024 * 1024;
const LONGEST_WAIT_MS = 10 * 60 * 1000;

/**
 * Forwards a submit once per intent id and key. Every repeat within 24 hours gets the first answer. The request
 * upstream is not aborted when the page goes away, since its answer is what a repeat will ask for. An answer that never
 * came whole drops the page's connection, now and at each repeat: that is "no answer" to the page, which is true.
 */
export async function relaySubmit(relayed: Relayed, intentId: string, answers: FirstAnswers): Promise<void> {
  const { connection, target } = relayed;
  const { incoming, outgoing } = connection;
  if (!/^[\w.:-]{8,200}$/.test(intentId)) {
    throw new RelayRefusal(400, "intent_reused", "An intent id has 8 to 200 letters, digits and . : - _ signs.");
  }
  const body = await readWhole(incoming, MOST_REQUEST_BYTES).catch(() => undefined);
  if (!body) throw new RelayRefusal(413, "too_large", "The request is too large for the relay, or broke off.");
  const intent = digest(keyOf(incoming.headers), intentId);
  const fingerprint = digest(target.origin, target.pathAndQuery, body);
  const outcome = await answers.take(intent, fingerprint, () => forward(relayed, body));
  if (!outcome) throw new RelayRefusal(409, "intent_reused", "This intent id was already used for another request.");
  if (outcome.kind === "lost") {
    dropConnection(connection);
    return;
  }
  outgoing.writeHead(outcome.status, outcome.headers);
  outgoing.end(outcome.body);
}

/** Rejects with a RelayRefusal when nothing was sent; an answer that is missing or broken is `lost`. */
async function forward({ connection, target, open }: Relayed, body: Buffer): Promise<SubmitOutcome> {
  let isConnected = false;
  let answer: UpstreamAnswer;
  const headers = {
    ...upstreamHeaders(connection.incoming.headers, target.use, "none"),
    "content-length": body.length,
  };
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  const onConnected = () => {
    isConnected = true;
  };
  try {
    answer = await open({
      target,
      method: "POST",
      headers,
      body,
      signal,
      onConnected,
    });
  } catch (error) {
    if (isConnected) return { kind: "lost" };
    throw asRefusal(error, target);
  }
  // A redirect is not followed, and whether a job was made before it is unknown.
  if (isRedirect(answer)) {
    answer.destroy();
    return { kind: "lost" };
  }
  const bytes = await readWhole(answer, MOST_ANSWER_BYTES).catch(() => undefined);
  if (!bytes) return { kind: "lost" };
  const answerHeaders = { ...pageHeaders(answer.headers, target), "content-length": bytes.length };
  return { kind: "answer", status: answer.statusCode ?? 502, headers: answerHeaders, body: bytes };
}

/** Rejects when the stream breaks off or holds more than `mostBytes`. */
async function readWhole(stream: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > mostBytes) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function keyOf(headers: IncomingHttpHeaders): string {
  return `${headers.authorization ?? ""}\n${headers["x-api-key"] ?? ""}`;
}

function digest(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("base64");
}

/** What a submit came to. `lost`: it went out and no whole answer came back, so a job may exist. */
export type SubmitOutcome =
  | { kind: "answer"; status: number; headers: OutgoingHttpHeaders; body: Buffer }
  | { kind: "lost" };

interface Entry {
  fingerprint: string;
  outcome: Promise<SubmitOutcome>;
  atMs: number;
  bodyBytes: number;
}

interface FirstAnswers {
  /**
   * The outcome of an intent: the first one's if it is known, else that of `forward`, which runs once. Undefined when
   * the intent is known for another request. When `forward` rejects, nothing was sent and the intent is forgotten.
   */
  take(intent: string, fingerprint: string, forward: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> | undefined;
}

const KEPT_MS = 24 * 60 * 60 * 1000;
const MOST_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Remembers what every intent came to for 24 hours. Past 256 MB the oldest answers lose their body and count as lost:
 * the page then looks the job up in the list. The intents themselves stay, so nothing is ever forwarded twice.
 */
export function createFirstAnswers(now: () => number, mostBodyBytes = MOST_BODY_BYTES): FirstAnswers {
  const entries = new Map<string, Entry>();
  let bodyBytes = 0;

  const expire = () => {
    for (const [intent, entry] of entries) {
      if (now() - entry.atMs < KEPT_MS) return;
      entries.delete(intent);
      bodyBytes -= entry.bodyBytes;
    }
  };

  const shed = () => {
    for (const entry of entries.values()) {
      if (bodyBytes <= mostBodyBytes) return;
      if (entry.bodyBytes === 0) continue;
      bodyBytes -= entry.bodyBytes;
      entry.bodyBytes = 0;
      entry.outcome = Promise.resolve({ kind: "lost" });
    }
  };

  return {
    take(intent, fingerprint, forward) {
      expire();
      const known = entries.get(intent);
      if (known) return known.fingerprint === fingerprint ? known.outcome : undefined;
      const outcome = forward();
      const entry: Entry = { fingerprint, outcome, atMs: now(), bodyBytes: 0 };
      entries.set(intent, entry);
      outcome.then(
        (settled) => {
          if (settled.kind === "lost") return;
          entry.bodyBytes = settled.body.length;
          bodyBytes += entry.bodyBytes;
          shed();
        },
        () => entries.delete(intent),
      );
      return outcome;
    },
  };
}
