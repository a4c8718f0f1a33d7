import { describe, expect, it, vi } from "vitest";
import { RefusedError } from "#api/api-error.ts";
import { allowKey, findKey, keyFindingSentence, refuseKeyInBody, withoutOwnKey } from "#connection/key-in-text.ts";
import { shapeOfKey } from "#lib/key-shape.ts";
import fc from "../setup/fc.ts";

const KEY = "canary-9f8e7d6c5b4a39281706";
const SHAPE = shapeOfKey(KEY);
const OTHER = "sk-0a1B2c3D4e5F6g7H8i9J0";

describe("a key in what is about to be sent", () => {
  it.each([
    KEY,
    `please use ${KEY} for it`,
    `{"token":"${KEY}"}`,
    encodeURIComponent(KEY).replaceAll("-", "%2D"),
    `${KEY.slice(0, 12)}\n${KEY.slice(12)}`,
    [...KEY].join("\u200b"),
  ])("is found in %j", (text) => {
    expect(findKey(text, SHAPE)).toEqual({ kind: "own" });
    expect(findKey({ prompt: "a", more: [{ deep: text }] }, SHAPE)).toEqual({ kind: "own" });
    expect(findKey({ [text]: 1 }, SHAPE)).toEqual({ kind: "own" });
  });

  it("is found wherever it stands in a JSON value, and allowed never", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
        const text = `${before}${KEY}${after}`;
        allowKey({ kind: "own" });
        expect(findKey([value, { a: [text] }], SHAPE)).toEqual({ kind: "own" });
      }),
    );
  });

  it("of another service is found until the person allows it", () => {
    const finding = findKey({ prompt: `key: ${OTHER}` }, SHAPE);
    expect(finding).toEqual({ kind: "similar", found: OTHER });
    if (finding) allowKey(finding);
    expect(findKey({ prompt: `key: ${OTHER}` }, SHAPE)).toBeUndefined();
    expect(findKey(`${OTHER} and ${KEY}`, SHAPE)).toEqual({ kind: "own" });
  });

  it("is not seen in usual prompts and addresses", () => {
    for (const text of [
      "A fox in the snow, 35mm, f/1.8",
      `https://files.example/${OTHER.toUpperCase()}.png`,
      "sk-etch of a task",
    ])
      expect(findKey(text, SHAPE)).toBeUndefined();
  });

  it("is struck out of what is stored, and nothing else is changed", () => {
    const value = { document: `a ${KEY} b`, n: 1, list: [null, KEY] };
    expect(withoutOwnKey(value, SHAPE)).toEqual({ document: "a [key] b", n: 1, list: [null, "[key]"] });
    const other = { document: "a" };
    expect(withoutOwnKey(other, SHAPE)).toBe(other);
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
