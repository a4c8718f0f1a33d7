import { isApiError, NoAnswerError, UnreadableAnswerError } from "#api/api-error.ts";
import { readError } from "#api/read-error.ts";
import { asNumber, asRecord, asText } from "#lib/read.ts";
import { readKeyShape } from "#lib/secret-shape.ts";
import { HOST_ANSWER, relayAddress, SESSION_HEADER } from "../relay.ts";
import { type KeyHandle, type KeyHolder, refuseWithoutKey, reportLostKey, withEnd } from "./key-holder.ts";

/** Generous: the host asks nobody else for these responses. */
const ASK_MS = 20_000;

/**
 * The tickets that were used, each with the controller that aborts its requests. `gone`: it was forgotten here, or the
 * host no longer knows it; code that still has a `fetch` of this ticket is refused. Entries stay as long as the page.
 */
const tickets = new Map<string, AbortController | "gone">();

/** Holds keys in sessions of the Safelight server (`src/host/session/session-routes.ts`). */
export const hostHolder: KeyHolder = {
  custody: "host",
  async hold({ key, salt, queueBaseUrl, inferenceBaseUrl }) {
    const body = JSON.stringify({ key, salt, queueBaseUrl, inferenceBaseUrl });
    const answer = await ask("POST", { "Content-Type": "application/json" }, body);
    return readKeyHandle(await answer.json().catch(() => undefined));
  },
  fetchFor: (ticket) => async (input, init) => {
    const ended = tickets.get(ticket) ?? new AbortController();
    if (ended === "gone") return refuseWithoutKey();
    tickets.set(ticket, ended);
    const headers = new Headers(init?.headers);
    headers.set(SESSION_HEADER, ticket);
    const answer = await fetch(relayAddress("api", String(input)), {
      ...withEnd(init, ended.signal),
      headers,
      credentials: "same-origin",
    });
    if (answer.headers.get(HOST_ANSWER) === "no_session") await handleLostSession(ticket, answer.clone());
    return answer;
  },
  async forget(ticket) {
    endRequests(ticket);
    await ask("DELETE", { [SESSION_HEADER]: ticket });
  },
  async drop(ticket) {
    endRequests(ticket);
    await ask("DELETE", { [SESSION_HEADER]: ticket }, undefined, "/session?only=this");
  },
};

/** Marks a ticket as gone and aborts its requests. */
function endRequests(ticket: string): void {
  const ended = tickets.get(ticket);
  tickets.set(ticket, "gone");
  if (ended !== "gone") ended?.abort();
}

/** Reports that the host no longer has a key: it was restarted, or the session has expired. */
async function handleLostSession(ticket: string, answer: Response): Promise<void> {
  if (tickets.get(ticket) === "gone") return;
  // Requests are not aborted: their callers get the host's refusal, which says that nothing was sent.
  tickets.set(ticket, "gone");
  const error = asRecord(asRecord(await answer.json().catch(() => undefined)).error);
  const message = asText(error.message) ?? "The Safelight server no longer has a key for this page.";
  // This sentence is true of the refused request only, not of earlier ones.
  const reason = message.replace(" Nothing was sent.", "");
  reportLostKey(ticket, reason);
}

/** Sends one request about a session. Rejects with an `ApiError` for a refusal, and where no response comes. */
async function ask(
  method: "POST" | "DELETE",
  headers: Record<string, string>,
  body?: string,
  path = "/session",
): Promise<Response> {
  try {
    const answer = await fetch(new URL(path, location.href), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(ASK_MS),
      redirect: "error",
      credentials: "same-origin",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    if (answer.ok) return answer;
    throw readError(answer.status, await answer.text(), answer.headers);
  } catch (error) {
    throw isApiError(error) ? error : new NoAnswerError({ cause: error });
  }
}

function readKeyHandle(raw: unknown): KeyHandle {
  const record = asRecord(raw);
  const keyShape = readKeyShape(record.keyShape);
  const [ticket, accountId, keyHint] = [asText(record.ticket), asText(record.accountId), asText(record.keyHint)];
  const isWhole = ticket !== undefined && accountId !== undefined && keyHint !== undefined;
  if (!isWhole || keyShape === undefined) {
    throw new UnreadableAnswerError({
      status: 201,
      excerpt: "",
      reason: "Couldn’t read the response of the Safelight server.",
    });
  }
  return { ticket, accountId, keyHint, keyShape, idleMs: asNumber(record.idleMs), endsAtMs: asNumber(record.endsAtMs) };
}
