import { afterEach, describe, expect, it, vi } from "vitest";
import { checkPassphrase } from "#connection/check-connection.ts";
import { canSeal, openSealed, sealKey } from "#connection/custody/sealed-key.ts";
import { waitAfter } from "#connection/custody/worker-messages.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

const CONTENT = {
  key: "sk-canary-0123456789abcdef",
  queueBaseUrl: "https://api.example.com/api/v1/queue",
  inferenceBaseUrl: "https://api.example.com",
  name: "Team A",
};
const PASSPHRASE = "four words of mine";
// Each opening costs 600,000 rounds.
const RUNS = { numRuns: cases(2, 40) };

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("a sealed key", () => {
  it("opens with its passphrase to what was sealed, whatever it was", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 60 });
    const content = fc.record({ key: text, queueBaseUrl: text, inferenceBaseUrl: text, name: text });
    await fc.assert(
      fc.asyncProperty(content, text, async (sealable, passphrase) => {
        expect(await openSealed(await sealKey(sealable, passphrase), passphrase)).toEqual(sealable);
      }),
      RUNS,
    );
  });

  // K15.
  it("opens neither with another passphrase nor after any change", async () => {
    const sealed = await sealKey(CONTENT, PASSPHRASE);
    const changed = fc.nat(sealed.length - 1).chain((at) => {
      const others = [..."Aa09.-_v"].filter((character) => character !== sealed[at]);
      return fc.constantFrom(...others).map((character) => sealed.slice(0, at) + character + sealed.slice(at + 1));
    });
    await fc.assert(
      fc.asyncProperty(changed, async (text) => {
        // The last character of a text in Base64 may hold bits that no byte needs.
        fc.pre(text.slice(0, -1) !== sealed.slice(0, -1));
        expect(await openSealed(text, PASSPHRASE)).toBeUndefined();
      }),
      RUNS,
    );
    for (const wrong of ["", "four words of mines", "Four words of mine", `${PASSPHRASE} `]) {
      expect(await openSealed(sealed, wrong)).toBeUndefined();
    }
    expect(await openSealed(sealed.slice(0, -1), PASSPHRASE)).toBeUndefined();
  });

  it.each(["", "v1", "v2.600000.a.b.c", "v1.1.AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA"])(
    "opens nothing that is none: %j",
    async (text) => {
      expect(await openSealed(text, PASSPHRASE)).toBeUndefined();
    },
  );

  it("asks for no fewer rounds than it was sealed with, and for no hours of them", async () => {
    const [version, rounds, ...rest] = (await sealKey(CONTENT, PASSPHRASE)).split(".");
    expect([version, Number(rounds) >= 600_000]).toEqual(["v1", true]);
    const derive = vi.spyOn(crypto.subtle, "deriveKey");
    for (const other of ["1000", "99999999"]) {
      expect(await openSealed([version, other, ...rest].join("."), PASSPHRASE)).toBeUndefined();
    }
    expect(derive).not.toHaveBeenCalled();
  });

  it("holds neither the key nor an address in clear, and hides the key's length", async () => {
    const short = await sealKey({ ...CONTENT, key: "sk-1234567890" }, PASSPHRASE);
    const long = await sealKey({ ...CONTENT, key: "sk-1234567890".repeat(8) }, PASSPHRASE);
    expect(short.length).toBe(long.length);
    for (const text of [short, bytesOf(short).toString("latin1")]) expect(text).not.toMatch(/sk-1|example|Team/);
    expect(await sealKey(CONTENT, PASSPHRASE)).not.toBe(await sealKey(CONTENT, PASSPHRASE));
  });

  it("takes the same passphrase from another keyboard", async () => {
    const sealed = await sealKey(CONTENT, "Pässwörter é");
    expect(await openSealed(sealed, "Pässwörter é".normalize("NFD"))).toEqual(CONTENT);
  });

  it("is not offered without WebCrypto", () => {
    expect(canSeal()).toBe(true);
    vi.stubGlobal("crypto", {});
    expect(canSeal()).toBe(false);
  });
});

it("lets two tries pass, and makes each further one wait longer, up to an hour", () => {
  expect([0, 1, 2, 3, 4, 5].map(waitAfter)).toEqual([0, 0, 0, 5_000, 10_000, 20_000]);
  fc.assert(
    fc.property(fc.nat(10_000), (wrong) => {
      expect(waitAfter(wrong + 1)).toBeGreaterThanOrEqual(waitAfter(wrong));
      expect(waitAfter(wrong)).toBeLessThanOrEqual(3_600_000);
    }),
  );
});

it.each([
  ["", /^Enter a passphrase\.$/],
  ["short one", /at least 12 characters.*without delay/],
  ["aaaaaaaaaaaaaaaaaa", /different characters/],
])("says what is wrong with the passphrase %j", (passphrase, problem) => {
  expect(checkPassphrase(passphrase)).toMatch(problem);
});

it("takes four words as a passphrase", () => {
  expect(checkPassphrase("correct horse battery staple")).toBeUndefined();
});

function bytesOf(text: string): Buffer {
  return Buffer.from(text.split(".").at(-1) ?? "", "base64url");
}
