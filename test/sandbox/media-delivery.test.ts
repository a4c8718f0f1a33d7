import { describe, expect, it } from "vitest";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { mediaOf, ORIGIN, openSandbox, START_MS } from "./sandbox-client.ts";

async function picture(payload: Record<string, unknown> = {}) {
  const client = openSandbox();
  const answer = await client.submit("lumen-2", { prompt: "A fox", seed: 7, ...payload });
  const urls = mediaOf(answer).map((item) => item.url);
  return { ...client, urls, url: urls[0] ?? "", requestId: answer.json.request_id };
}

// Spec 2.
describe("media is a public, unguessable URL on the service's storage", () => {
  it("is served without a key, with its Content-Type and Content-Length", async () => {
    const { raw, url } = await picture();
    const { status, headers, text } = await raw("GET", url);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("image/png");
    expect(Number(headers.get("content-length"))).toBe(text.length);
    expect(headers.get("accept-ranges")).toBe("bytes");
  });

  it("may be read by any origin (CORS)", async () => {
    const { raw, url } = await picture();
    const { headers } = await raw("GET", url);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toContain("Content-Length");
  });

  it.each([
    ["bytes=0-4", 206, 0, 5],
    ["bytes=10-", 206, 10, undefined],
    ["bytes=-6", 206, -6, undefined],
    ["bytes=5-999999", 206, 5, undefined],
    ["bytes=0-0", 206, 0, 1],
  ] as const)("Range %s gives %i with the part", async (range, status, from, to) => {
    const { raw, url } = await picture();
    const whole = (await raw("GET", url)).text;
    const part = await raw("GET", url, { headers: { range } });
    expect(part.status).toBe(status);
    expect(part.text).toBe(whole.slice(from, to));
    expect(part.headers.get("content-length")).toBe(String(part.text.length));
    const first = whole.length > 0 && from < 0 ? whole.length + from : from;
    expect(part.headers.get("content-range")).toBe(`bytes ${first}-${first + part.text.length - 1}/${whole.length}`);
  });

  it.each(["bytes=999999-", "bytes=-0"])("Range %s outside the file gives 416 with the length", async (range) => {
    const { raw, url } = await picture();
    const { status, headers } = await raw("GET", url, { headers: { range } });
    expect(status).toBe(416);
    expect(headers.get("content-range")).toMatch(/^bytes \*\/\d+$/);
  });

  it.each(["bytes=4-2", "bytes=0-1,4-5", "lines=1-2", "bytes=-"])(
    "Range %s is ignored and the whole file is sent",
    async (range) => {
      const { raw, url } = await picture();
      expect((await raw("GET", url, { headers: { range } })).status).toBe(200);
    },
  );

  it("HEAD answers the length without the file", async () => {
    const { raw, url } = await picture();
    const { status, headers, text } = await raw("HEAD", url);
    expect([status, text]).toEqual([200, ""]);
    expect(Number(headers.get("content-length"))).toBeGreaterThan(0);
  });

  it("answers 404 for another file name, job or number in the address", async () => {
    const { raw, url } = await picture({ n: 2 });
    for (const guess of [
      url.replace(/.-0\.png$/, "z-0.png"),
      url.replace("-0.png", "-1.png"),
      url.replace(/media\/\w/, "media/z"),
    ]) {
      const answer = await raw("GET", guess);
      expect([guess, answer.status]).toEqual([guess, 404]);
      expect(answer.text).toContain("<Code>NoSuchKey</Code>");
    }
  });

  it("answers 404 before the job has succeeded, and for a failed job", async () => {
    const client = openSandbox();
    const done = openSandbox();
    const queued = await client.submit("halide-video", { prompt: "A fox" });
    await done.submit("halide-video", { prompt: "A fox" });
    done.pass(300);
    const [item] = mediaOf(await done.job(queued.json.request_id));
    expect((await done.raw("GET", item?.url ?? "")).status).toBe(200);
    expect((await client.raw("GET", item?.url ?? "")).status).toBe(404);
  });

  // Spec 8.
  it("generated media is deleted after 60 days", async () => {
    const { raw, url, pass, job, requestId } = await picture();
    pass(60 * 86_400 - 1);
    expect((await raw("GET", url)).status).toBe(200);
    pass(1);
    expect((await raw("GET", url)).status).toBe(404);
    expect((await job(requestId)).json.status).toBe("success");
  });
});

describe("the same request gives the same file", () => {
  const made = async (payload: Record<string, unknown>) => {
    const { raw, urls } = await picture(payload);
    return Promise.all(urls.map(async (url) => (await raw("GET", url)).text));
  };

  it("follows from prompt, seed and size; another seed gives another file", async () => {
    expect(await made({})).toEqual(await made({}));
    expect(await made({})).not.toEqual(await made({ seed: 8 }));
    expect(JSON.parse((await made({ size: "512x512" }))[0] ?? "")).toMatchObject({
      prompt: "A fox",
      seed: 7,
      width: 512,
      height: 512,
    });
  });

  it.each([
    ["without a seed", "lumen-2", {}],
    ["with the seed -1", "lumen-2", { seed: -1 }],
    ["with the seed 0 where that is random", "grainfield", { seed: 0 }],
  ])("%s is another one for each run", async (_name, model, payload) => {
    const { submit, raw } = openSandbox();
    const file = async () => {
      const made = await submit(model, { prompt: "A fox", ...payload });
      return (await raw("GET", mediaOf(made)[0]?.url ?? "")).text;
    };
    expect(new Set([await file(), await file(), await file()]).size).toBe(3);
  });

  it.each([7, 0])("is the same for each run with the seed %i", async (seed) => {
    const { submit, raw } = openSandbox();
    const file = async () => {
      const made = await submit("lumen-2", { prompt: "A fox", seed });
      return (await raw("GET", mediaOf(made)[0]?.url ?? "")).text;
    };
    expect(await file()).toBe(await file());
  });

  it("the pictures of one job differ", async () => {
    expect(new Set(await made({ n: 4 })).size).toBe(4);
  });
});

describe("a sandbox without encoders", () => {
  it("answers 503 for media and goes on with everything else", async () => {
    const { submit } = openSandbox({ seed: 3 });
    const bare = createSandbox({ seed: 3, now: () => START_MS });
    const [item] = mediaOf(await submit("lumen-2", { prompt: "A fox" }));
    const body = JSON.stringify({ model: "lumen-2", payload: { prompt: "A fox" } });
    const headers = { authorization: "Bearer sandbox-key" };
    await bare.fetch(new Request(`${ORIGIN}/sandbox/api/v1/queue/apikey/requests`, { method: "POST", headers, body }));
    expect((await bare.fetch(new Request(item?.url ?? ""))).status).toBe(503);
  });
});
