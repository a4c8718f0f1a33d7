import { describe, expect, test } from "vitest";
import { ALL_COMMANDS, commandsIn, KEYED_COMMANDS } from "#app/palette/all-commands.ts";
import { type CommandInfo, PLACES, type Place } from "#ui/commands.ts";
import { isSingleKey, keyProblem } from "#ui/keys.ts";
import { readSources } from "../../setup/read-sources.ts";

const SOURCES = Object.entries(readSources("src")).filter(([path]) => !path.startsWith("src/sandbox/"));
const keysOf = ({ keys, alsoKeys }: CommandInfo) => [keys, alsoKeys].filter((one) => one !== undefined);
const idsOn = (key: string) => ALL_COMMANDS.filter((command) => keysOf(command).includes(key)).map(({ id }) => id);

describe("all commands", () => {
  test("are those of every commands.ts, each once", () => {
    const defined = SOURCES.filter(([path]) => path.endsWith("/commands.ts")).flatMap(([, text]) =>
      [...text.matchAll(/\bid: "([^"]+)"/g)].map(([, id]) => id),
    );
    expect(ALL_COMMANDS.map(({ id }) => id).toSorted()).toEqual(defined.toSorted());
    expect(new Set(defined).size).toBe(defined.length);
  });

  test("are named nowhere else, but where stored keys of older versions are read", () => {
    const ids = ALL_COMMANDS.map(({ id }) => id).filter((id) => /[.-]/.test(id));
    const others = SOURCES.filter(([path]) => !path.endsWith("/commands.ts") && path !== "src/ui/keys.ts");
    const again = others.flatMap(([path, text]) =>
      ids.filter((id) => text.includes(`"${id}"`)).map((id) => `${path}: ${id}`),
    );
    expect(again).toEqual([]);
  });
});

describe("keys", () => {
  test.each(Object.keys(PLACES) as Place[])("no two commands of %s have the same, or begin alike", (place) => {
    // Stop is Esc in both parts of Playground, which are never there at once.
    const keys = commandsIn(place)
      .filter(({ id }) => id !== "document.stop")
      .flatMap(keysOf);
    const clashes = keys.filter((one, at) => keys.indexOf(one) !== at || keys.some((two) => two.startsWith(`${one} `)));
    expect(clashes).toEqual([]);
  });

  test("one act has one key, and that key does nothing else anywhere", () => {
    const acts: Record<string, string> = {
      s: "result.star",
      x: "result.reject",
      r: "result.edit-again",
      n: "result.new-seed",
      m: "result.compare",
      delete: "result.delete",
      ",": "player.frame-back",
      ".": "player.frame-on",
    };
    for (const [key, id] of Object.entries(acts)) expect([key, idsOn(key)]).toEqual([key, [id]]);
    // The picture of a price table is downloaded, too.
    expect(idsOn("d")).toEqual(["prices.picture", "result.download"]);
    // The same act by the same name never has two keys.
    const torn = KEYED_COMMANDS.filter(({ label, keys }) =>
      KEYED_COMMANDS.some((other) => other.label === label && other.keys !== keys),
    );
    expect(torn.map(({ id }) => id)).toEqual([]);
  });

  test("one single key is one act: where two commands share it, they are the same act in two places", () => {
    const singles = new Set(KEYED_COMMANDS.flatMap(keysOf).filter(isSingleKey));
    const acts = [...singles].map((key) => [key, idsOn(key)] as const).filter(([, ids]) => ids.length > 1);
    expect(Object.fromEntries(acts)).toEqual({
      // Where one writes what to look for or to make.
      "/": ["create.prompt", "history.search", "playground.search"],
      // Two sides change places.
      c: ["sheet.swap", "prices.swap", "compare.swap"],
      d: ["prices.picture", "result.download"],
    });
  });

  test("no single key spends, and none that is held does", () => {
    const spending = ALL_COMMANDS.filter(({ spends }) => spends);
    expect(spending.map(({ id }) => id)).toContain("create.run");
    expect(spending.filter(({ keys, repeats }) => repeats || (keys !== undefined && isSingleKey(keys)))).toEqual([]);
  });

  test("none belongs to the browser or to editing", () => {
    const own = KEYED_COMMANDS.filter(({ keys }) => keys !== undefined && /browser|edit/.test(keyProblem(keys) ?? ""));
    expect(own).toEqual([]);
  });
});
