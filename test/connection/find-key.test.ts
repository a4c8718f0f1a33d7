import "../setup/page-stand-in.ts";
import { describe, expect, it, vi } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { refuseKeyInBody } from "#connection/client.ts";
import { connect } from "#connection/connection-store.ts";
import { allowKey, findKey, keyFindingSentence, keySentence, redactOwnKey } from "#connection/find-key.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";

const KEY = "canary-9f8e7d6c5b4a39281706";
const SHAPE = shapeOfKey(KEY);
const OTHER = "sk-0a1B2c3D4e5F6g7H8i9J0";

describe("a key in what is about to be sent", () => {
  it("is the current connection's own, or what the person has not allowed yet", async () => {
    await connect({ queueBaseUrl: "https://q.example", inferenceBaseUrl: "https://t.example", key: KEY });
    allowKey({ kind: "own" });
    expect(findKey({ prompt: `a ${KEY}` })).toEqual({ kind: "own" });
    expect(keySentence("A fox in the snow, 35mm, f/1.8")).toBeUndefined();
    expect(redactOwnKey({ name: `a ${KEY}` })).toEqual({ name: "a [key]" });
    const finding = findKey({ prompt: `key: ${OTHER}` });
    expect(finding).toEqual({ kind: "similar", found: OTHER });
    if (finding) allowKey(finding);
    expect(findKey({ prompt: `key: ${OTHER}` })).toBeUndefined();
    expect(findKey(`${OTHER} and ${KEY}`)).toEqual({ kind: "own" });
  });

  it("is never repeated in the words about it", () => {
    expect(keyFindingSentence({ kind: "own" })).toBe(
      "This text contains your API key. Nothing was sent. Remove the key and try again.",
    );
    expect(keyFindingSentence({ kind: "similar", found: OTHER })).not.toContain(OTHER);
  });
});

describe("a request whose body holds the key", () => {
  const bodies: [string, () => BodyInit][] = [
    ["a text", () => JSON.stringify({ payload: { prompt: KEY } })],
    ["a text with a line end in it", () => JSON.stringify({ prompt: `${KEY.slice(0, 9)}\n${KEY.slice(9)}` })],
    ["a stream", () => new Blob([JSON.stringify({ payload: { prompt: KEY } })]).stream()],
  ];

  it.each(bodies)("as %s is not sent", async (_, body) => {
    const send = vi.fn<typeof fetch>();
    await expect(refuseKeyInBody(send, SHAPE)("/x", { method: "POST", body: body() })).rejects.toThrow(RefusedError);
    expect(send).not.toHaveBeenCalled();
  });

  it("without it is sent once, to the letter", async () => {
    const texts: string[] = [];
    const send: typeof fetch = async (_, init) => {
      texts.push(await new Response(init?.body).text());
      return new Response();
    };
    const guarded = refuseKeyInBody(send, SHAPE);
    await guarded("/x", { method: "POST", body: '{"a":1}' });
    await guarded("/x", { method: "POST", body: new Blob(['{"a":2}']).stream() });
    expect(texts).toEqual(['{"a":1}', '{"a":2}']);
  });
});
