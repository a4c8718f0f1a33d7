import { describe, expect, it } from "vitest";
import { MAX_NAME_BYTES, mediaFileName, safeFileName, uniqueNames } from "#media/download/file-name.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const job = {
  requestId: "7f2a-c91d",
  model: "seedream-5.0-lite",
  payload: { prompt: "A lighthouse at dusk", seed: 42 },
  createdAtSeconds: new Date(2026, 10, 20, 14, 5, 9).getTime() / 1000,
};

describe("the name of a downloaded file", () => {
  it("says model, date, place in the job and the real extension", () => {
    expect(mediaFileName({ job, index: 1, extension: "png" })).toBe("seedream-5.0-lite-2026-11-20-2.png");
  });

  it("follows a template, and cuts a value to the length it sets", () => {
    const template = "{date} {time} {prompt:12} {seed} {index} {id}";
    expect(mediaFileName({ job, index: 0, extension: "mp4", template })).toBe(
      "2026-11-20 14.05.09 A lighthouse 42 1 7f2a-c91d.mp4",
    );
  });

  it("uses today when the job has no time, and leaves unknown tokens", () => {
    const bare = { requestId: "x", model: undefined, payload: undefined, createdAtSeconds: undefined };
    const nowMs = new Date(2026, 0, 2).getTime();
    expect(mediaFileName({ job: bare, index: 0, extension: "wav", nowMs })).toBe("unknown model-2026-01-02-1.wav");
    expect(mediaFileName({ job: bare, index: 0, extension: "wav", nowMs, template: "{toString} {prompt}" })).toBe(
      "{toString}.wav",
    );
  });

  it.each([
    ["../../etc/passwd", "etc-passwd.png"],
    ["..\\..\\boot.ini", "boot.ini.png"],
    ["invoice\u202Egpj.exe", "invoice-gpj.exe.png"],
    ["a\u0000b\nc", "a-b-c.png"],
    ["CON", "_CON.png"],
    ["com1.tar", "_com1.tar.png"],
    ["lpt\u00b2", "_lpt\u00b2.png"],
    ["", "media.png"],
    [" .. ", "media.png"],
    ["\ud800", "media.png"],
    ["--rf", "rf.png"],
  ])("makes %j safe: %s", (text, name) => {
    expect(safeFileName(text, "png")).toBe(name);
  });

  it("ignores an extension with anything but letters and digits", () => {
    expect(safeFileName("a", "png/../../sh")).toBe("a.pngsh");
    expect(safeFileName("a", "")).toBe("a.bin");
  });

  it("is safe and unique for many hostile names", () => {
    const numRuns = cases(2000, 200_000);
    const hostile = fc.oneof(
      fc.constantFrom(
        "",
        ".",
        "..",
        "../..",
        "CON",
        "nul.txt",
        "LPT9",
        "~",
        "-",
        " ",
        "a",
        "A",
        "\u00e9",
        "e\u0301",
        "\u202e",
        "\ufeff",
      ),
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom("/", "\\", ".", ":", "\u0000", "\u0085", "\u2028", "\u200f", "a", "\ud83d", "\ude00"),
      }),
      fc.string({ unit: "grapheme", minLength: 150, maxLength: 300 }),
    );
    const unique = uniqueNames();
    const seen = new Set<string>();
    const encoder = new TextEncoder();
    for (const text of fc.sample(hostile, { numRuns, seed: 7 })) {
      const name = unique(safeFileName(text, "png"));
      const problem = problemWith(name, encoder);
      if (problem) expect.fail(`${JSON.stringify(text)} gave ${JSON.stringify(name)}: ${problem}`);
      seen.add(name.normalize("NFC").toLowerCase());
    }
    expect(seen.size).toBe(numRuns);
  });
});

function problemWith(name: string, encoder: TextEncoder): string | undefined {
  if (/[/\\<>:"|?*]/.test(name)) return "a separator or a refused character";
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)) return "a control or a bidi character";
  if (name.includes("..")) return "two dots";
  if (/^[.\s-]|[.\s]$/.test(name)) return "an edge that systems drop";
  if (!/^.+\.png$/u.test(name)) return "no name or no extension";
  if (/^(con|prn|aux|nul|com\d|lpt\d)\./i.test(name)) return "a device";
  return encoder.encode(name).length > MAX_NAME_BYTES ? "too long" : undefined;
}
