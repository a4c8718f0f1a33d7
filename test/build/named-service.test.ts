import { describe, expect, it } from "vitest";
import { readNamedService } from "../../.build/named-service.ts";

describe("SAFELIGHT_SERVICE", () => {
  it.each([
    [undefined, []],
    ["  ", []],
    ["https://api.example.com https://cdn.example.com/", ["https://api.example.com", "https://cdn.example.com"]],
    ["https://API.example.com:443\nhttps://api.example.com", ["https://api.example.com"]],
    ["http://127.0.0.1:8080 http://localhost:1", ["http://127.0.0.1:8080", "http://localhost:1"]],
  ])("%j names %j", (text, origins) => {
    expect(readNamedService(text)).toEqual(origins);
  });

  // What stands here becomes a part of the content policy.
  it.each([
    "*",
    "https:",
    "https://*",
    "https://*.example.com",
    "api.example.com",
    "http://api.example.com",
    "http://10.0.0.5",
    "http://[::1]:2",
    "ftp://api.example.com",
    "https://api.example.com/v1",
    "https://api.example.com?x=1",
    "https://user:secret@api.example.com",
    "'unsafe-inline'",
    "https://api.example.com; script-src *",
    "data:",
  ])("refuses %j with a sentence", (text) => {
    expect(() => readNamedService(text)).toThrow(/^SAFELIGHT_SERVICE contains .*It must contain origins such as/);
    expect(() => readNamedService(text)).not.toThrow(/secret/);
  });
});
