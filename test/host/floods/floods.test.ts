import { expect, it, onTestFinished } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { fromPageAt, inLanes, send } from "../send.ts";
import { uploadMegabytes } from "./flood-world.ts";

// The floods themselves, with the memory of the host's process, are the two files beside this one.

async function startHost(environment: Record<string, string> = {}): Promise<string> {
  const settings = readHostSettings({ PORT: "0", ...environment });
  const host = createHost(settings, undefined);
  const server = await startServer(host.fetch, settings);
  onTestFinished(async () => {
    await server.close(0);
    await host.close();
  });
  return server.url;
}

it("runs above the limit of the sandbox are refused", async () => {
  const base = await startHost({ SAFELIGHT_SANDBOX_JOBS: "100" });
  const headers = { ...fromPageAt(base), Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "a".repeat(1000) } });
  const answers = await inLanes(150, 30, () => send(base, "/sandbox/api/v1/queue/apikey/requests", { headers, body }));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status, body: text }) => `${status} ${JSON.parse(text).error.type}`))).toEqual(
    new Set(["403 sandbox_full"]),
  );
});

it.each([
  ["of another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["without an origin", {}],
])("a refused upload %s is cut, and its body not read", async (_, headers) => {
  const base = await startHost();
  const path = "/relay/upload/https/storage.example.com/file";
  const { outcome, sent } = await uploadMegabytes(base, path, 40, headers as Record<string, string>);
  expect(outcome).toBeOneOf([403, "cut"]);
  // What the system's own buffers take is some ten of them.
  expect(sent).toBeLessThan(40);
  expect((await send(base, "/healthz", { method: "GET" })).body).toBe("ok");
});
