import { describe, expect, it } from "vitest";
import { createMediaRows } from "#screens/create/media-rows.ts";

const rowsOf = (addresses: string[], most = 9) => {
  const told: string[][] = [];
  const rows = createMediaRows({ addresses, most, onChange: (next) => told.push(next) });
  return { rows, told, addresses: () => rows.get().map(({ address }) => address) };
};
const file = (name: string) => new File(["x"], name);

describe("the inputs of a media field", () => {
  it("start with one empty row, and tell only what is given", () => {
    const { rows, told } = rowsOf([]);
    rows.addEmpty();
    rows.set(rows.get()[1]?.id ?? 0, "https://a.example/1.png");
    expect(told).toEqual([["https://a.example/1.png"]]);
  });

  it("keep each upload in its own place, whichever ends first", () => {
    const { rows, told } = rowsOf([]);
    rows.addFiles([file("a"), file("b"), file("c")]);
    const [a, b, c] = rows.get().map(({ id }) => id);
    rows.set(c ?? 0, "c");
    rows.follow(told.at(-1) ?? []);
    rows.set(a ?? 0, "a");
    rows.follow(told.at(-1) ?? []);
    rows.set(b ?? 0, "b");
    expect(told.at(-1)).toEqual(["a", "b", "c"]);
  });

  it("take no more than the field does; a single one is replaced", () => {
    const three = rowsOf(["1"], 3);
    three.rows.addFiles([file("a"), file("b"), file("c")]);
    expect(three.rows.get().map((row) => row.file?.name)).toEqual([undefined, "a", "b"]);
    three.rows.addAddresses(["x"]);
    expect(three.told).toEqual([["1"]]);
    const one = rowsOf(["1"], 1);
    one.rows.addAddresses(["2", "3"]);
    expect(one.told).toEqual([["2"]]);
    one.rows.addFiles([file("a")]);
    expect(one.rows.get()).toMatchObject([{ address: "2", file: { name: "a" } }]);
  });

  it("move up and down within their ends, and go one by one", () => {
    const { rows, told, addresses } = rowsOf(["1", "2", "3"]);
    const [first, , last] = rows.get().map(({ id }) => id);
    rows.move(last ?? 0, -1);
    expect(told.at(-1)).toEqual(["1", "3", "2"]);
    rows.move(first ?? 0, -1);
    expect(addresses()).toEqual(["1", "3", "2"]);
    for (const { id } of rows.get()) rows.remove(id);
    expect(addresses()).toEqual([""]);
  });

  it("follow a value that was set from outside, such as by a draft", () => {
    const { rows, told, addresses } = rowsOf(["1", "2"]);
    const [, second] = rows.get();
    rows.follow(["2", "4"]);
    expect(addresses()).toEqual(["2", "4"]);
    expect(rows.get()[0]).toBe(second);
    expect(told).toEqual([]);
  });
});
