import { describe, expect, test } from "vitest";
import { CATALOGUE } from "#app/palette/key-catalogue.ts";
import { keyProblem } from "#ui/key-press.ts";

describe("the list of keys", () => {
  test("has each command once, and no two with the same keys in one place", () => {
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    const places = new Set(CATALOGUE.flatMap((entry) => entry.places));
    for (const place of places) {
      const keyed = CATALOGUE.filter(
        (entry) => entry.keys && (entry.places.length === 0 || entry.places.includes(place)),
      );
      // Stop is Esc in both parts of Playground, which are never there at once.
      const keys = keyed.filter(({ id }) => id !== "document.stop").map((entry) => entry.keys);
      expect(
        keys.filter((one, at) => keys.indexOf(one) !== at || keys.some((two) => two.startsWith(`${one} `))),
      ).toEqual([]);
    }
  });

  test("gives no keys to a command that belong to the browser or to editing", () => {
    const own = CATALOGUE.filter(({ keys }) => keys !== "" && /browser|edit/.test(keyProblem(keys) ?? ""));
    expect(own).toEqual([]);
  });
});
