import { getConnection } from "./connection-store.ts";
import { fetchByRelay, isElsewhere, openRelay } from "./relay.ts";

/** Connections whose storage turned out to need the relay, by id. */
const learned = new Set<string>();

/**
 * Gets the bytes of a generated file without the key: the way the connection knows, else from the page, else through the
 * relay when the storage does not let the page read it. What worked is remembered for the connection. Throws what `fetch`
 * throws where no way works, and the signal's reason on an abort.
 */
export async function fetchStored(url: string, init: RequestInit = {}): Promise<Response> {
  const options: RequestInit = { ...init, credentials: "omit", referrerPolicy: "no-referrer" };
  const isRelayable = isElsewhere(url);
  const connection = getConnection();
  const isRelayed = connection?.routes.media === "relay" || learned.has(connection?.id ?? "");
  if (isRelayable && isRelayed) return fetchByRelay("media", url, options);
  try {
    return await fetch(url, options);
  } catch (error) {
    init.signal?.throwIfAborted();
    if (!isRelayable || !(await openRelay("media", url))) throw error;
    const response = await fetchByRelay("media", url, options);
    if (connection !== null) learned.add(connection.id);
    return response;
  }
}
