import { isApiError } from "#api/api-error.ts";
import { randomId } from "#lib/random-id.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { isNamedService } from "../check-connection.ts";
import { deriveAccountId, type KeyHandle, type KeyOrder } from "./key-holder.ts";
import { keyedFetch } from "./keyed-fetch.ts";
import { openSealed, sealKey } from "./sealed-key.ts";
import {
  type MessageEnd,
  type PageMessage,
  type WorkerFailure,
  type WorkerMessage,
  waitAfter,
} from "./worker-messages.ts";

interface StoredKey {
  fetch: typeof fetch;
  /** Aborted when the key is forgotten. */
  ended: AbortController;
}

/** One request of the page, from its start to the last byte that the page took. */
interface Exchange {
  abort: AbortController;
  body: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
}

type Order = Extract<PageMessage, { kind: "hold" }>["order"];

/**
 * Answers the page's messages inside the Worker that has the keys. No message returns a key. A key is sealed only as it
 * arrives: whoever could have it sealed later would choose the passphrase and open it. The page gets errors only as
 * words of a fixed list, because a browser's own message may quote a header.
 */
export function serveKeys(page: MessageEnd<WorkerMessage, PageMessage>, fetch = globalThis.fetch): void {
  const keys = new Map<string, StoredKey>();
  const exchanges = new Map<number, Exchange>();
  /** Wrong passphrases in a row, and when the last was tried (`performance.now()`), by sealed text. */
  const tries = new Map<string, { wrong: number; atMs: number }>();

  const send = (message: WorkerMessage, transfer: Transferable[] = []) => page.postMessage(message, transfer);
  const fail = (id: number, reason: WorkerFailure) => {
    exchanges.delete(id);
    send({ id, kind: "failed", reason });
  };

  async function hold(order: Order): Promise<KeyHandle> {
    const { key, queueBaseUrl, inferenceBaseUrl } = order;
    const accountId = await deriveAccountId(order);
    const ticket = randomId();
    const fetchWithKey = keyedFetch({ key, queueBaseUrl, inferenceBaseUrl, fetch: (...request) => fetch(...request) });
    keys.set(ticket, { fetch: fetchWithKey, ended: new AbortController() });
    return { ticket, accountId, keyHint: key.slice(-4), keyShape: shapeOfKey(key) };
  }

  async function takeKey(id: number, order: Order): Promise<void> {
    if (!isAllowedService(order)) return fail(id, "not_here");
    const { key, queueBaseUrl, inferenceBaseUrl, keep } = order;
    const content = { key, queueBaseUrl, inferenceBaseUrl };
    const sealed = keep && (await sealKey({ ...content, name: keep.name }, keep.passphrase));
    send({ id, kind: "stored", handle: { ...(await hold(order)), sealed } });
  }

  async function unlock(id: number, message: Extract<PageMessage, { kind: "unlock" }>): Promise<void> {
    const { sealed, passphrase, salt } = message;
    const remembered = tries.get(sealed);
    const wrong = Math.max(message.wrongTries, remembered?.wrong ?? 0);
    const sinceLastMs = remembered ? performance.now() - remembered.atMs : Math.max(0, message.sinceLastMs);
    const leftMs = waitAfter(wrong) - sinceLastMs;
    if (leftMs > 0) return send({ id, kind: "locked", waitMs: leftMs, isEarly: true });
    // Counted before the try, so that several tries at the same time all count.
    tries.set(sealed, { wrong: wrong + 1, atMs: performance.now() });
    const content = await openSealed(sealed, passphrase);
    if (content === undefined) return send({ id, kind: "locked", waitMs: waitAfter(wrong + 1), isEarly: false });
    tries.delete(sealed);
    if (!isAllowedService(content)) return fail(id, "not_here");
    const { queueBaseUrl, inferenceBaseUrl, name } = content;
    send({ id, kind: "unlocked", handle: await hold({ ...content, salt }), queueBaseUrl, inferenceBaseUrl, name });
  }

  async function exchange(id: number, message: Extract<PageMessage, { kind: "fetch" }>): Promise<void> {
    const stored = keys.get(message.ticket);
    if (!stored) return fail(id, "no_key");
    const abort = new AbortController();
    exchanges.set(id, { abort, body: undefined });
    const { method, url, headers } = message;
    const answer = await stored.fetch(url, {
      method,
      headers,
      cache: "no-store",
      signal: AbortSignal.any([abort.signal, stored.ended.signal]),
      ...createRequestInit(message),
    });
    exchanges.set(id, { abort, body: answer.body?.getReader() as Exchange["body"] });
    const { status, statusText } = answer;
    send({ id, kind: "head", status, statusText, headers: [...answer.headers], hasBody: answer.body !== null });
    if (answer.body === null) exchanges.delete(id);
  }

  async function pull(id: number): Promise<void> {
    const piece = await exchanges.get(id)?.body?.read();
    if (piece === undefined) return fail(id, "network");
    if (piece.done) {
      exchanges.delete(id);
      return send({ id, kind: "end" });
    }
    // Copied, because only a whole buffer can be transferred, and a larger one may contain other bytes.
    const bytes = piece.value.slice();
    send({ id, kind: "chunk", bytes }, [bytes.buffer]);
  }

  function forget(id: number, ticket: string): void {
    keys.get(ticket)?.ended.abort();
    keys.delete(ticket);
    send({ id, kind: "forgotten" });
  }

  async function answer(message: PageMessage): Promise<void> {
    const { id } = message;
    if (message.kind === "hold") await takeKey(id, message.order);
    else if (message.kind === "unlock") await unlock(id, message);
    else if (message.kind === "fetch") await exchange(id, message);
    else if (message.kind === "pull") await pull(id);
    else if (message.kind === "forget") forget(id, message.ticket);
    else {
      exchanges.get(id)?.abort.abort();
      exchanges.delete(id);
    }
  }

  page.addEventListener("message", ({ data }) => {
    answer(data).catch((error: unknown) => fail(data.id, isApiError(error) ? "not_own" : "network"));
  });
}

/** Whether a key may be taken for these addresses: only for those that the build allows. */
function isAllowedService({
  queueBaseUrl,
  inferenceBaseUrl,
}: Pick<KeyOrder, "queueBaseUrl" | "inferenceBaseUrl">): boolean {
  return [queueBaseUrl, inferenceBaseUrl].every((address) => {
    return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) && isNamedService(address);
  });
}

/** `duplex` is not in the DOM's types yet. */
function createRequestInit({
  body,
  isStreamed,
}: Extract<PageMessage, { kind: "fetch" }>): RequestInit & { duplex?: "half" } {
  if (body === undefined) return {};
  return isStreamed ? { body: new Blob([body]).stream(), duplex: "half" } : { body };
}
