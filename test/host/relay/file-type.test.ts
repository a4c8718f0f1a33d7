import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ask, FROM_PAGE, startRelay, startUpstream, type Upstream } from "./relay-world.ts";

let upstream: Upstream;
let host: Awaited<ReturnType<typeof startRelay>>;
let behave: (incoming: IncomingMessage, outgoing: ServerResponse) => void;

beforeEach(async () => {
  upstream = await startUpstream((incoming, outgoing) => behave(incoming, outgoing));
  host = await startRelay(upstream.origin);
  onTestFinished(async () => {
    await host.close();
    await upstream.close();
  });
});

const read = (path: string) =>
  fetch(`${host.url}${upstream.via("media", path)}`, { headers: { ...FROM_PAGE, Origin: host.url } });

describe("what a stored file is served as", () => {
  // H15
  const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  const MP4 = Buffer.from("\0\0\0\x18ftypisom", "latin1");
  it.each([
    ["image/png", "<svg onload=alert(1)>", "application/octet-stream"],
    ["image/svg+xml; charset=utf-8", "<svg onload=alert(1)>", "application/octet-stream"],
    ["text/html", "<!doctype html>", "application/octet-stream"],
    ["video/mp4", "", "application/octet-stream"],
    [undefined, "words", "application/octet-stream"],
    ["text/html", PNG, "image/png"],
    ["image/png, text/html", MP4, "video/mp4"],
    ["application/octet-stream", MP4, "video/mp4"],
    [undefined, "ID3\x04", "audio/mpeg"],
  ])("serves a stored file that is declared %s by its first bytes (%#)", async (declared, body, served) => {
    behave = (_incoming, outgoing) => {
      outgoing.writeHead(200, declared === undefined ? {} : { "Content-Type": declared });
      outgoing.end(body);
    };
    const answer = await ask(host.url, upstream.via("media", "/a.png"));
    expect(answer.headers["content-type"]).toBe(served);
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    const bytes = await (await read("/a.png")).arrayBuffer();
    expect(Buffer.from(bytes)).toEqual(Buffer.from(body));
  });

  it("looks at first bytes that come one by one", async () => {
    behave = async (_incoming, outgoing) => {
      outgoing.writeHead(200, { "Content-Type": "text/html" });
      for (const byte of PNG) await new Promise<void>((resolve) => outgoing.write(Buffer.of(byte), () => resolve()));
      outgoing.end("and the rest");
    };
    const answer = await read("/a");
    expect(answer.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.concat([PNG, Buffer.from("and the rest")]));
  });

  it.each([
    ["video/mp4", "video/mp4"],
    ["image/svg+xml", "application/octet-stream"],
    ["text/html", "application/octet-stream"],
  ])("takes the storage's word %s for a later part of a file only where it cannot run", async (declared, served) => {
    behave = (_incoming, outgoing) => {
      outgoing.writeHead(206, { "Content-Type": declared, "Content-Range": "bytes 3-4/9" });
      outgoing.end("ab");
    };
    const { headers } = await ask(host.url, upstream.via("media", "/clip"), { headers: { Range: "bytes=3-4" } });
    expect(headers["content-type"]).toBe(served);
    const unasked = await ask(host.url, upstream.via("media", "/clip"));
    expect(unasked.headers["content-type"]).toBe("application/octet-stream");
  });
});
