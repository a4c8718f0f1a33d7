import { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { RefusedError } from "#api/api-error.ts";
import { type Api, createApi } from "#api/create-api.ts";
import { mayRetryRead, retryDelayMs } from "#api/retry-policy.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { holdsKey, type KeyShape } from "#lib/secret-shape.ts";
import { type Connection, getConnection, getFetch } from "./connection-store.ts";
import { refuseWithoutKey } from "./custody/key-holder.ts";
import { shortRequest } from "./open-transfer.ts";
import { openUpload } from "./relay.ts";
import { getRequestJobId, noteRequest } from "./request-history.ts";

/** Requests in the log of a connection. The oldest are dropped first. */
const MAX_CALLS = 150;
/** Characters of a response that are logged. A list of jobs, or a file inside a response, may be megabytes. */
const MAX_LOGGED_LENGTH = 60_000;

/** What a connection has for as long as it is open. */
export interface Client {
  /** The connection it belongs to; null while nothing is connected. */
  connection: Connection | null;
  api: Api;
  queryClient: QueryClient;
  /** The last requests, oldest first. Changed in place. */
  calls: LoggedRequest[];
}

/** Given by `ConnectionProvider`. */
export const ClientContext = createContext<Client | null>(null);

/** The typed client of the current connection, below a `ConnectionProvider`. Without one, every call is refused. */
export function useApi(): Api {
  return useClient().api;
}

/** The last requests of the current connection, oldest first. In memory only. None contains the key. */
export function useRecentCalls(): readonly LoggedRequest[] {
  return useClient().calls;
}

/** The client of the current connection. Throws where no `ConnectionProvider` is above. */
export function useClient(): Client {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("The client needs a ConnectionProvider above it.");
  return client;
}

/** The clients of the open connections, by connection id. Under `undefined`: the client that refuses every call. */
export type Clients = Map<string | undefined, Client>;

/** The client of the current connection: the same one as long as the connection is open, also after a rename. */
export function currentClient(clients: Clients): Client {
  const connection = getConnection();
  const client = clients.get(connection?.id) ?? createClient(connection);
  clients.set(connection?.id, client);
  return client;
}

/** A client and a cache for a connection. Without one, the client refuses every call. */
export function createClient(connection: Connection | null): Client {
  const target = getApiTarget(connection);
  const calls: LoggedRequest[] = [];
  const api = createApi({
    ...target,
    fetch: shortRequest(target.fetch),
    onCall(call) {
      if (connection !== null) noteRequest(connection.accountId, call, getRequestJobId(call));
      const { answer } = call;
      // Copied through JSON, because a slice alone keeps the whole text in memory.
      const logged =
        typeof answer === "string" ? JSON.parse(JSON.stringify(answer.slice(0, MAX_LOGGED_LENGTH))) : answer;
      calls.push({ ...call, answer: logged });
      if (calls.length > MAX_CALLS) calls.shift();
    },
  });
  return {
    connection,
    calls,
    api: withReachableUploads(api),
    queryClient: createQueryClient(),
  };
}

/** Where the requests of a connection go, and by which fetch. Without one, every request is refused. */
export function getApiTarget(connection: Connection | null) {
  if (connection === null) return NOWHERE;
  const { queueBaseUrl, inferenceBaseUrl, keyShape } = connection;
  return { queueBaseUrl, inferenceBaseUrl, keyShape, fetch: refuseKeyInBody(getFetch(connection), keyShape) };
}

/**
 * A `fetch` that sends nothing whose body contains the connection's own key, whatever screen it came from: it rejects with
 * a `RefusedError` of status 400. A body that is a stream is read first, so it must be small.
 */
export function refuseKeyInBody(send: typeof fetch, shape: KeyShape | undefined): typeof fetch {
  if (shape === undefined) return send;
  return async (input, init) => {
    const isStream = init?.body instanceof ReadableStream;
    const text = isStream ? await new Response(init.body).text() : init?.body;
    if (typeof text === "string" && holdsKey(unescapedJson(text), shape)) {
      throw new RefusedError({ status: 400, message: "The request contains your API key, so it wasn’t sent." });
    }
    return send(input, isStream ? { ...init, body: new Blob([text as string]).stream() } : init);
  };
}

/** The text of a JSON body without escapes, which may split a key. Cheaper than parsing a body with images. */
function unescapedJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code?: string, sign = "") => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return "bfnrt".includes(sign) ? " " : sign;
  });
}

/** A client whose upload addresses are those that this page may PUT to, by way of the host where needed. */
function withReachableUploads(api: Api): Api {
  return {
    ...api,
    async requestUpload(fileType, signal) {
      const target = await api.requestUpload(fileType, signal);
      return { ...target, ...(await openUpload(target.uploadUrl)) };
    },
  };
}

const NOWHERE = { queueBaseUrl: "/", inferenceBaseUrl: "/", keyShape: undefined, fetch: refuseWithoutKey };

/**
 * The cache of one connection. Reads follow the one retry policy. `networkMode: "always"` because the browser's notion
 * of "online" is a guess: a request is made, and its failure is shown, instead of being sent minutes later.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: mayRetryRead, retryDelay: retryDelayMs, staleTime: 30_000, networkMode: "always" },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
