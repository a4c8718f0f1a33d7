import { describe, expect, it } from "vitest";
import { withoutPrivate } from "#lib/public-json.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";

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
