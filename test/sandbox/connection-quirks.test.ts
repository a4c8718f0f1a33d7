import { describe, expect, it } from "vitest";
import { mediaOf, ORIGIN, openSandbox } from "./sandbox-client.ts";

const FOX = { prompt: "A fox" };

describe("quirks of the connection", () => {
  const submitRaw = (quirk: string, wait?: (ms: number) => Promise<void>) => {
    const client = openSandbox({ quirks: [quirk], ...(wait === undefined ? {} : { wait }) });
    const response = client.sandbox.fetch(
      new Request(`${ORIGIN}/sandbox/api/v1/queue/apikey/requests`, {
        method: "POST",
        headers: { authorization: "Bearer sandbox-key" },
        body: JSON.stringify({ model: "lumen-2", payload: FOX }),
      }),
    );
    return { ...client, response };
  };

  it("reply-lost: a network error after the job was made", async () => {
    const { response, sandbox } = submitRaw("reply-lost");
    expect((await response).type).toBe("error");
    expect(sandbox.inspect().jobs).toHaveLength(1);
  });

  it("slow-submit: the job is made before the wait", async () => {
    const waits: number[] = [];
    let release = () => {};
    const { response, sandbox } = submitRaw("slow-submit", (ms) => {
      waits.push(ms);
      return new Promise((resolve) => {
        release = resolve;
      });
    });
    await expect.poll(() => waits).toEqual([20_000]);
    expect(sandbox.inspect().jobs).toHaveLength(1);
    release();
    expect((await response).status).toBe(200);
  });

  it("slow-drip: the body comes complete, in eight pieces", async () => {
    const waits: number[] = [];
    const { response } = submitRaw("slow-drip", (ms) => Promise.resolve(void waits.push(ms)));
    expect(JSON.parse(await (await response).text())).toMatchObject({ status: "success" });
    expect(waits).toEqual(Array(7).fill(250));
  });

  it("truncated-json: the body ends half way", async () => {
    const { response } = submitRaw("truncated-json");
    const text = await (await response).text();
    expect(text).toMatch(/^\{"request_id"/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it.each([
    ["no-cors-api", [false, true, true]],
    ["no-cors-storage", [true, false, true]],
    ["no-cors-uploads", [true, true, false]],
  ] as const)("%s: the header is missing on the answer and on the preflight", async (name, allowed) => {
    const { raw, queue, submit } = openSandbox({ quirks: [name] });
    const media = mediaOf(await submit("lumen-2", FOX))[0]?.url ?? "";
    const upload = String((await queue("POST", "/apikey/upload-url", { body: { file_type: "png" } })).json.upload_url);
    const api = `${ORIGIN}/sandbox/api/v1/queue/apikey/models`;
    for (const [index, [url, method]] of [
      [api, "GET"],
      [media, "GET"],
      [upload, "PUT"],
    ].entries()) {
      const preflight = await raw("OPTIONS", url ?? "", { headers: { "access-control-request-method": method ?? "" } });
      const answer = await raw(method ?? "", url ?? "", method === "PUT" ? { body: "x" } : {});
      for (const { headers } of [preflight, answer]) {
        expect([name, url, headers.has("access-control-allow-origin")]).toEqual([name, url, allowed[index]]);
      }
    }
  });
});
