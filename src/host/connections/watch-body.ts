import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

export interface BodyLimits {
  /** A body that brings fewer than `leastBytes` within `slowestMs`, while the host waits for it, is cut. */
  slowestMs: number;
  leastBytes: number;
  /** What may still come of a body after its request was answered. */
  afterAnswerMs: number;
  afterAnswerBytes: number;
}

/** The floor is low on purpose: even a line of 64 kbit/s brings two hundred times as much in that time. */
export const BODY_LIMITS: BodyLimits = {
  slowestMs: 30_000,
  leastBytes: 1024,
  afterAnswerMs: 1000,
  afterAnswerBytes: 64 * 1024,
};

const DUMP_CHECK_MS = 10;

/**
 * Watches the body of one request. It is cut where it stands still or drips, and where it goes on although the request
 * was answered, so that nobody blocks a connection that way. An upload that makes progress may take as long as it needs, and so
 * may one that waits because the host does not read on.
 */
export function watchBody(incoming: Incoming, outgoing: Outgoing, limits: BodyLimits): void {
  if (hasNoBody(incoming)) return;
  let bytes = 0;
  let bytesAtLastCheck = 0;
  let maxTotal = Number.POSITIVE_INFINITY;
  let isClosed = false;
  let lateCheck: NodeJS.Timeout | undefined;
  let dumpCheck: NodeJS.Timeout | undefined;
  const stopChecks = () => {
    clearInterval(stallCheck);
    clearTimeout(lateCheck);
    clearInterval(dumpCheck);
  };
  const closeOnce = () => {
    if (!isClosed) close(incoming);
    isClosed = true;
    // A request that was answered before its body was whole does not say that it is closed.
    stopChecks();
  };
  const push = incoming.push;
  // Both kinds of request are given their bytes by this method, whoever reads them, and in no other way.
  incoming.push = (chunk, encoding) => {
    bytes += chunk?.length ?? 0;
    if (bytes > maxTotal) closeOnce();
    return push.call(incoming, chunk, encoding);
  };
  const stallCheck = setInterval(() => {
    if (isWhole(incoming)) return clearInterval(stallCheck);
    const isSlow = bytes - bytesAtLastCheck < limits.leastBytes && !hasUnread(incoming);
    bytesAtLastCheck = bytes;
    if (!isSlow) return;
    stopChecks();
    cut(incoming, outgoing);
  }, limits.slowestMs);
  stallCheck.unref();
  outgoing.once("finish", () => {
    clearInterval(stallCheck);
    if (isWhole(incoming)) return;
    maxTotal = bytes + limits.afterAnswerBytes;
    lateCheck = setTimeout(() => isWhole(incoming) || closeOnce(), limits.afterAnswerMs);
    if ("stream" in incoming) return;
    // What nobody reads Node drops by itself over HTTP/1.1, without giving it to the request: the socket knows of it.
    const { socket } = incoming;
    const maxRead = socket.bytesRead + limits.afterAnswerBytes;
    dumpCheck = setInterval(() => socket.bytesRead > maxRead && !isWhole(incoming) && closeOnce(), DUMP_CHECK_MS);
  });
  incoming.once("close", stopChecks);
}

/** A person has a few uploads refused at a time. More is a flood, whose reading would leave the processor to nothing else. */
const MAX_DRAINED = 8;
let drained = 0;

/**
 * Reads and drops what the page still sends, before the answer ends: a browser shows no answer whose connection closes
 * during an upload. Resolves at the end of the body, when the page leaves, or past `maxBytes` or `longestMs`, and at
 * once while others are drained; the connection is closed then, once the answer has ended.
 */
export function drainBody(
  { incoming }: HttpBindings | Http2Bindings,
  { maxBytes = 16 * 1024 * 1024, longestMs = 3000 } = {},
): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed || isWholeAndUnread(incoming)) return Promise.resolve();
  if (drained >= MAX_DRAINED) return Promise.resolve();
  drained += 1;
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > maxBytes) stop();
    };
    const deadline = setTimeout(() => stop(), longestMs);
    let isOver = false;
    const stop = () => {
      if (!isOver) drained -= 1;
      isOver = true;
      clearTimeout(deadline);
      incoming.off("data", count);
      for (const event of ["end", "close", "error"]) incoming.off(event, stop);
      resolve();
    };
    for (const event of ["end", "close", "error"]) incoming.once(event, stop);
    incoming.unpipe();
    incoming.on("data", count);
    incoming.resume();
  });
}

function isWholeAndUnread(incoming: Incoming): boolean {
  return !("stream" in incoming) && incoming.complete && incoming.readableLength === 0;
}

/** Whether its head says that a request has no body: in HTTP/1.1, where it has neither header. */
function hasNoBody(incoming: Incoming): boolean {
  if ("stream" in incoming) return incoming.stream.endAfterHeaders;
  const { "content-length": length = "0", "transfer-encoding": encoding } = incoming.headers;
  return encoding === undefined && Number(length) === 0;
}

function isWhole(incoming: Incoming): boolean {
  return incoming.complete || incoming.readableEnded || incoming.destroyed;
}

/** Whether bytes that came wait to be read: then the reader is slow, and not the sender. */
function hasUnread(incoming: Incoming): boolean {
  return incoming.readableLength > 0 || ("stream" in incoming && incoming.stream.readableLength > 0);
}

function cut(incoming: Incoming, outgoing: Outgoing): void {
  if (!("stream" in incoming) && !outgoing.headersSent) {
    incoming.socket.write("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
  }
  close(incoming);
}

/** Closes the connection over HTTP/1.1, and the stream over HTTP/2. */
function close(incoming: Incoming): void {
  if ("stream" in incoming) incoming.stream.close(constants.NGHTTP2_NO_ERROR);
  else incoming.socket.destroySoon();
}
