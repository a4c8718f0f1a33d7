import { RefusedError } from "#api/api-error.ts";
import type { LoggedRequest } from "#api/transport.ts";
import type { LoggedExchange } from "#connection/request-log.ts";

/** Ends the URL of an estimate (spec 4.1). */
const ESTIMATE = /\/requests\/estimate$/;

/**
 * The requests of one job among all: those whose URL or response names it, which are its submit, its reads and the
 * lists it stood in, and the last estimate of the same body before the submit. Reads with the same response one after the
 * other become one.
 */
export function jobExchanges(calls: readonly LoggedRequest[], requestId: string): LoggedExchange[] {
  const ofJob = calls.filter(({ url, answer }) => url.includes(requestId) || answerText(answer).includes(requestId));
  const submit = ofJob.find(({ method, url }) => method === "POST" && url.endsWith("/requests"));
  const estimate =
    submit &&
    calls.findLast(
      ({ url, body, sentAtMs }) => ESTIMATE.test(url) && body === submit.body && sentAtMs <= submit.sentAtMs,
    );
  const ordered = [...(estimate ? [estimate] : []), ...ofJob].sort((a, b) => a.sentAtMs - b.sentAtMs);
  const startMs = ordered[0]?.sentAtMs ?? 0;
  const exchanges: LoggedExchange[] = [];
  for (const call of ordered) {
    const exchange = createExchange(call, startMs);
    const last = exchanges.at(-1);
    if (last && hasSameAnswer(last, exchange))
      exchanges[exchanges.length - 1] = { ...exchange, repeatCount: (last.repeatCount ?? 1) + 1 };
    else exchanges.push(exchange);
  }
  return exchanges;
}

function createExchange(call: LoggedRequest, startMs: number): LoggedExchange {
  const { method, url, headers, body = "", response, answer } = call;
  const sentAtMs = call.sentAtMs - startMs;
  const atMs = sentAtMs + call.tookMs;
  const failed = answer instanceof Error && !(answer instanceof RefusedError);
  return {
    sentAtMs,
    request: { method, url, headers, body },
    events: [],
    ...(response ? { response: { atMs, status: response.status, headers: Object.fromEntries(response.headers) } } : {}),
    ...(failed ? { end: { atMs, text: answer.message } } : { body: answerText(answer) }),
  };
}

function hasSameAnswer(a: LoggedExchange, b: LoggedExchange): boolean {
  return a.request.url === b.request.url && a.response?.status === b.response?.status && a.body === b.body;
}

/** The body of a response as text, in whichever form the log has it. */
function answerText(answer: unknown): string {
  if (typeof answer === "string") return answer;
  if (!(answer instanceof RefusedError)) return "";
  return typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
}
