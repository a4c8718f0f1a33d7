import { describe, expect, it } from "vitest";
import { findNamed, findText, ownNamed, sameName } from "#lib/find-value.ts";

describe("a name in any spelling", () => {
  it.each(["createdAt", "created_at", "Created-At", "CREATED AT", "CreatedAt"])("%s is created_at", (name) => {
    expect(sameName(name, "created_at")).toBe(true);
    expect(ownNamed({ [name]: 1 }, "created_at")).toBe(1);
  });

  it("is another name with other letters", () => {
    expect(sameName("created", "created_at")).toBe(false);
    expect(ownNamed({ constructor: 1 }, "toString")).toBeUndefined();
    expect(ownNamed({}, "constructor")).toBeUndefined();
  });
});

describe("a field somewhere in an answer", () => {
  it("is the one nearest the top, and there the first of the names", () => {
    const answer = { data: { price: 1 }, priceInfo: 2, result: { pricing: 3 } };
    expect(findNamed(answer, ["price", "price_info"])).toEqual({ value: 2, path: ["priceInfo"] });
    expect(findNamed({ b: 1, a: 2 }, ["a", "b"])?.value).toBe(2);
  });

  it("is found in the first items of lists, with the way to it", () => {
    const answer = { versions: [{ DisplayName: "M" }] };
    expect(findNamed(answer, ["display_name"])).toEqual({ value: "M", path: ["versions", 0, "DisplayName"] });
  });

  it("is only looked for in the envelopes named, at the depth named, of the kind named", () => {
    const answer = { request: { name: "r" }, data: { attributes: { name: "m" } } };
    expect(findText(answer, ["name"], { into: ["data", "Attributes"] })).toBe("m");
    expect(findText(answer, ["name"], { into: ["data", "attributes"], depth: 1 })).toBeUndefined();
    expect(findText({ name: 7, data: { name: " " } }, ["name"])).toBeUndefined();
  });

  it("ends in answers without end", () => {
    const loop: Record<string, unknown> = {};
    loop.data = loop;
    loop.list = [loop, loop, loop];
    expect(findNamed(loop, ["price"], { depth: 1000 })).toBeUndefined();
  });
});
