import { afterEach, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";

let server: SandboxServer | undefined;
afterEach(() => server?.close());

const authorization = { authorization: "Bearer sandbox-key" };

describe("the sandbox behind the fetch of this process", () => {
  it("answers the queue's addresses", async () => {
    server = startSandboxServer();
    const answer = await fetch(`${server.queueBaseUrl}/apikey/models`, { headers: authorization });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ model_ids: expect.arrayContaining(["lumen-2"]) });
  });

  it("each server starts with an empty sandbox", async () => {
    for (let round = 0; round < 2; round += 1) {
      server = startSandboxServer();
      const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "A fox" } });
      await fetch(`${server.queueBaseUrl}/apikey/requests`, { method: "POST", headers: authorization, body });
      expect(server.sandbox.inspect().jobs).toHaveLength(1);
      server.close();
    }
  });

  it("turns a lost reply into a failed fetch, after the job was made", async () => {
    server = startSandboxServer();
    const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "A fox, lose:reply" } });
    const sent = fetch(`${server.queueBaseUrl}/apikey/requests`, { method: "POST", headers: authorization, body });
    await expect(sent).rejects.toThrow(TypeError);
    expect(server.sandbox.inspect().jobs).toHaveLength(1);
  });

  it("refuses every request to another address", async () => {
    server = startSandboxServer();
    await expect(fetch("http://localhost:4173/elsewhere")).rejects.toThrow();
  });
});
