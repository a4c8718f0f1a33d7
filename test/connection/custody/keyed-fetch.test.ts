import { describe, expect, it } from "vitest";
import { NoAnswerError } from "#api/api-error.ts";
import { keyedFetch } from "#connection/custody/keyed-fetch.ts";
import { serveAnswers } from "../../api/answer-server.ts";

const KEY = "sk-canary-4f1d0c9b8a7e6d5c";
const QUEUE = "/api/v1/queue";
const AUTHORIZED = { headers: { Authorization: "Bearer [key]" } };

async function serve(answer: Parameters<typeof serveAnswers>[0] = (_, response) => response.end("{}")) {
  const { url, seen } = await serveAnswers(answer);
  const send = keyedFetch({ key: KEY, queueBaseUrl: url + QUEUE, inferenceBaseUrl: `${url}/` });
  return { url, seen, send, models: `${url}${QUEUE}/apikey/models` };
}

describe("the key", () => {
  it("is put where a request has its placeholder, and nowhere else", async () => {
    const { seen, send, models, url } = await serve();
    await send(models, AUTHORIZED);
    await send(`${url}/v1/messages`, { method: "POST", headers: { "x-api-key": "[key]" }, body: '{"a":"[key]"}' });
    await send(models);
    expect(seen.map(({ headers, body }) => [headers.authorization, headers["x-api-key"], body])).toEqual([
      [`Bearer ${KEY}`, undefined, ""],
      [undefined, KEY, '{"a":"[key]"}'],
      [undefined, undefined, ""],
    ]);
  });

  it.each([
    ["another origin", "GET", "http://127.0.0.1:9/api/v1/queue/apikey/models"],
    ["another path of the service", "GET", "{}/account/keys"],
    ["a path beside the address", "GET", "{}/api/v1/queue-other/apikey/models"],
    ["a path that steps upwards", "GET", "{}/api/v1/queue/apikey/requests/..%2f..%2faccount"],
    ["a method that the studio never uses", "PUT", "{}/api/v1/queue/apikey/requests"],
    ["a host behind a name", "GET", "{}@127.0.0.1:9/api/v1/queue/apikey/models"],
    ["a path without a host", "GET", "/api/v1/queue/apikey/models"],
  ])("goes to no %s: nothing is sent", async (_, method, pattern) => {
    const { seen, send, url } = await serve();
    const address = pattern.replace("{}", url);
    await expect(send(address, { method, ...AUTHORIZED })).rejects.toBeInstanceOf(NoAnswerError);
    expect(seen).toEqual([]);
  });

  it("does not follow a redirect", async () => {
    const { seen, send, models } = await serve((_, response) => {
      response.writeHead(302, { Location: "/elsewhere" }).end();
    });
    await expect(send(models, AUTHORIZED)).rejects.toThrow(TypeError);
    expect(seen.map(({ url }) => url)).toEqual([`${QUEUE}/apikey/models`]);
  });
});

describe("an answer that repeats the key", () => {
  it("arrives without it, in headers and body, at any status", async () => {
    const { send, models } = await serve((_, response) => {
      response.writeHead(401, { "X-Echo": `Bearer ${KEY}`, "Content-Type": "application/json" });
      response.end(`{"error":{"message":"Wrong key ${KEY}"}}`);
    });
    const answer = await send(models, AUTHORIZED);
    expect([answer.status, answer.headers.get("x-echo"), await answer.text()]).toEqual([
      401,
      "Bearer [key]",
      '{"error":{"message":"Wrong key [key]"}}',
    ]);
  });

  it("arrives without it also where chunks cut it", async () => {
    const { send, models } = await serve(async (_, response) => {
      for (const part of ["a ", ...(KEY.match(/.{1,5}/g) ?? []), " b"]) {
        response.write(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(await (await send(models, AUTHORIZED)).text()).toBe("a [key] b");
  });

  it("speaks for no host of the studio", async () => {
    const { send, models } = await serve((_, response) => {
      response.writeHead(403, { "X-Safelight-Relay": "never_sent", "X-Other": "1" }).end("refused");
    });
    const { headers } = await send(models, AUTHORIZED);
    expect([headers.get("x-safelight-relay"), headers.get("x-other")]).toEqual([null, "1"]);
  });

  it.each([204, 304])("without a body passes with status %i", async (status) => {
    const { send, models } = await serve((_, response) => response.writeHead(status).end());
    expect((await send(models, AUTHORIZED)).status).toBe(status);
  });
});
