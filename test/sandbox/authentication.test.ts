import { describe, expect, it } from "vitest";
import { errorOf, ORIGIN, openSandbox, requestsOf } from "./sandbox-client.ts";

const MODELS = `${ORIGIN}/sandbox/api/v1/queue/apikey/models`;

// Spec 5.
describe("authentication", () => {
  // Spec 5 rule 1.
  it("a request carries the key as a bearer token", async () => {
    const { raw } = openSandbox();
    expect((await raw("GET", MODELS, { headers: { authorization: "Bearer sandbox-key" } })).status).toBe(200);
    expect((await raw("GET", MODELS, { headers: { authorization: "bearer sandbox-key" } })).status).toBe(200);
  });

  // Spec 5 rule 5.
  it.each([
    ["missing", {}],
    ["empty", { authorization: "Bearer " }],
    ["invalid", { authorization: "Bearer no-such-key" }],
    ["of another scheme", { authorization: "Basic sandbox-key" }],
    ["a word every object has", { authorization: "Bearer constructor" }],
    ["revoked", { authorization: "Bearer revoked-key" }],
    ["in x-api-key, which only the messages endpoint takes (rule 3)", { "x-api-key": "sandbox-key" }],
  ] as const)("a key that is %s gives 401", async (_, headers) => {
    const answer = await openSandbox().raw("GET", MODELS, { headers });
    expect(answer.status).toBe(401);
    expect(errorOf(answer).message).not.toBe("");
  });

  it("every queue endpoint asks for the key", async () => {
    const { queue } = openSandbox();
    const calls = [
      ["GET", "/apikey/models"],
      ["GET", "/apikey/models/lumen-2"],
      ["POST", "/apikey/requests/estimate"],
      ["POST", "/apikey/requests"],
      ["GET", "/apikey/requests/some-id"],
      ["GET", "/apikey/requests"],
      ["POST", "/apikey/upload-url"],
      ["DELETE", "/apikey/requests/some-id/media"],
    ] as const;
    for (const [method, path] of calls) {
      const answer = await queue(method, path, { key: undefined });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  });

  // Spec 5 rule 2.
  it("the same key serves the queue endpoints and the inference endpoints", async () => {
    const { queue, raw } = openSandbox();
    expect((await queue("GET", "/apikey/models")).status).toBe(200);
    expect((await raw("GET", `${ORIGIN}/sandbox/v1/models`, { key: "sandbox-key" })).status).toBe(200);
    expect((await raw("GET", `${ORIGIN}/sandbox/v1/models`)).status).toBe(401);
  });

  // Spec 5 rule 5.
  it("authentication being temporarily unavailable gives 503", async () => {
    const answer = await openSandbox().queue("GET", "/apikey/models", { key: "auth-down-key" });
    expect(answer.status).toBe(503);
    expect(errorOf(answer).message).toContain("temporarily unavailable");
  });

  // Spec 5 rule 4.
  it("the organization pays for the jobs of all keys of its users", async () => {
    const { submit, queue, sandbox } = openSandbox({ openingBalanceMicroUsd: 1_000_000 });
    for (const key of ["sandbox-key", "sandbox-key-2", "sandbox-key-other-organisation"]) {
      await submit("lumen-2", { prompt: key }, { key });
    }
    expect(sandbox.inspect().balances).toEqual({ "org-safelight": 930_000, "org-elsewhere": 965_000 });
    expect(sandbox.inspect().jobs.map((job) => job.user)).toEqual(["user-ada", "user-ben", "user-cleo"]);
    const list = await queue("GET", "/apikey/requests", { key: "sandbox-key-2" });
    expect(requestsOf(list)).toHaveLength(1);
  });

  // Spec 5 rule 6.
  it.each([
    ["a header", {}, "lumen-2", { "x-resource-group": "vip" }],
    ["a suffix of the model", {}, "lumen-2@vip", {}],
  ])("a resource pool that the organization may not use gives 403, asked by %s", async (_, __, model, headers) => {
    const { submit, estimate, sandbox } = openSandbox();
    for (const answer of [
      await submit(model, { prompt: "A fox" }, { headers }),
      await estimate(model, { prompt: "A fox" }, { headers }),
    ]) {
      expect(answer.status).toBe(403);
      expect(errorOf(answer).message).toContain("requires VIP access");
    }
    expect(sandbox.inspect().ledger).toEqual([]);
  });

  it("a job in an open pool is a job of the plain model", async () => {
    const { json } = await openSandbox().submit("lumen-2@standard", { prompt: "A fox" });
    expect(json.model).toBe("lumen-2");
  });
});
