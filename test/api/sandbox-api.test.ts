import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Api, createApi } from "#api/create-api.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";

let server: SandboxServer;
let api: Api;
beforeEach(() => {
  server = startSandboxServer();
  api = createApi({ ...server, key: "sandbox-key" });
});
afterEach(() => server.close());

describe("the functions against the sandbox", () => {
  it("list the models and read each of them (spec 4.1)", async () => {
    const ids = await api.listModelIds();
    expect(ids.length).toBeGreaterThanOrEqual(14);
    const details = await Promise.all(ids.map((id) => api.getModel(id)));
    expect(details.map(({ id }) => id)).toEqual(ids);
    for (const { type, parameters } of details) {
      expect(["image", "video", "audio"]).toContain(type);
      expect(parameters).toBeInstanceOf(Array);
    }
  });
});
