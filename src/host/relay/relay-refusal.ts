import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";

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
  | "too_large";

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

export function answerRefusal(outgoing: ServerResponse | Http2ServerResponse, refusal: RelayRefusal): void {
  if (outgoing.headersSent) return;
  const body = JSON.stringify({ error: { message: refusal.message, type: `relay_${refusal.kind}` } });
  outgoing.statusCode = refusal.status;
  outgoing.setHeader("Content-Type", "application/json; charset=utf-8");
  outgoing.setHeader("Content-Length", Buffer.byteLength(body));
  outgoing.setHeader("Cache-Control", "no-store");
  outgoing.setHeader("X-Content-Type-Options", "nosniff");
  outgoing.setHeader("X-Safelight-Relay", refusal.kind);
  outgoing.end(body);
}
