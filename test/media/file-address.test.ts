import { describe, expect, it } from "vitest";
import { fileKey, filePlace, nameInAddress } from "#media/file-address.ts";
import fc from "../setup/fc.ts";

const ID = "6fb2b474fb3a480fa142f200537c6de4";
const UUID = "6fb2b474-fb3a-480f-a142-f200537c6de4";

describe("two addresses are of one file", () => {
  it.each([
    ["signatures differ", `https://s.example/in/a.png?X-Amz-Date=1&X-Amz-Signature=2`, "https://s.example/in/a.png"],
    [
      "signatures of another storage differ",
      "https://s.example/in/a.png?sv=1&se=2026&sr=b&sig=x",
      "https://s.example/in/a.png?sv=1&se=2027&sr=b&sig=y",
    ],
    ["an id is in the path", `https://s.example/${ID}.png?v=1&download=1`, `https://s.example/${ID}.png`],
    ["a folder is an id", `https://s.example/${UUID}/0.png?width=200`, `https://s.example/${UUID}/0.png`],
    ["the scheme or the fragment differs", "http://s.example/a.png#x", "https://S.example/a.png"],
    ["parameters are in another order", "https://s.example/file?a=1&b=2", "https://s.example/file?b=2&a=1"],
  ])("where %s", (_, one, other) => {
    expect(fileKey(one)).toBeDefined();
    expect(fileKey(one)).toBe(fileKey(other));
  });

  it.each([
    ["hosts differ", "https://s.example/a.png", "https://t.example/a.png"],
    ["paths differ", `https://s.example/${ID}.png`, `https://s.example/${ID}.jpg`],
    ["the query names the file", "https://s.example/download?file=1&token=t", "https://s.example/download?file=2"],
    [
      "the query names it below an id",
      `https://s.example/${UUID}/view?file=1`,
      `https://s.example/${UUID}/view?file=2`,
    ],
    ["a picture is made of the query", "https://s.example/render.png?seed=1", "https://s.example/render.png?seed=2"],
    ["short names mean no signature", "https://s.example/a?sp=1", "https://s.example/a?sp=2"],
  ])("not where %s", (_, one, other) => {
    expect(fileKey(one)).not.toBe(fileKey(other));
  });

  it.each([
    "",
    "a.png",
    "data:image/png;base64,AA",
    "javascript:alert(1)",
    "https://",
    `https://s.example/${"a".repeat(3000)}`,
  ])("has no key: %.40s", (address) => expect(fileKey(address)).toBeUndefined());

  it("whatever the signature is, and never throws", () => {
    const signature = fc.record({ Expires: fc.nat(), Signature: fc.string(), "X-Goog-Date": fc.string() });
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), signature, (address, junk, extra) => {
        fileKey(junk);
        const signed = new URL(address);
        for (const [name, value] of Object.entries(extra)) signed.searchParams.append(name, String(value));
        expect(fileKey(signed.href)).toBe(fileKey(address));
      }),
    );
  });
});

describe("the place of a file", () => {
  it("is shared by uploads of other days and users, and by no other folder", () => {
    const place = (address: string) => filePlace(fileKey(address) ?? "");
    expect(place(`https://s.example/in/2026/11/${ID}.png`)).toBe(place(`https://s.example/in/2027/1/a.png?sig=1`));
    expect(place(`https://s.example/u/${UUID}/a.png`)).toBe(place(`https://s.example/u/${ID}/b.png`));
    expect(place("https://s.example/in/a.png")).not.toBe(place("https://s.example/out/a.png"));
    expect(place("https://s.example/a.png")).not.toBe(place("https://t.example/a.png"));
  });
});

it.each([
  ["https://s.example/in/two%20lamps.png?sig=x", "two lamps.png"],
  ["https://s.example/100%.png", "100%.png"],
  [`https://s.example/${ID}.png`, undefined],
  ["https://s.example/", undefined],
  ["data:image/png;base64,AA", undefined],
])("the name in %s is %s", (address, name) => expect(nameInAddress(address)).toBe(name));
