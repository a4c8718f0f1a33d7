import { describe, expect, it } from "vitest";
import {
  createByteRedactor,
  createKeyFilter,
  createTextRedactor,
  redactAddresses,
  redactAddressesIn,
  redactKey,
  redactValue,
  withoutPrivate,
} from "#lib/redact-secret.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import { cases } from "../setup/cases.ts";
import fc from "../setup/fc.ts";

/** A key as the page knows it: by its shape. */
const OWN = "sk-live-3f9c81d27b6e4a50";
const SHAPE = shapeOfKey(OWN);
/** A key as its holder knows it, with signs that are escaped in texts. */
const KEY = "sk/live+3f9c81d2";
/** Some service's. */
const OTHER = "sk-0a1B2c3D4e5F6g7H8i9J0";

/** The text, given to a filter in parts that end at the cuts. */
function filtered(text: string, cuts: number[]): string {
  const filter = createKeyFilter(SHAPE);
  let from = 0;
  let shown = "";
  for (const cut of [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    shown += filter.push(text.slice(from, cut));
    from = cut;
  }
  return shown + filter.end();
}

describe("a text with the key in it, by its shape", () => {
  const around = fc.array(fc.constantFrom("sk-live-", "sk-live", "a", " ", "\n", OWN.slice(0, 12), "é", "🎈"), {
    maxLength: 6,
  });

  it("loses the key, and nothing else, wherever it is cut", () => {
    fc.assert(
      fc.property(around, around, fc.array(fc.nat(200), { maxLength: 12 }), (before, after, cuts) => {
        const [start, rest] = [before.join(""), after.join("")];
        const expected = `${start}[key]${rest}`;
        const shown = filtered(`${start}${OWN}${rest}`, cuts);
        // The first seven characters of the key may have been shown before it could be known.
        const leaks = Array.from({ length: 8 }, (_, length) => `${start}${OWN.slice(0, length)}[key]${rest}`);
        expect([expected, ...leaks]).toContain(shown);
        expect(shown).not.toContain(OWN);
      }),
    );
  });

  it("is given out at once where nothing looks like the key", () => {
    const filter = createKeyFilter(SHAPE);
    expect(filter.push("Hello, wor")).toBe("Hello, wor");
    expect(filter.push("ld")).toBe("ld");
    expect(filter.end()).toBe("");
  });

  it("holds back what begins as the key does, and gives it out when it goes on otherwise", () => {
    const filter = createKeyFilter(SHAPE);
    expect(filter.push(`a ${OWN.slice(0, 12)}`)).toBe("a ");
    expect(filter.push("XYZ and more than a whole key is long")).toBe(
      `${OWN.slice(0, 12)}XYZ and more than a whole key is long`,
    );
  });

  it("loses each of several keys", () => {
    expect(redactKey(`${OWN}${OWN} ${OWN}`, SHAPE)).toBe("[key][key] [key]");
  });
});

describe("a JSON value that is stored", () => {
  it("has [key] where the key was, and nothing else is changed", () => {
    const value = { document: `a ${OWN} b`, n: 1, list: [null, OWN], [OWN]: true };
    expect(redactKey(value, SHAPE)).toEqual({ document: "a [key] b", n: 1, list: [null, "[key]"], "[key]": true });
    const other = { document: "a", twice: [value, value] };
    expect(redactKey(other.document, SHAPE)).toBe("a");
    const clean = { a: ["b"] };
    expect(redactKey(clean, SHAPE)).toBe(clean);
  });

  it("has [key] in the place of the key however that is written", () => {
    const hidden = [
      encodeURIComponent(OWN).replaceAll("-", "%2D"),
      [...OWN].join("\u200b"),
      `${OWN.slice(0, 9)}\n${OWN.slice(9)}`,
      `${OWN.slice(0, 9)}%0a${OWN.slice(9)}`,
    ];
    for (const text of hidden)
      expect(redactKey({ a: `so ${text}\n🎈`, b: 1 }, SHAPE)).toEqual({ a: "so [key]\n🎈", b: 1 });
  });

  it("keeps what is no JSON, and ends in a value that is very deep", () => {
    const date = new Date(0);
    expect(redactKey({ date, key: OWN }, SHAPE)).toEqual({ date, key: "[key]" });
    let deep: unknown = OWN;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(redactKey(deep, SHAPE)).toBe(deep);
  });
});

describe("a text or a JSON value for somebody else", () => {
  it("is given without the key, however deep it lies", () => {
    const words = fc
      .tuple(fc.string({ maxLength: 6 }), fc.constantFrom(OWN, "a"), fc.string())
      .map((parts) => parts.join(""));
    const values = fc.object({ key: words, values: [words, fc.integer()], maxDepth: 5 });
    fc.assert(fc.property(values, (value) => !JSON.stringify(redactValue(value, SHAPE)).includes(OWN)));
  });

  it("is given without what follows an address, and without names before a host", () => {
    const text = `see https://me:${OWN}@x.example/a/b.png?X-Signature=${OWN}&p=1#f and Bearer ${OWN}.`;
    expect(redactValue(text)).toBe("see https://x.example/a/b.png and Bearer [key]");
  });

  it("ends where it holds itself", () => {
    const around: Record<string, unknown> = { name: "a" };
    around.self = around;
    expect(redactValue(around)).toEqual({ name: "a", self: undefined });
  });

  it("is cut, and the key that would be cut with it leaves no part", () => {
    const text = redactValue(`${"a".repeat(490)}${OWN}`, SHAPE);
    expect(text).toBe(`${"a".repeat(490)}[key]`);
  });

  it("may hold the same object twice", () => {
    const one = { a: 1 };
    expect(redactValue([one, one])).toEqual([one, one]);
  });
});

describe("an address for showing", () => {
  it.each([
    ["https://a.example/x?token=abc&size=2", "https://a.example/x?token=[removed]&size=2"],
    ["https://user:pw@a.example/x", "https://a.example/x"],
    ["https://a.example/key/12345678/x", "https://a.example/key/[removed]/x"],
    [`https://a.example/${OTHER}/x`, "https://a.example/[removed]/x"],
    [`https://a.example/x?q=${OTHER}`, "https://a.example/x?q=[removed]"],
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
    expect(redactAddresses(address)).toBe(shown);
    expect(redactAddresses(`see ${address} there`)).toBe(`see ${shown} there`);
  });

  it.each([
    ["https://a.example/x?back=%2Fcreate%3Fkey%3Dabc", "https://a.example/x?back=%2Fcreate%3Fkey%3D%5Bremoved%5D"],
    [`https://a.example/x?${OTHER}=1&b=2`, "https://a.example/x?[removed]&b=2"],
    [`https://a.example/x#${OTHER}?a=1`, "https://a.example/x#[removed]?a=1"],
    ["https://a.example/x#access_token=aa/bb/c?d&x=1", "https://a.example/x#access_token=[removed]&x=1"],
    ["https://a.example/y?h=Bearer%20aB3dE6gH+iJ9kL2mN5pQ7rS", "https://a.example/y?h=[removed]"],
    ["https://a.example/y?h=Bearer+aB3dE6gHiJ9kL2mN5pQ7rS", "https://a.example/y?h=[removed]"],
    ["https://a.example/y?h=Bearer%20aB3dE6gHiJ9kL2mN5pQ7rS%", "https://a.example/y?h=[removed]"],
    ["https://a.example/it's\"/y?key=abc", "https://a.example/it's\"/y?key=[removed]"],
    ["see 'https://a.example/it's/y?key=abc' there", "see 'https://a.example/it's/y?key=[removed]' there"],
    ["https://a.example/y?key=abc;def&q=a;b", "https://a.example/y?key=[removed]&q=a;b"],
  ])("%s hides nothing deeper within", (address, shown) => expect(redactAddresses(address)).toBe(shown));

  it.each([
    "https://a.example/key-frames/12?size=2#top",
    "https://a.example/b%20c?d=e+f&g",
    "no address",
    "https://a.example/req_01HZX3V9K2M4N6P8Q0R2S4T6V8/0.png",
    "data:image/png;base64,AAAA",
  ])("%s stays to the letter", (address) => expect(redactAddresses(address)).toBe(address));

  it("never shows the value of a key, however it is written", () => {
    const name = fc.constantFrom("key", "auth", "api_key", "apikey[]", "X-Auth-Token", "secret", "%6bey");
    const place = fc.constantFrom("?", "?a=1&", "#", "#a=1&", "#/b?");
    fc.assert(
      fc.property(fc.webUrl(), place, name, fc.stringMatching(/^CANARY[\w.~%-]{0,20}$/), (url, mark, key, value) => {
        expect(redactAddresses(`${url}${mark}${key}=${value}`)).not.toContain("CANARY");
      }),
      { numRuns: cases(25, 250) },
    );
  });

  it("is looked into where addresses stand in addresses, and is taken out where they never end", () => {
    const shown = redactAddresses(`https://a.example${"/?a=".repeat(10_000)}key`);
    expect(shown.length).toBeLessThan(200);
    expect(shown).toMatch(/removed%(25)*5D$/);
  });

  it("is found in the texts of a JSON value", () => {
    expect(redactAddressesIn({ a: ["https://a.example/?sig=x"], b: 2, c: null })).toEqual({
      a: ["https://a.example/?sig=[removed]"],
      b: 2,
      c: null,
    });
  });
});

describe("bytes with the key in them, by the key", () => {
  /** The text after a redactor, given to it in parts that end at the cuts. */
  function redacted(text: string, cuts: number[], key = KEY): string {
    const bytes = new TextEncoder().encode(text);
    const redactor = createByteRedactor(key);
    const decoder = new TextDecoder();
    let passed = "";
    let from = 0;
    for (const cut of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
      passed += decoder.decode(redactor.push(bytes.subarray(from, cut)), { stream: true });
      from = cut;
    }
    return passed + decoder.decode(redactor.end());
  }

  const hexOf = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0"));
  const cuts = fc.array(fc.nat(300), { maxLength: 10 });

  it("takes the key out of bytes, wherever they are cut, and leaves the rest", () => {
    const spellings = [
      KEY,
      "sk\\/live+3f9c81d2",
      encodeURIComponent(KEY),
      encodeURIComponent(KEY).toLowerCase(),
      encodeURIComponent(encodeURIComponent(KEY)),
      hexOf(KEY)
        .map((code) => `%${code}`)
        .join(""),
      hexOf(KEY)
        .map((code) => `\\u00${code}`)
        .join(""),
      hexOf(KEY)
        .map((code) => `&#x${code};`)
        .join(""),
      hexOf(KEY).join(""),
      btoa(KEY),
    ];
    const part = fc.constantFrom(...spellings, "sk/live+", "sk", "%", "é🎈", " ", '"');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), cuts, (parts, cuts) => {
        const expected = parts.map((text) => (spellings.includes(text) ? "[key]" : text)).join("");
        expect(redacted(parts.join(""), cuts)).toBe(expected);
      }),
    );
  });

  it("finds the key where each character is escaped in a way of its own", () => {
    const escaped = fc.tuple(
      ...Array.from(KEY, (letter) => {
        const code = letter.charCodeAt(0).toString(16);
        return fc.constantFrom(
          letter,
          `%${code}`,
          `%${code.toUpperCase()}`,
          `\\u00${code}`,
          `&#${letter.charCodeAt(0)};`,
        );
      }),
    );
    fc.assert(
      fc.property(escaped, cuts, (letters, cuts) => {
        expect(redacted(`<${letters.join("")}>`, cuts)).toBe("<[key]>");
      }),
    );
  });

  it("leaves next to nothing of the key in base64 of a longer text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary-ascii", maxLength: 9 }),
        fc.string({ maxLength: 9 }),
        cuts,
        (a, b, cuts) => {
          const around = new TextEncoder().encode(`${a}${KEY}${b}`);
          const shown = redacted(Buffer.from(around).toString("base64"), cuts);
          expect(shown).toContain("[key]");
          for (const piece of shown.split("[key]")) {
            const read = Buffer.from(piece, "base64").toString("latin1");
            for (let at = 0; at + 4 <= KEY.length; at += 1) expect(read).not.toContain(KEY.slice(at, at + 4));
          }
        },
      ),
    );
  });

  it("passes bytes on untouched where there is no key", () => {
    const bytes = new Uint8Array([1, 2, 255, 0, 115]);
    expect(createByteRedactor("another-key").push(bytes)).toBe(bytes);
  });

  it("reads a text of nothing but beginnings of the key once", () => {
    const text = KEY.slice(0, 4).repeat(2_000);
    let reads = 0;
    const bytes = new Proxy(new TextEncoder().encode(text), {
      get(target, name) {
        if (typeof name === "string" && /^\d+$/.test(name)) reads += 1;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    createByteRedactor(KEY).push(bytes);
    expect(reads).toBeLessThan(40 * text.length);
  });

  it("leaves words alone that are too short for a key", () => {
    expect(createTextRedactor("short")("a short one")).toBe("a short one");
    expect(createTextRedactor(KEY)(`a "${KEY}" here`)).toBe('a "[key]" here');
  });
});

describe("settings for somebody else", () => {
  it("never hold the key, inline files, or files stored from this device", () => {
    const own = "https://storage.example/inputs/1.png";
    const { payload, leftOut } = withoutPrivate(
      {
        prompt: "A lamp",
        note: "my key is sk-secret-0123456789",
        image: own,
        images: [own, "https://elsewhere.example/2.png"],
        only: [own],
        empty: [],
        nested: { mask: "data:image/png;base64,AAAA", keep: 1, local: "blob:http://localhost/1" },
      },
      { keyShape: shapeOfKey("sk-secret-0123456789"), ownAddresses: new Set([own]) },
    );
    expect(payload).toEqual({
      prompt: "A lamp",
      images: ["https://elsewhere.example/2.png"],
      empty: [],
      nested: { keep: 1 },
    });
    expect(leftOut).toBe(6);
  });

  it("never have a secret in a name or within a text", () => {
    const own = "https://storage.example/inputs/1.png";
    const privacy = { keyShape: shapeOfKey("sk-secret-0123456789"), ownAddresses: new Set([own]) };
    const payload = {
      "sk-secret-0123456789": 1,
      lines: `like ${own} \n`,
      signed: " https://files.example/a.png?X-Amz-Signature=abc\n",
      inline: " data:image/png;base64,AAAA",
      prompt: "A lamp",
    };
    expect(withoutPrivate(payload, privacy)).toEqual({ payload: { prompt: "A lamp" }, leftOut: 4 });
  });

  it("never hold another service's key, a signed address, or one that expires where that is asked for", () => {
    const open = "https://elsewhere.example/2.png";
    const privacy = { keyShape: shapeOfKey("sk-secret-0123456789"), ownAddresses: new Set<string>() };
    const payload = {
      prompt: "use sk-0a1B2c3D4e5F6g7H8i9J0",
      spaced: [..."sk-secret-0123456789"].join(" "),
      image: "https://files.example/a.png?X-Amz-Signature=abc",
      open,
    };
    expect(withoutPrivate(payload, privacy)).toEqual({ payload: { open }, leftOut: 3 });
    const isExpiring = (address: string) => address === open;
    expect(withoutPrivate(payload, { ...privacy, isExpiring })).toEqual({ payload: {}, leftOut: 4 });
  });
});
