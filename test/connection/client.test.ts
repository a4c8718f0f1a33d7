import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "#connection/client.ts";
import {
  chooseApiKeyHeader,
  connect,
  disconnect,
  getConnection,
  loadConnections,
  openSandbox,
} from "#connection/connection-store.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { createTextClient, type TextClient } from "#text/answer-request.ts";
import { startSandboxServer } from "../setup/sandbox-server.ts";
import { fakeHost, leaveHost } from "./fake-host.ts";

const ORDER = {
  key: "sk-canary-0123456789",
  queueBaseUrl: "https://api.example.com/q",
  inferenceBaseUrl: "https://api.example.com",
};
const BODY = { model: "quill-2", max_tokens: 8, messages: [] };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  disconnect();
  leaveHost();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Asks an endpoint, and gives the two headers that could carry the key. */
async function headersOf(host: ReturnType<typeof fakeHost>, client: TextClient, endpoint: "messages" | "completions") {
  for await (const _ of client.stream(endpoint, BODY)) {
    // Only what was sent is of interest.
  }
  const headers = new Headers(host.inits.at(-1)?.headers);
  return [headers.get("authorization"), headers.get("x-api-key")];
}

async function open(usesApiKeyHeader?: boolean) {
  const host = fakeHost({ answers: () => Response.json({}) });
  const connection = await connect({ ...ORDER, ...(usesApiKeyHeader === undefined ? {} : { usesApiKeyHeader }) });
  return { host, connection, client: createTextClient(connection) };
}

// Spec 5.3.
it("the messages endpoint alone gets the key as x-api-key, where that was chosen", async () => {
  const { host, client } = await open(true);
  expect(await headersOf(host, client, "messages")).toEqual([null, "[key]"]);
  expect(await headersOf(host, client, "completions")).toEqual(["Bearer [key]", null]);
});

it("a choice counts from the next request on, without another connection", async () => {
  const { host, client, connection } = await open();
  expect(await headersOf(host, client, "messages")).toEqual(["Bearer [key]", null]);
  chooseApiKeyHeader(connection.id, true);
  expect(await headersOf(host, client, "messages")).toEqual([null, "[key]"]);
  chooseApiKeyHeader(connection.id, false);
  expect(await headersOf(host, client, "messages")).toEqual(["Bearer [key]", null]);
  expect(getConnection()?.id).toBe(connection.id);
});

it("is stored with the connection, and one from before it existed is read as a bearer token", async () => {
  await open(true);
  const stored = readJson(KEYS.connection) as { connections: Record<string, unknown>[] };
  expect(loadConnections().connections[0]?.connection.usesApiKeyHeader).toBe(true);
  const [{ usesApiKeyHeader: _, ...older } = {}] = stored.connections;
  for (const record of [older, { ...older, usesApiKeyHeader: "yes" }]) {
    writeJson(KEYS.connection, { ...stored, connections: [record] });
    expect(loadConnections().connections[0]?.connection).toMatchObject({ name: "api.example.com" });
    expect(loadConnections().connections[0]?.connection.usesApiKeyHeader).toBeUndefined();
  }
});

// Spec 7 rule 1.
describe("a read that fails temporarily", () => {
  it.each([429, 502, 503])("with %i is tried again by itself", async (status) => {
    const server = startSandboxServer();
    onTestFinished(() => server.close());
    vi.spyOn(Math, "random").mockReturnValue(0);
    server.sandbox.configure({ faults: [{ endpoint: "*", status, times: 2 }] });
    const { api, queryClient } = createClient(await openSandbox());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }).setTimerTickMode("nextTimerAsync");
    const list = await queryClient.fetchQuery({
      queryKey: ["list"],
      queryFn: ({ signal }) => api.listJobs({}, signal),
    });
    expect(list.jobs).toEqual([]);
    expect(server.sandbox.inspect().requests).toHaveLength(3);
  });
});

it("without a connection every call is refused, and nothing is sent", async () => {
  const send = vi.spyOn(globalThis, "fetch");
  await expect(createClient(null).api.listJobs({})).rejects.toMatchObject({ status: 401 });
  expect(send).not.toHaveBeenCalled();
});

// Over HTTP/1.1 a browser may send a broken POST again by itself; the host forwards each name once.
it("behind the studio's own host each answer is asked for under a name of its own", async () => {
  const { host, client } = await open();
  await headersOf(host, client, "messages");
  await headersOf(host, client, "messages");
  const names = host.inits.map(({ headers }) => new Headers(headers).get("x-safelight-intent"));
  expect(names).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
  expect(new Set(names).size).toBe(2);
});
