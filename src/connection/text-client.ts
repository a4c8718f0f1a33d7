import { streamText, type TextOptions } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import { randomId } from "#lib/random-id.ts";
import type { JsonRecord } from "#lib/read.ts";
import { targetOf, useClient } from "./client.ts";
import type { Connection } from "./connection.ts";
import { findConnection } from "./connection-store.ts";
import { openTransfer } from "./open-transfer.ts";
import { perConnection } from "./per-connection.ts";
import { isServedByHost } from "./relay.ts";
import { noteStream } from "./request-history.ts";

/** The three text endpoints of a connection. Its events never hold the key. */
export interface TextClient {
  stream(endpoint: TextEndpoint, body: JsonRecord, options?: TextOptions): AsyncGenerator<TextEvent>;
}

/** The text endpoints of the current connection, below a `ConnectionProvider`. While there is none, every call is refused. */
export function useTextClient(): TextClient {
  const client = useClient();
  return getTextClient(client, client.connection);
}

const getTextClient = perConnection((_client: object, connection: Connection | null) => createTextClient(connection));

/** The text endpoints of a connection. Without one, every call is refused. */
export function createTextClient(connection: Connection | null): TextClient {
  const target = targetOf(connection);
  return {
    stream(endpoint, body, options) {
      const { usesApiKeyHeader = false } = (connection && findConnection(connection.id)) ?? {};
      const events = streamText(endpoint, { ...target, ...BY_HOST, usesApiKeyHeader }, body, options);
      return connection === null ? events : noteStream(connection.accountId, events);
    },
  };
}

/** How answers of text models travel where the studio's own host served the page. */
const BY_HOST = {
  openTransfer: (options: Parameters<typeof openTransfer>[1]) => openTransfer("stream", options),
  // Over HTTP/1.1 a browser may send a broken POST again by itself. The host forwards each name once.
  attemptHeaders: () => (isServedByHost() ? { "x-safelight-intent": randomId() } : {}),
};
