import { createHash } from "node:crypto";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { MAX_STORED_BODY_BYTES, type StoredAnswer } from "../attempts/attempt-store.ts";
import { dropConnection } from "../connections/close-server.ts";
import { redactAnswer } from "./keyless-answer.ts";
import { pageHeaders, upstreamHeaders } from "./passed-headers.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import { asRefusal, isFinalStatus, isRedirect, type Relayed, sessionEnded, untilEnded } from "./relay-stream.ts";
import type { Forwarded, ForwardSteps, SendOnce } from "./send-once.ts";
import { readSubmitBody, type SubmitBody } from "./submit-body.ts";
import type { UpstreamAnswer } from "./upstream-request.ts";

/** The header that names an attempt. With it a POST is forwarded once, and a DELETE asks what became of the POST. */
export const INTENT_HEADER = "x-safelight-intent";
/** The header that names the memory in which the attempt must be written down. */
const MEMORY_HEADER = "x-safelight-memory";

/** How long the service may take until its answer is there, or has begun where it is passed on. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

/**
 * Forwards a POST once per intent id and key, over restarts and over all hosts that share the store. Every repeat within
 * 24 hours gets the first answer, marked `X-Safelight-Relay: first_answer`. The request upstream is not aborted when the
 * page goes away, since its answer is what a repeat will ask for. An answer that is larger than 64 kB or an event stream
 * is passed on as it comes and not stored: a repeat gets `outcome_unknown`. Throws the refusals of `send`.
 */
export async function relaySubmit(relayed: Relayed, intentId: string, sendOnce: SendOnce): Promise<void> {
  const { connection, target, headers, ended } = relayed;
  const id = attemptId(headers, intentId);
  const hash = createHash("sha256").update(`${target.origin}\0${target.pathAndQuery}\0`);
  const body = await readSubmitBody(connection.incoming, hash).catch((error: unknown) => {
    if (error instanceof TypeError) {
      throw new RelayRefusal(413, "too_large", "The request is larger than 64 MB or was cut off. It was not sent.");
    }
    const message = "The Safelight server has no memory left for a large request. It was not sent.";
    throw new RelayRefusal(503, "store_unavailable", message);
  });
  if (ended?.aborted) {
    await body.discard();
    throw sessionEnded("POST", false);
  }
  const send = (steps: ForwardSteps) => forward(relayed, body, steps);
  const sending = sendOnce
    .send(id, hash.digest("base64url"), send, readMemoryHeader(headers))
    .finally(() => body.discard());
  // The answer is written down also after the key is forgotten, since it says what became of the money.
  const outcome = await untilEnded(sending, ended, () => sessionEnded("POST", true));
  if (outcome.kind === "answer") answerPage(relayed, outcome.answer, outcome.isRepeat);
}

/**
 * Answers what became of an attempt: its first answer, or the refusal that `withdraw` throws. What was not sent by then
 * never will be.
 */
export async function relayWithdrawal(relayed: Relayed, intentId: string, sendOnce: SendOnce): Promise<void> {
  const { headers, ended } = relayed;
  const withdrawing = sendOnce.withdraw(attemptId(headers, intentId), readMemoryHeader(headers));
  answerPage(relayed, await untilEnded(withdrawing, ended, () => sessionEnded("DELETE", true)), true);
}

/** The name of an attempt in the store: nobody else's key finds it. Throws a RelayRefusal for an unusable intent id. */
function attemptId(headers: IncomingHttpHeaders, intentId: string): string {
  if (!/^[\w.:-]{8,200}$/.test(intentId)) {
    throw new RelayRefusal(
      400,
      "intent_reused",
      "An intent ID has 8 to 200 characters: letters, digits, and any of . : - _",
    );
  }
  const key = `${headers.authorization ?? ""}\n${headers["x-api-key"] ?? ""}`;
  return createHash("sha256").update(`${key}\0${intentId}\0`).digest("base64url");
}

function readMemoryHeader(headers: IncomingHttpHeaders): string | undefined {
  const memory = headers[MEMORY_HEADER];
  return typeof memory === "string" ? memory : undefined;
}

/**
 * Answers with what is stored. An older version may have written it down, with headers that no longer pass and a status that
 * says nothing: for that one throws `outcome_unknown`.
 */
function answerPage({ connection: { outgoing }, target }: Relayed, answer: StoredAnswer, isRepeat: boolean) {
  const { status, headers, body } = answer;
  if (!isFinalStatus(status)) {
    throw new RelayRefusal(409, "outcome_unknown", "The service’s response means nothing. It won’t be sent again.");
  }
  // The page takes the service's time from the date of an answer: neither this host's nor an old one will do.
  outgoing.sendDate = false;
  const { date, ...others } = pageHeaders({ statusCode: status, headers }, target.use);
  outgoing.writeHead(status, {
    ...others,
    ...(isRepeat ? { "x-safelight-relay": "first_answer" } : date === undefined ? {} : { date }),
    "content-length": body.length,
  });
  outgoing.end(body);
}

/** Throws only when nothing was sent; an answer that is missing or broken is `lost`. */
async function forward(relayed: Relayed, body: SubmitBody, steps: ForwardSteps): Promise<Forwarded> {
  const { target, ended, open } = relayed;
  const giveUp = new AbortController();
  const deadline = setTimeout(() => giveUp.abort(), LONGEST_WAIT_MS);
  const content = body.content();
  let isSent = false;
  let notSentReason: unknown;
  const onConnected = () => {
    try {
      steps.requireFresh();
      if (ended?.aborted) throw sessionEnded("POST", false);
      isSent = true;
    } catch (error) {
      // Nothing was sent: this runs when the connection stands and before anything is written to it.
      notSentReason = error;
      giveUp.abort();
    }
  };
  const headers = {
    ...upstreamHeaders(relayed.headers, target.use, "none"),
    "content-length": body.length,
  };
  try {
    const opened = await open({ target, method: "POST", headers, body: content, signal: giveUp.signal, onConnected });
    // A redirect is not followed, and whether a job was made before it is unknown. So it is after a status without meaning.
    if (isRedirect(opened) || !isFinalStatus(opened.statusCode)) {
      opened.destroy();
      return { kind: "lost" };
    }
    const answer = redactAnswer(opened, relayed.key);
    const start = await readStart(answer);
    clearTimeout(deadline);
    const answerHeaders = pageHeaders(answer, target.use) as StoredAnswer["headers"];
    const status = answer.statusCode ?? 502;
    if (start.isWhole) {
      const length = { "content-length": String(start.bytes.length) };
      return { kind: "answer", answer: { status, headers: { ...answerHeaders, ...length }, body: start.bytes } };
    }
    await steps.beforePassingOn();
    await passOn(relayed, { status, headers: answerHeaders, start: start.bytes, rest: answer });
    return { kind: "passed-on" };
  } catch (error) {
    if (notSentReason) throw notSentReason;
    if (isSent) return { kind: "lost" };
    throw asRefusal(error, target);
  } finally {
    clearTimeout(deadline);
    if (content instanceof Readable) content.destroy();
  }
}

/** Reads an answer that will be stored to its end, and of any other what has come so far. Rejects when it breaks off. */
async function readStart(answer: UpstreamAnswer): Promise<{ isWhole: boolean; bytes: Buffer }> {
  const chunks: Buffer[] = [];
  let length = 0;
  const isStream = /^text\/event-stream\b/i.test(answer.headers["content-type"] ?? "");
  const isLarge = Number(answer.headers["content-length"] ?? 0) > MAX_STORED_BODY_BYTES;
  if (isStream || isLarge) return { isWhole: false, bytes: Buffer.alloc(0) };
  for await (const chunk of answer.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_STORED_BODY_BYTES) return { isWhole: false, bytes: Buffer.concat(chunks) };
  }
  return { isWhole: true, bytes: Buffer.concat(chunks) };
}

interface Passed {
  status: number;
  headers: OutgoingHttpHeaders;
  start: Buffer;
  rest: Readable;
}

/** Passes an answer on as it comes. It breaks off for the page where it does for the relay, and the other way round. */
async function passOn({ connection, ended }: Relayed, { status, headers, start, rest }: Passed): Promise<void> {
  const { outgoing } = connection;
  // The key was forgotten meanwhile, and the page has got a refusal that says so.
  if (ended?.aborted) {
    rest.destroy();
    return;
  }
  ended?.addEventListener("abort", () => rest.destroy(new Error("The session ended.")), { once: true });
  try {
    outgoing.sendDate = false;
    outgoing.writeHead(status, headers);
    if ("flushHeaders" in outgoing) outgoing.flushHeaders();
    // Little enough to be written without waiting until there is room.
    if (start.length > 0) (outgoing as Writable).write(start);
    await pipeline(rest, outgoing);
  } catch {
    rest.destroy();
    dropConnection(connection);
  }
}
