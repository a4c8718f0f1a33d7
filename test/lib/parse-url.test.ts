import { expect, it } from "vitest";
import { parseUrl } from "#lib/parse-url.ts";

it.each([
  ["https://example.com/cat.png", undefined, "https://example.com/cat.png"],
  ["/cat", "https://example.com/a/b", "https://example.com/cat"],
  ["cat", undefined, undefined],
  ["https://", undefined, undefined],
])("reads %j at %j as %j", (text, base, address) => {
  expect(parseUrl(text, base)?.href).toBe(address);
});

it("reads an address with an umlaut however often it has read others", () => {
  const [plain, umlaut] = JSON.parse('["https://example.com/cat.png", "https://bücher.example/Katze 1.png"]');
  let read = 0;
  for (let round = 0; round < 20_000; round += 1) if (parseUrl(plain) && parseUrl(umlaut)) read += 1;
  expect(read).toBe(20_000);
});
