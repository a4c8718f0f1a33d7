import { describe, expect, it } from "vitest";
import { safeMediaUrl } from "#media/fetch-media.ts";

const origin = "http://127.0.0.1:4173";

describe("which addresses a page may load as media", () => {
  it.each([
    "https://storage.example/a/b.png",
    "http://127.0.0.1:4173/sandbox/media/1.png",
    "http://localhost:8080/a.png",
    "data:image/png;base64,iVBOR",
    `blob:${origin}/3f`,
  ])("loads %s", (url) => {
    expect(safeMediaUrl(url, origin)).toBe(url);
  });

  it("reads an address without a host as one of its own origin", () => {
    expect(safeMediaUrl("/sandbox/media/1.png", origin)).toBe(`${origin}/sandbox/media/1.png`);
  });

  it.each([
    "javascript:alert(1)",
    "\tjava\nscript:alert(1)",
    "vbscript:x",
    "data:text/html,<script>",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "blob:https://elsewhere.example/1",
    "http://elsewhere.example/1.png",
    "https://user:pass@storage.example/1.png",
    "file:///etc/passwd",
    "https://",
  ])("treats %j as text, never as a link", (url) => {
    expect(safeMediaUrl(url, origin)).toBeUndefined();
  });
});
