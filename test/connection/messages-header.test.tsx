import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConnectionProvider, type TextClient, useTextClient } from "#connection/connection-provider.tsx";
import { chooseApiKeyHeader, connect, disconnect, getConnection } from "#connection/connection-store.ts";
import { loadConnections } from "#connection/stored-connections.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
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
  let client: TextClient | undefined;
  function Reader() {
    client = useTextClient();
    return <p>Ready</p>;
  }
  render(
    <ConnectionProvider>
      <Reader />
    </ConnectionProvider>,
  );
  await screen.findByText("Ready");
  return { host, connection, client: client as TextClient };
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
  act(() => chooseApiKeyHeader(connection.id, true));
  expect(await headersOf(host, client, "messages")).toEqual([null, "[key]"]);
  act(() => chooseApiKeyHeader(connection.id, false));
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
