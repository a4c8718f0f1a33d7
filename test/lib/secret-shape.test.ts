import { describe, expect, it } from "vitest";
import { findSecret, findSomeKey, holdsKey, isSecretName, readKeyShape, shapeOfKey } from "#lib/secret-shape.ts";
import fc from "../setup/fc.ts";

const KEY = "canary-9f8e7d6c5b4a39281706";
const SHAPE = shapeOfKey(KEY);
const OTHER = "sk-0a1B2c3D4e5F6g7H8i9J0";

describe("names of keys", () => {
  it.each([
    "auth",
    "secret",
    "apikey[]",
    "apiKey",
    "X-Api-Key",
    "access_token",
    "client-secret",
    "password",
    "sig",
    "X-Amz-Signature",
  ])("%s is one", (name) => expect(isSecretName(name)).toBe(true));

  it.each(["max_tokens", "author", "keyframes", "keyword", "monkey", "design", "prompt", "size", "", "passage"])(
    "%s is none",
    (name) => expect(isSecretName(name)).toBe(false),
  );
});

describe("texts that look like a key", () => {
  it.each([
    `my key is ${OTHER}`,
    `{"a":"${OTHER}"}`,
    "Authorization: Bearer abc123DEF456ghi789jkl0",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "AKIAIOSFODNN7EXAMPL2",
    "xoxb-123456789012-abcDEF1234567",
  ])("%s does", (text) => expect(findSomeKey(text)).toBeDefined());

  it.each([
    "a sketch-like drawing, sk-etching of a task-oriented person",
    "Bearer of bad news arrives at the gates in 1922",
    "key-light-and-fill-light-setup-for-portraits",
    "token_based-authentication-explained-simply",
    "request 123e4567-e89b-12d3-a456-426614174000",
    "https://cdn.example/img_01HZX3V9K2M4N6P8Q0R2S4T6V8.png",
    "a-sk-0a1B2c3D4e5F6g7H8i9",
  ])("%s does not", (text) => expect(findSomeKey(text)).toBeUndefined());
});

describe("a key in what is about to be sent", () => {
  it.each([
    KEY,
    `please use ${KEY} for it`,
    `{"token":"${KEY}"}`,
    encodeURIComponent(KEY).replaceAll("-", "%2D"),
    `${KEY.slice(0, 12)}\n${KEY.slice(12)}`,
    [...KEY].join("\u200b"),
  ])("is found in %j", (text) => {
    expect(findSecret(text, SHAPE)).toEqual({ kind: "own" });
    expect(findSecret({ prompt: "a", more: [{ deep: text }] }, SHAPE)).toEqual({ kind: "own" });
    expect(findSecret({ [text]: 1 }, SHAPE)).toEqual({ kind: "own" });
  });

  it("is found wherever it stands in a JSON value, also where all was allowed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
        const text = `${before}${KEY}${after}`;
        expect(findSecret([value, { a: [text] }], SHAPE, new Set([text, KEY]))).toEqual({ kind: "own" });
      }),
    );
  });

  it("of another service is found unless the person allowed it", () => {
    expect(findSecret({ prompt: `key: ${OTHER}` }, SHAPE)).toEqual({ kind: "similar", found: OTHER });
    expect(findSecret({ prompt: `key: ${OTHER}` }, SHAPE, new Set([OTHER]))).toBeUndefined();
    expect(findSecret(`${OTHER} and ${KEY}`, SHAPE, new Set([OTHER]))).toEqual({ kind: "own" });
    const another = OTHER.replace("0a1B", "9z8Y");
    expect(findSecret(`${OTHER} and ${another}`, SHAPE, new Set([OTHER]))).toEqual({ kind: "similar", found: another });
  });

  it("is not seen in usual prompts and addresses", () => {
    for (const text of [
      "A fox in the snow, 35mm, f/1.8",
      `https://files.example/${OTHER.toUpperCase()}.png`,
      "sk-etch of a task",
    ])
      expect(findSecret(text, SHAPE)).toBeUndefined();
  });
});

describe("the shape of a key", () => {
  it("tells the key from one that is a character off", () => {
    expect(holdsKey(`curl -H "Authorization: Bearer ${KEY}"`, SHAPE)).toBe(true);
    expect(holdsKey(`curl -H "Authorization: Bearer ${KEY.slice(0, -1)}x"`, SHAPE)).toBe(false);
  });

  it("is read back from storage, and from nothing else", () => {
    expect(readKeyShape(JSON.parse(JSON.stringify(SHAPE)))).toEqual(SHAPE);
    for (const raw of [undefined, null, "shape", {}, { length: 20, start: 1 }, { ...SHAPE, whole: "1" }]) {
      expect(readKeyShape(raw)).toBeUndefined();
    }
  });

  it("of a key that is only a word tells its length alone, and the word is not looked for", () => {
    expect(shapeOfKey("sandbox-key")).toEqual({ length: 11, start: 0, whole: 0 });
    expect(holdsKey("the sandbox-key", shapeOfKey("sandbox-key"))).toBe(false);
  });
});
