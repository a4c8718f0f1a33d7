import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import fc from "../../setup/fc.ts";
import { gate } from "../gate.ts";
import { ask, FROM_PAGE } from "../relay/relay-world.ts";
import {
  KEY,
  kindOf,
  openBrowser,
  type Service,
  type SessionHost,
  startService,
  startSessionHost,
} from "./session-world.ts";

let service: Service;
let host: SessionHost;
let browser: ReturnType<typeof openBrowser>;
beforeEach(async () => {
  service = await startService();
  host = await startSessionHost(service);
  browser = openBrowser(service);
  await browser.connect(host);
});

const ERROR = `{"error":{"message":"Invalid key ${KEY}.","type":"invalid_api_key"}}`;
const REDACTED = ERROR.replace(KEY, "[key]");
const escaped = (letter: (code: string) => string) =>
  Array.from(KEY, (character) => letter(character.charCodeAt(0).toString(16))).join("");

/** The service answers these bytes, to a read and to a submit. */
function answers(body: Buffer | string, headers: Record<string, string> = {}, status = 401) {
  service.behave = (incoming, outgoing) => {
    incoming.resume().on("end", () => outgoing.writeHead(status, headers).end(body));
  };
}

describe("a service that repeats the key", () => {
  it.each([
    ["in an error", ERROR],
    [
      "escaped as JSON",
      ERROR.replace(
        KEY,
        escaped((code) => `\\u00${code}`),
      ),
    ],
    [
      "escaped as an address",
      ERROR.replace(
        KEY,
        escaped((code) => `%${code}`),
      ),
    ],
    ["in base64", ERROR.replace(KEY, Buffer.from(KEY).toString("base64"))],
    ["in hexadecimal digits", ERROR.replace(KEY, Buffer.from(KEY).toString("hex"))],
  ])("is read without it: %s", async (_, body) => {
    answers(body);
    expect((await browser.read(host)).body).toBe(REDACTED);
    const submitted = await browser.submit(host, "intent-0001");
    expect([submitted.status, submitted.body]).toEqual([401, REDACTED]);
    // What was written down of the answer has no key either.
    expect((await browser.submit(host, "intent-0001")).body).toBe(REDACTED);
  });

  it.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["identity", (text: string) => Buffer.from(text)],
    ["gzip, br", (text: string) => brotliCompressSync(gzipSync(text))],
  ])("is read without it in %s", async (encoding, encode) => {
    const packed = encode(ERROR);
    answers(packed, { "Content-Encoding": encoding, "Content-Length": String(packed.length) });
    for (const answer of [await browser.read(host), await browser.submit(host, "intent-0001")]) {
      expect([answer.status, answer.body]).toEqual([401, REDACTED]);
      expect(answer.headers).not.toHaveProperty("content-encoding");
    }
  });

  it("is read without it in its headers", async () => {
    answers("", {
      "X-Request-Id": `Bearer ${KEY}`,
      "Content-Type": `text/${KEY}`,
      [`X-${KEY}`]: "1",
      "Retry-After": "1",
    });
    const { headers } = await browser.read(host);
    expect(headers).toMatchObject({ "x-request-id": "Bearer [key]", "content-type": "text/[key]", "retry-after": "1" });
    expect(JSON.stringify(headers)).not.toContain(KEY);
  });

  it("is read without it wherever the bytes are cut", async () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: ERROR.length - 1 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const bounds = [0, ...places.sort((a, b) => a - b), ERROR.length];
        service.behave = async (_incoming, outgoing) => {
          for (let at = 1; at < bounds.length; at += 1) {
            await new Promise<void>((resolve) =>
              outgoing.write(ERROR.slice(bounds[at - 1], bounds[at]), () => resolve()),
            );
          }
          outgoing.end();
        };
        expect((await browser.read(host)).body).toBe(REDACTED);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ["plain", (outgoing: ServerResponse) => outgoing],
    [
      "gzip",
      (outgoing: ServerResponse) => {
        const packer = createGzip({ flush: 2 });
        packer.pipe(outgoing);
        return packer;
      },
    ],
  ])("is read without it in a stream, each event at once (%s)", async (encoding, open) => {
    let next = gate();
    service.behave = async (_incoming: IncomingMessage, outgoing) => {
      const type = { "Content-Type": "text/event-stream" };
      outgoing.writeHead(200, encoding === "gzip" ? { ...type, "Content-Encoding": "gzip" } : type);
      const writer = open(outgoing);
      writer.write(`data: your key is ${KEY}\n\n`);
      await next.opened;
      writer.end("data: end\n\n");
    };
    for (const intent of [{}, { "X-Safelight-Intent": "intent-0001" }]) {
      const headers = { ...FROM_PAGE, ...browser.headers(intent) };
      const path = `${host.url}${service.via("api", "/v1/completions")}`;
      const stream = await fetch(path, { method: "POST", body: "{}", headers });
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      let read = "";
      while (!read.endsWith("\n\n")) read += (await reader?.read())?.value;
      expect(read).toBe("data: your key is [key]\n\n");
      next.open();
      expect((await reader?.read())?.value).toBe("data: end\n\n");
      next = gate();
    }
  });
});

describe("an answer in an encoding that was not asked for", () => {
  it.each(["zstd", "compress", "gzip, gzip, gzip", "constructor"])(
    "breaks off, and a submit counts as lost: %s",
    async (encoding) => {
      answers("whatever", { "Content-Encoding": encoding }, 200);
      await expect(browser.read(host)).rejects.toThrow();
      expect(kindOf(await browser.submit(host, "intent-0001"))).toEqual([409, "outcome_unknown"]);
      expect(service.seen.length).toBe(2);
    },
  );

  it("breaks off where the transfer is packed, which is no matter for chunks alone", async () => {
    answers(gzipSync(ERROR), { "Transfer-Encoding": "gzip, chunked" }, 200);
    await expect(browser.read(host)).rejects.toThrow();
    expect(kindOf(await browser.submit(host, "intent-0001"))).toEqual([409, "outcome_unknown"]);
    answers(ERROR, { "Transfer-Encoding": "chunked" }, 200);
    expect((await browser.read(host)).body).toBe(REDACTED);
  });

  it.each([
    ["is none of its encoding", Buffer.from("no gzip at all")],
    ["ends early", gzipSync(ERROR).subarray(0, 30)],
  ])("counts as lost where it %s", async (_, body) => {
    answers(body, { "Content-Encoding": "gzip" }, 200);
    expect(kindOf(await browser.submit(host, "intent-0001"))).toEqual([409, "outcome_unknown"]);
  });

  it.each([204, 304])("is no matter where there is nothing encoded (%i)", async (status) => {
    answers("", { "Content-Encoding": "gzip" }, status);
    expect((await browser.read(host)).status).toBe(status);
  });

  it("is not asked for by a page either", async () => {
    service.behave = (incoming, outgoing) => outgoing.end(incoming.headers["accept-encoding"]);
    const headers = browser.headers({ "Accept-Encoding": "zstd, dcb, *" });
    expect((await ask(host.url, service.via("api", "/v1/models"), { headers })).body).toBe("gzip, deflate, br");
  });
});
