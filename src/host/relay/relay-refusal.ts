import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import type { Writable } from "node:stream";

/**
 * Why the relay itself answers. Nothing reached the service, with two exceptions: `redirect` is about what the service
 * answered, and `outcome_unknown` says that the request was sent.
 */
type RefusalKind =
  | "not_a_target"
  | "wrong_method"
  | "not_same_origin"
  | "not_allowed"
  | "private_address"
  | "redirect"
  | "unreachable"
  | "intent_reused"
  | "other_memory"
  | "outcome_unknown"
  | "never_sent"
  | "store_unavailable"
  | "no_session"
  | "too_many_sessions"
  | "not_a_service_request"
  | "access_required"
  | "too_slow"
  | "malformed"
  | "too_large";

/** Refusals of the gate and of the checks, which the log names. Others are everyday, or the service's. */
export const LOGGED_REFUSALS = [
  "access_required",
  "wrong_password",
  "wait",
  "not_same_origin",
  "not_allowed",
  "private_address",
  "not_a_target",
  "not_a_service_request",
  "malformed",
  "redirect",
  "too_large",
] as const;

type LoggedRefusal = (typeof LOGGED_REFUSALS)[number];

const COUNTED_MS = 10_000;

/**
 * Writes one line for a refusal: its kind, and nothing of the request. Further ones of the kind within 10 seconds are
 * counted, and one line tells how many, so that a flood does not fill the disk.
 */
export function createRefusalLog(write: (line: string) => void = (line) => process.stderr.write(line)) {
  const more = new Map<LoggedRefusal, number>();
  return (kind: LoggedRefusal): void => {
    const count = more.get(kind);
    if (count !== undefined) return void more.set(kind, count + 1);
    write(`Rejected: ${kind}\n`);
    more.set(kind, 0);
    const end = () => {
      const others = more.get(kind) ?? 0;
      more.delete(kind);
      if (others > 0) write(`Rejected: ${kind}, ${others} more within ${COUNTED_MS / 1000} seconds\n`);
    };
    setTimeout(end, COUNTED_MS).unref();
  };
}

/** Notes a refusal of this process in its log. */
export const noteRefusal = createRefusalLog();

const isLogged = (kind: string): kind is LoggedRefusal => (LOGGED_REFUSALS as readonly string[]).includes(kind);

/** The relay's own answer, in the error shape of specification section 7 and marked `X-Safelight-Relay: <kind>`. */
export class RelayRefusal extends Error {
  readonly status: number;
  readonly kind: RefusalKind;

  constructor(status: number, kind: RefusalKind, message: string) {
    super(message);
    this.name = "RelayRefusal";
    this.status = status;
    this.kind = kind;
  }
}

/**
 * Answers with a refusal, unless there is an answer already. The answer is all there before `bodyIsOver` is called, and
 * ends after it: a browser that is still uploading shows no answer of a connection that closes.
 */
export async function answerRefusal(
  outgoing: ServerResponse | Http2ServerResponse,
  refusal: RelayRefusal,
  bodyIsOver?: () => Promise<void>,
): Promise<void> {
  if (outgoing.headersSent) return;
  const [body, headers] = partsOf(refusal);
  outgoing.statusCode = refusal.status;
  outgoing.setHeader("Content-Length", Buffer.byteLength(body));
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  (outgoing as Writable).write(body);
  await bodyIsOver?.();
  outgoing.end();
}

/** The same as a `Response`. */
export function refusalAnswer(refusal: RelayRefusal): Response {
  const [body, headers] = partsOf(refusal);
  return new Response(body, { status: refusal.status, headers });
}

function partsOf({ message, kind }: RelayRefusal): [body: string, headers: Record<string, string>] {
  if (isLogged(kind)) noteRefusal(kind);
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Safelight-Relay": kind,
  };
  return [JSON.stringify({ error: { message, type: `relay_${kind}` } }), headers];
}
