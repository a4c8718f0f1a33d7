import { RefusedError } from "#api/api-error.ts";
import type { TextEvent } from "#api/text-types.ts";
import type { TextClient } from "#connection/connection-provider.tsx";
import type { Column } from "./conversation.ts";
import { habitsOf, rememberHabit } from "./endpoint-memory.ts";
import { requestBody } from "./request-body.ts";
import type { Turn } from "./thread.ts";

/**
 * Asks for the answer that follows a path. The specification says of /v1/responses only that `input` is a string: a
 * conversation is sent as typed items, and where the service refuses those (400 or 422, nothing was generated) once as
 * one text. What worked is remembered for the model.
 */
export async function* askService({
  client,
  accountId,
  column,
  path,
  signal,
}: {
  client: TextClient;
  /** The connection's key fingerprint. */
  accountId: string;
  column: Column;
  path: readonly Turn[];
  signal: AbortSignal;
}): AsyncGenerator<TextEvent> {
  const { endpoint } = column;
  const habits = habitsOf(accountId, column);
  const body = requestBody(column, path, habits.inputForm ?? "items");
  const mayFallBack = Array.isArray(body.input) && habits.inputForm === undefined;
  for await (const event of client.stream(endpoint, body, { signal })) {
    if (event.kind === "form") {
      const isWhole = !event.isStream;
      if (isWhole !== (habits.isWhole ?? false)) rememberHabit(accountId, column, { isWhole });
      if (mayFallBack) rememberHabit(accountId, column, { inputForm: "items" });
    }
    if (event.kind === "error" && mayFallBack && isBadInput(event.error)) {
      rememberHabit(accountId, column, { inputForm: "text" });
      yield* client.stream(endpoint, requestBody(column, path, "text"), { signal });
      return;
    }
    yield event;
  }
}

function isBadInput(error: Error): boolean {
  return (
    error instanceof RefusedError && (error.status === 400 || error.status === 422) && /input/i.test(error.message)
  );
}
