import { describe, expect, it } from "vitest";
import { readSchema } from "#schema-form/read/read-schema.ts";
import { isLongSuite } from "../../setup/cases.ts";

const list = <T>(size: number, make: (at: number) => T): T[] => Array.from({ length: size }, (_, at) => make(at));
const record = (size: number, make: (at: number) => unknown) =>
  Object.fromEntries(list(size, (at) => [`k${at}`, make(at)]));
const text = { type: "string" };
const parameters = [{ name: "prompt", type: "string" }];

/** Answers that would cost too much or reach too far if every place of them were followed. */
const ANSWERS: Record<string, (size: number) => unknown> = {
  "objects in objects": (n) => list(n, () => 0).reduce<unknown>((inner) => ({ data: inner }), { parameters }),
  "texts in texts": () => list(12, () => 0).reduce<unknown>((inner) => JSON.stringify({ x: inner }), { parameters }),
  "many schemas": (n) => record(n / 4, (at) => ({ properties: { [`p${at}`]: text, seed: { $ref: "#/$defs/x" } } })),
  "schemas in a ring": (n) => ({
    components: {
      schemas: record(n / 8, (at) => ({
        allOf: [{ $ref: `#/components/schemas/k${(at + 1) % (n / 8)}` }, { properties: { [`p${at}`]: text } }],
      })),
    },
  }),
  "a long history beside the parameters": (n) => ({ history: list(n * 10, (id) => ({ id })), parameters }),
  "keys of prototypes": () => JSON.parse('{"__proto__":{"parameters":[]},"constructor":{"input":{"properties":{}}}}'),
};

/** How often a look is taken into an answer, at any depth. */
function looksFor(answer: unknown): number {
  let looks = 0;
  const made = new WeakMap<object, object>();
  const wrap = (inner: unknown): unknown => {
    if (typeof inner !== "object" || inner === null) return inner;
    const known = made.get(inner);
    if (known) return known;
    const proxy: object = new Proxy(inner, {
      get(target, key, receiver) {
        looks += 1;
        return wrap(Reflect.get(target, key, receiver));
      },
    });
    made.set(inner, proxy);
    return proxy;
  };
  readSchema(wrap(answer));
  return looks;
}

// H9
describe("an answer that grows", () => {
  it.each(Object.entries(ANSWERS))("%s: costs no more than in proportion", (_, make) => {
    // Twice what the dearest of them costs: 148,000 looks.
    expect(looksFor(make(4_000))).toBeLessThan(350_000);
    if (isLongSuite) expect(looksFor(make(16_000))).toBeLessThan(Math.max(looksFor(make(4_000)) * 10, 4_000_000));
    const form = readSchema(make(isLongSuite ? 20_000 : 4_000));
    if (form.fields.length === 0) expect(form.limits?.join(" ")).toMatch(/JSON/);
  });

  it("still has its form where something else in it is too long", () => {
    const form = readSchema({ history: list(50_000, (id) => ({ id })), parameters });
    expect(form.fields.map(({ key }) => key)).toEqual(["prompt"]);
  });
});

// H6
it("takes nothing from a prototype", () => {
  expect(readSchema(ANSWERS["keys of prototypes"]?.(0)).fields).toEqual([]);
  expect(({} as Record<string, unknown>).parameters).toBeUndefined();
});
