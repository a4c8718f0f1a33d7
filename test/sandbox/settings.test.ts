import { describe, expect, it } from "vitest";
import { errorOf, ORIGIN, openSandbox, START_MS } from "./sandbox-client.ts";

const SETTINGS = `${ORIGIN}/sandbox/settings`;

describe("sandbox speed", () => {
  it.each([1, 10, 60] as const)("of %i shortens jobs by as much, from settings or options", async (speed) => {
    for (const client of [openSandbox({ speed }), openSandbox()]) {
      await client.raw("PUT", SETTINGS, { body: { speed } });
      const { json } = await client.submit("halide-longtake", { prompt: "A fox" });
      client.pass(600 / speed - 1);
      expect((await client.job(json.request_id)).json.status).toBe("queued");
      client.pass(1);
      expect((await client.job(json.request_id)).json.status).toBe("success");
    }
  });

  it("applies at once to what is left of a job under way", async () => {
    const client = openSandbox();
    const { json } = await client.submit("halide-longtake", { prompt: "A fox" });
    client.pass(300);
    client.sandbox.configure({ speed: 60 });
    client.pass(4);
    expect((await client.job(json.request_id)).json.status).toBe("queued");
    client.sandbox.configure({ speed: 10 });
    client.pass(6);
    expect((await client.job(json.request_id)).json.status).toBe("success");
  });

  it.each([1, 10, 60] as const)("of %i leaves every time that of the clock", async (speed) => {
    const client = openSandbox({ speed });
    client.pass(360);
    const nowSeconds = START_MS / 1000 + 360;
    const { json, headers } = await client.submit("halide-longtake", { prompt: "A fox" });
    expect(headers.get("date")).toBe(new Date(nowSeconds * 1000).toUTCString());
    expect(json).toMatchObject({ created_at: nowSeconds, queued_at: nowSeconds });
    client.pass(600 / speed);
    expect((await client.job(json.request_id)).json).toMatchObject({
      created_at: nowSeconds,
      updated_at: nowSeconds + 600 / speed,
    });
    const { nowMs, jobs } = client.sandbox.inspect();
    expect(nowMs).toBe((nowSeconds + 600 / speed) * 1000);
    expect(jobs[0]).toMatchObject({ createdAtMs: nowSeconds * 1000, finishesAtMs: nowMs });
  });
});

describe("GET and PUT /sandbox/settings, outside the specified service", () => {
  it("lists settings, quirks and documented inputs without a key", async () => {
    const { status, json } = await openSandbox().raw("GET", SETTINGS);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      speed: 1,
      quirks: [],
      faults: [],
      rateLimits: { perKey: null, perOrganisation: null },
    });
    expect(json.documentedInputs).toContainEqual(expect.objectContaining({ input: "revoked-key", place: "key" }));
  });

  it("changes what is named and leaves the rest", async () => {
    const { raw } = openSandbox();
    await raw("PUT", SETTINGS, { body: { speed: 60 } });
    const { json } = await raw("PUT", SETTINGS, { body: { rateLimits: { perKey: 5 } } });
    expect(json).toMatchObject({ speed: 60, rateLimits: { perKey: 5, perOrganisation: null } });
  });

  it.each([
    [{ speed: 2 }, "speed"],
    [{ tempo: 10 }, "tempo"],
    [{ quirks: ["none-such"] }, "none-such"],
    [{ quirks: "all" }, "quirks"],
    [{ faults: [{ endpoint: "list", status: 200 }] }, "status"],
    [{ faults: [{ status: 500 }] }, "endpoint"],
    [{ faults: [{ endpoint: "list", status: 500, times: 0 }] }, "times"],
    [{ rateLimits: { perKey: -1 } }, "perKey"],
  ])("refuses %j with 400 that names the key, and changes nothing", async (patch, key) => {
    const { raw } = openSandbox();
    const before = (await raw("GET", SETTINGS)).json;
    const answer = await raw("PUT", SETTINGS, { body: { speed: 10, ...patch } });
    expect(answer.status).toBe(400);
    expect(errorOf(answer).message).toContain(key);
    expect((await raw("GET", SETTINGS)).json).toEqual(before);
  });

  it("may not be read by another origin", async () => {
    const { headers } = await openSandbox().raw("GET", SETTINGS);
    expect(headers.has("access-control-allow-origin")).toBe(false);
  });
});

describe("addresses", () => {
  it("links in answers begin with the request's own origin and folder", async () => {
    const { raw } = openSandbox();
    const url = "https://pages.example/studio/sandbox/api/v1/queue/apikey/upload-url";
    const { json } = await raw("POST", url, { key: "sandbox-key", body: { file_type: "png" } });
    expect(json.public_url).toMatch(/^https:\/\/pages\.example\/studio\/sandbox\/storage\/inputs\//);
  });

  it("links in answers begin with the given origin, where there is one", async () => {
    const { queue } = openSandbox({ origin: "http://127.0.0.1:4173" });
    const { json } = await queue("POST", "/apikey/upload-url", { body: { file_type: "png" } });
    expect(json.public_url).toMatch(/^http:\/\/127\.0\.0\.1:4173\/sandbox\/storage\//);
  });

  it("a browser's preflight is allowed on the API and on uploads", async () => {
    const { raw } = openSandbox();
    for (const [path, method] of [
      ["api/v1/queue/apikey/requests", "POST"],
      ["storage/uploads/0.png", "PUT"],
    ] as const) {
      const { status, headers } = await raw("OPTIONS", `${ORIGIN}/sandbox/${path}`, {
        headers: {
          "access-control-request-method": method,
          "access-control-request-headers": "authorization,content-type",
        },
      });
      expect(status).toBe(204);
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-methods")).toContain(method);
      expect(headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    }
  });
});

describe("determinism", () => {
  const story = async (seed: number) => {
    const { submit, queue, pass, sandbox } = openSandbox({ seed, history: 5 });
    await submit("lumen-2", { prompt: "A fox" });
    await submit("halide-video", { prompt: "fail:provider" });
    pass(300);
    return JSON.stringify([(await queue("GET", "/apikey/requests")).json, sandbox.inspect()]);
  };

  it("the same seed gives the same ids, records and money; another seed others", async () => {
    expect(await story(4)).toBe(await story(4));
    expect(await story(4)).not.toBe(await story(5));
  });

  // A stored job of an earlier run must not be mistaken for a new one.
  it("a run that starts at another time makes other ids", async () => {
    const first = await openSandbox().submit("lumen-2", { prompt: "A fox" });
    const later = await openSandbox({ now: () => START_MS + 1 }).submit("lumen-2", { prompt: "A fox" });
    expect(later.json.request_id).not.toBe(first.json.request_id);
  });
});
