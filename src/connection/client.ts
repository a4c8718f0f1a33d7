import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { type Api, createApi } from "#api/create-api.ts";
import type { TextOptions } from "#api/text/text-client.ts";
import type { TextEndpoint, TextEvent } from "#api/text/text-types.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { randomId } from "#lib/random-id.ts";
import type { JsonRecord } from "#lib/read.ts";
import type { Connection } from "./connection.ts";
import { fetchOf, findConnection } from "./connection-store.ts";
import { refuseWithoutKey } from "./custody/page-holder.ts";
import { refuseKeyInBody } from "./key-in-text.ts";
import { openTransfer, shortRequest } from "./open-transfer.ts";
import { createQueryClient } from "./query-client.ts";
import { isServedByHost, openStorage } from "./relay.ts";

/** The three text endpoints of the current connection. Its events never hold the key. */
export interface TextClient {
  stream(endpoint: TextEndpoint, body: JsonRecord, options?: TextOptions): AsyncGenerator<TextEvent>;
}

const MOST_CALLS = 150;
/** Characters of an answer that are logged: lists of jobs and files inside an answer may be megabytes. */
const LONGEST_LOGGED = 60_000;

/** What a connection has for as long as it is open. */
export interface Client {
  api: Api;
  text: TextClient;
  queryClient: QueryClient;
  calls: LoggedRequest[];
}

/** Given by `ConnectionProvider`. */
export const ClientContext = createContext<Client | null>(null);

/** The typed client of the current connection, below a `ConnectionProvider`. While there is none, every call is refused. */
export function useApi(): Api {
  return useClient().api;
}

/** The text endpoints of the current connection, below a `ConnectionProvider`. While there is none, every call is refused. */
export function useTextClient(): TextClient {
  return useClient().text;
}

/** The last requests of the current connection, oldest first, for the request log. In memory only; the key is in none. */
export function useRecentCalls(): readonly LoggedRequest[] {
  return useClient().calls;
}

function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("The client needs a ConnectionProvider above it.");
  return client;
}

/** A client and a cache for a connection. Without one, the client refuses every call. */
export function createClient(connection: Connection | null): Client {
  const target = connection === null ? NOWHERE : targetOf(connection);
  const calls: LoggedRequest[] = [];
  const api = createApi({
    ...target,
    fetch: shortRequest(target.fetch),
    onCall(call) {
      if (connection !== null) noteCall(connection.accountId, call);
      const { answer } = call;
      // Through JSON, because a slice alone would keep the whole text alive.
      const logged = typeof answer === "string" ? JSON.parse(JSON.stringify(answer.slice(0, LONGEST_LOGGED))) : answer;
      calls.push({ ...call, answer: logged });
      if (calls.length > MOST_CALLS) calls.shift();
    },
  });
  return {
    calls,
    api: withReachableUploads(api),
    text: {
      // Only the playground speaks to these endpoints, so their code comes with the first request.
      async *stream(endpoint, body, options) {
        const { streamText } = await import("#api/text/text-client.ts");
        const { usesApiKeyHeader = false } = (connection && findConnection(connection.id)) ?? {};
        const events = streamText(endpoint, { ...target, ...BY_HOST, usesApiKeyHeader }, body, options);
        const history = connection === null ? undefined : await requestHistory();
        yield* connection && history ? history.noteStream(connection.accountId, events) : events;
      },
    },
    queryClient: createQueryClient(),
  };
}

/** The list of requests comes with the first of them. Without it everything else goes on. */
const requestHistory = () => import("./request-history.ts").catch(() => undefined);

function noteCall(accountId: string, call: LoggedRequest): void {
  void requestHistory().then((history) => history?.noteRequest(accountId, call, history.jobOf(call)));
}

function targetOf(connection: Connection) {
  const { queueBaseUrl, inferenceBaseUrl, keyShape } = connection;
  return { queueBaseUrl, inferenceBaseUrl, keyShape, fetch: refuseKeyInBody(fetchOf(connection), keyShape) };
}

/** How answers of text models travel where the studio's own host served the page. */
const BY_HOST = {
  openTransfer: (options: Parameters<typeof openTransfer>[1]) => openTransfer("stream", options),
  // Over HTTP/1.1 a browser may send a broken POST again by itself. The host forwards each name once.
  attemptHeaders: () => (isServedByHost() ? { "x-safelight-intent": randomId() } : {}),
};

/** The same client, whose upload addresses are those that this page may PUT to. */
function withReachableUploads(api: Api): Api {
  return {
    ...api,
    async requestUpload(fileType, signal) {
      const target = await api.requestUpload(fileType, signal);
      return { ...target, uploadUrl: await openStorage("upload", target.uploadUrl) };
    },
  };
}

const NOWHERE = { queueBaseUrl: "/", inferenceBaseUrl: "/", keyShape: undefined, fetch: refuseWithoutKey };
