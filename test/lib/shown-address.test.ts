import { describe, expect, it } from "vitest";
import { findSomeKey, isSecretName } from "#lib/secret-words.ts";
import { shownAddress, strikeAddresses, strikeInJson } from "#lib/shown-address.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

const KEY = "sk-0a1B2c3D4e5F6g7H8i9J0";

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
    `my key is ${KEY}`,
    `{"a":"${KEY}"}`,
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

describe("an address for showing", () => {
  it.each([
    ["https://a.example/x?token=abc&size=2", "https://a.example/x?token=[removed]&size=2"],
    ["https://user:pw@a.example/x", "https://a.example/x"],
    ["https://a.example/key/12345678/x", "https://a.example/key/[removed]/x"],
    [`https://a.example/${KEY}/x`, "https://a.example/[removed]/x"],
    [`https://a.example/x?q=${KEY}`, "https://a.example/x?q=[removed]"],
    ["https://a.example/x#access_token=abc", "https://a.example/x#access_token=[removed]"],
    ["https://a.example/x#/a?auth=abc", "https://a.example/x#/a?auth=[removed]"],
    [
      "https://a.example/x?apikey[]=abc&apikey%5B%5D=abc",
      "https://a.example/x?apikey[]=[removed]&apikey%5B%5D=[removed]",
    ],
    [
      "https://s3.example/x?X-Amz-Signature=ab&X-Amz-Expires=9",
      "https://s3.example/x?X-Amz-Signature=[removed]&X-Amz-Expires=[removed]",
    ],
    [
      "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fkey%3Dabc",
      "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fkey%3D%5Bremoved%5D",
    ],
  ])("%s is shown as %s", (address, shown) => {
    expect(shownAddress(address)).toBe(shown);
    expect(strikeAddresses(`see ${address} there`)).toBe(`see ${shown} there`);
  });

  it.each([
    "https://a.example/key-frames/12?size=2#top",
    "https://a.example/b%20c?d=e+f&g",
    "no address",
    "https://a.example/req_01HZX3V9K2M4N6P8Q0R2S4T6V8/0.png",
    "data:image/png;base64,AAAA",
  ])("%s stays to the letter", (address) => expect(shownAddress(address)).toBe(address));

  it("never shows the value of a key, however it is written", () => {
    const name = fc.constantFrom("key", "auth", "api_key", "apikey[]", "X-Auth-Token", "secret", "%6bey");
    const place = fc.constantFrom("?", "?a=1&", "#", "#a=1&", "#/b?");
    fc.assert(
      fc.property(fc.webUrl(), place, name, fc.stringMatching(/^CANARY[\w.~%-]{0,20}$/), (url, mark, key, value) => {
        expect(shownAddress(`${url}${mark}${key}=${value}`)).not.toContain("CANARY");
      }),
      { numRuns: cases(25, 250) },
    );
  });

  it("strikes the addresses in a JSON value", () => {
    expect(strikeInJson({ a: ["https://a.example/?sig=x"], b: 2, c: null })).toEqual({
      a: ["https://a.example/?sig=[removed]"],
      b: 2,
      c: null,
    });
  });
});
