import { NoAnswerError } from "#api/api-error.ts";
import { createByteRedactor, createTextRedactor } from "#lib/redact-secret.ts";
import { KEY_PLACEHOLDER } from "#lib/secret-shape.ts";
import { isServiceRequest, type ServiceAddresses } from "#lib/service-requests.ts";

/**
 * A `fetch` with a key: puts it where a request has `[key]`, follows no redirect, removes it from the response. Sends
 * only Safelight's own requests to the two addresses, which must be absolute. Rejects as `fetch` does, and with a
 * `NoAnswerError` for any other request.
 */
export function keyedFetch({
  key,
  queueBaseUrl,
  inferenceBaseUrl,
  fetch = (...request) => globalThis.fetch(...request),
}: ServiceAddresses & { key: string; fetch?: typeof globalThis.fetch }): typeof globalThis.fetch {
  const service = { queueBaseUrl: withoutEndSlash(queueBaseUrl), inferenceBaseUrl: withoutEndSlash(inferenceBaseUrl) };
  return async (input, init = {}) => {
    const url = String(input);
    if (!isServiceRequest(service, init.method ?? "GET", url)) {
      throw new NoAnswerError({ cause: new TypeError("The key may not be used for this request.") });
    }
    const headers = new Headers(init.headers);
    for (const [name, value] of [...headers]) headers.set(name, value.replace(KEY_PLACEHOLDER, key));
    const answer = await fetch(url, {
      ...init,
      headers,
      redirect: "error",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    return redactAnswer(answer, key);
  };
}

function withoutEndSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

/** A response without the key in its headers and body. */
function redactAnswer(answer: Response, key: string): Response {
  const headers = new Headers();
  const redact = createTextRedactor(key);
  for (const [name, value] of answer.headers) headers.append(name, redact(value));
  // With this header a service could pretend that the Safelight server answered.
  headers.delete("x-safelight-relay");
  const redactor = createByteRedactor(key);
  const body = answer.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const redacted = redactor.push(chunk);
        if (redacted.length > 0) controller.enqueue(redacted);
      },
      flush(controller) {
        const lastBytes = redactor.end();
        if (lastBytes.length > 0) controller.enqueue(lastBytes);
      },
    }),
  );
  const isEmpty = [101, 204, 205, 304].includes(answer.status);
  const { status, statusText } = answer;
  return new Response(isEmpty ? null : (body ?? null), { status, statusText, headers });
}
