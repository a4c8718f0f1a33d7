import { describe, expect, it } from "vitest";
import { adviseQueueAddress, checkAddress, checkKey, normalizeAddress } from "#connection/check-connection.ts";
import fc from "../setup/fc.ts";

describe("an address of the service", () => {
  it.each([
    "https://queue.example/api/v1/queue",
    "http://127.0.0.1:4173/sandbox/api/v1/queue",
    "/sandbox/api/v1/queue",
    "  https://queue.example/api/v1/queue/  ",
  ])("may be %j", (address) => {
    expect(checkAddress(address)).toBeUndefined();
  });

  it.each([
    ["", "Enter the URL."],
    ["queue.example/api", "Start the URL with https://."],
    ["//queue.example", "Start the URL with https://."],
    ["https://", "This URL is incomplete."],
    ["ftp://queue.example", "Only https:// and http:// URLs work."],
    ["javascript://x", "Only https:// and http:// URLs work."],
    ["https://user:pass@queue.example", "Remove the user name and password from the URL."],
    ["https://queue.example?key=1", "Remove the part that starts with ? or #."],
    ["https://queue example", "Remove the spaces from the URL."],
  ])("may not be %j, with a reason", (address, problem) => {
    expect(checkAddress(address)).toBe(problem);
  });

  it("is used without outer spaces and without a final slash", () => {
    expect(normalizeAddress(" https://a.example/api// ")).toBe("https://a.example/api");
  });

  // Spec 9.
  it("of a queue gives a warning when its path is undocumented", () => {
    expect(adviseQueueAddress("https://a.example/api/v1/queue/")).toBeUndefined();
    expect(adviseQueueAddress("https://a.example")).toContain("/api/v1/queue");
  });

  it("is checked without throwing for any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const problem = checkAddress(text);
        if (problem === undefined) expect(() => new URL(text.trim(), "http://localhost")).not.toThrow();
      }),
    );
  });
});

describe("a key", () => {
  it("is any visible ASCII, without its outer spaces", () => {
    expect(checkKey("sk-1234.abc_DEF~=+/")).toBeUndefined();
    expect(checkKey("  sandbox-key\n")).toBeUndefined();
  });

  it.each(["", "   ", "two words", "line\nbreak", "кey-with-cyrillic", "a".repeat(1001)])("is not %j", (key) => {
    expect(checkKey(key)).toMatch(/\.$/);
  });

  it("is never repeated in a message about it", () => {
    expect(checkKey("secret value")).not.toContain("secret");
  });
});
