import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { readHostSettings } from "#host/host-settings.ts";
import { relayRoutes } from "#host/relay/relay-routes.ts";
import { createSendOnce } from "#host/relay/send-once.ts";
import { openSessions } from "#host/session/open-sessions.ts";
import { startServer } from "#host/start-server.ts";
import { memoryStore, sharedMemory } from "./memory-store.ts";
import { ask, openSession } from "./relay-world.ts";

describe("a host that may have been given up", () => {
  it("sends no byte over a connection that it has opened", async () => {
    let received = 0;
    const service = createServer((socket) => {
      socket.on("data", (chunk) => {
        received += chunk.length;
      });
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void service.close());
    const connected = new Promise((resolve) => service.once("connection", (socket) => socket.once("close", resolve)));
    const { port } = service.address() as AddressInfo;
    const store = memoryStore(sharedMemory(), "host-1");
    let asked = 0;
    store.mayStillSend = () => {
      asked += 1;
      return asked === 1;
    };
    const settings = readHostSettings({ SAFELIGHT_UPSTREAMS: `http://127.0.0.1:${port}` });
    const sessions = openSessions(settings, settings.sessionLimits);
    onTestFinished(() => sessions.close());
    const sendOnce = createSendOnce(store, { sleep: async () => {} });
    const relay = relayRoutes(settings, sendOnce, sessions, { isForSession: () => true });
    const server = await startServer(relay.fetch, { host: "127.0.0.1", port: 0 });
    await openSession(server.url, `http://127.0.0.1:${port}`);
    onTestFinished(() => server.close(0));
    const path = `/relay/api/http/127.0.0.1:${port}/requests`;
    const body = "x".repeat(100_000);
    const refused = await ask(server.url, path, {
      method: "POST",
      body,
      headers: { "X-Safelight-Intent": "intent-0001" },
    });
    expect([refused.status, refused.headers["x-safelight-relay"]]).toEqual([410, "never_sent"]);
    await connected;
    expect([asked, received]).toEqual([2, 0]);
  });
});
