import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sandboxMiddleware } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { type RunningServer, startServer } from "#host/start-server.ts";

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(sandboxMiddleware(readHostSettings({ SAFELIGHT_SANDBOX_SPEED: "60" })), {
    host: "127.0.0.1",
    port: 0,
  });
});
afterAll(() => server.close(0));

const headers = { Authorization: "Bearer sandbox-key" };

describe("the sandbox over real HTTP", () => {
  // Spec 4.1.
  it("lists its models", async () => {
    const answer = await fetch(`${server.url}/sandbox/api/v1/queue/apikey/models`, { headers });
    expect(answer.status).toBe(200);
    expect((await answer.json()).model_ids.length).toBeGreaterThanOrEqual(14);
  });

  it("serves sandbox files with headers under which no script runs", async () => {
    const answer = await fetch(`${server.url}/sandbox/api/v1/queue/apikey/models`, { headers });
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Content-Security-Policy")).toContain("script-src 'none'");
  });
});

it("starts with the past jobs, quirks, pace and limit of the environment", async () => {
  const settings = readHostSettings({
    SAFELIGHT_SANDBOX_HISTORY: "7",
    SAFELIGHT_SANDBOX_QUIRKS: "list-as-items, stream-crlf",
    SAFELIGHT_SANDBOX_TOKENS_PER_SECOND: "2000",
    SAFELIGHT_SANDBOX_RATE_LIMIT: "2",
  });
  const configured = await startServer(sandboxMiddleware(settings), { host: "127.0.0.1", port: 0 });
  onTestFinished(() => configured.close(0));
  const list = () => fetch(`${configured.url}/sandbox/api/v1/queue/apikey/requests`, { headers });
  expect((await (await list()).json()).items).toHaveLength(7);
  expect(await (await fetch(`${configured.url}/sandbox/settings`)).json()).toMatchObject({
    quirks: ["list-as-items", "stream-crlf"],
    tokensPerSecond: 2000,
    rateLimits: { perKey: 2, perOrganisation: null },
  });
  expect((await list()).status).toBe(200);
  expect((await list()).status).toBe(429);
});
