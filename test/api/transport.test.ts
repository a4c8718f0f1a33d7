import { describe, expect, it } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import { createTransport } from "#api/transport.ts";
import { serveAnswers, serveJson } from "./answer-server.ts";

const get = { method: "GET", path: "/x", timeoutMs: 5000 } as const;

describe("the transport", () => {
  it("gives up when the whole exchange takes too long, also in the middle of a body", async () => {
    const { url } = await serveAnswers((_request, response) => {
      response.writeHead(200);
      response.write("{");
    });
    const send = createTransport({ baseUrl: url, key: "k", fetch });
    const error = await send({ ...get, timeoutMs: 50 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ timedOut: true });
  });

  it("gives up in time also where the body never hears of it", async () => {
    const body = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
    for (const status of [200, 400]) {
      const send = createTransport({
        baseUrl: "https://a.test",
        key: "k",
        fetch: async () => new Response(body(), { status }),
      });
      await expect(send({ ...get, timeoutMs: 50 })).rejects.toMatchObject({ timedOut: true });
    }
  });

  it("joins the base and the path with one slash", async () => {
    const { url, seen } = await serveJson({});
    await createTransport({ baseUrl: `${url}/base//`, key: "k", fetch })(get);
    expect(seen[0]?.url).toBe("/base/x");
  });

  it("drops __proto__ keys from any answer", async () => {
    const { url } = await serveAnswers((_request, response) => response.end('{"a":{"__proto__":{"polluted":1}}}'));
    const answer = await createTransport({ baseUrl: url, key: "k", fetch })(get);
    expect(JSON.stringify(answer)).toBe('{"a":{}}');
  });
});
