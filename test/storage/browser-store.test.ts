import { afterEach, describe, expect, test, vi } from "vitest";
import { readJson, readText, removeStored, writeJson, writeText } from "#storage/browser-store.ts";
import { KEYS, keyOfAccount } from "#storage/keys.ts";

function memory(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const items = new Map<string, string>();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  };
}

const refuse = () => {
  throw new DOMException("denied", "SecurityError");
};

afterEach(() => vi.unstubAllGlobals());

describe("a stored key", () => {
  test("is written to its area and read back, until it is removed", () => {
    const [local, session] = [memory(), memory()];
    vi.stubGlobal("localStorage", local);
    vi.stubGlobal("sessionStorage", session);
    const queue = keyOfAccount(KEYS.messageQueue, "a");
    expect(writeText(KEYS.theme, "dark")).toBe(true);
    expect(writeJson(queue, ["x"])).toBe(true);
    expect(local.getItem("safelight:theme")).toBe("dark");
    expect(session.getItem("safelight:chat-queue|a")).toBe('["x"]');
    expect([readText(KEYS.theme), readJson(queue)]).toEqual(["dark", ["x"]]);
    removeStored(queue);
    expect(readJson(queue)).toBeUndefined();
  });

  test("that holds no JSON reads as nothing", () => {
    vi.stubGlobal("localStorage", memory());
    writeText(KEYS.starred, "{");
    expect(readJson(KEYS.starred)).toBeUndefined();
  });

  test("that is refused reads as nothing, and says that it was not written", () => {
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
    expect(readText(KEYS.theme)).toBeNull();
    expect(writeText(KEYS.theme, "dark")).toBe(false);
    expect(() => removeStored(KEYS.theme)).not.toThrow();
  });
});

test("no stored name changes: older stores are still read", () => {
  expect(Object.values(KEYS).map(({ area, name }) => `${area} ${name}`)).toEqual([
    "local safelight.salt",
    "local safelight.addresses",
    "local safelight:theme",
    "local safelight:alerts",
    "local safelight.shortcuts",
    "local safelight.archive",
    "local safelight.name-template",
    "local safelight:rail",
    "local safelight.favourites",
    "local safelight.roles",
    "local safelight.schema-places",
    "local safelight:last-model",
    "local safelight:last-asked",
    "local safelight:text-presets",
    "local safelight.playground-docks",
    "local safelight.blind-votes",
    "local safelight.prompts",
    "local safelight.deleted-media",
    "local safelight:told-duplicates",
    "local safelight:text-habits",
    "local safelight.deleted-files|",
    "local safelight.media-hosts|",
    "local safelight.dismissed-expiry|",
    "local safelight.inactive-models|",
    "local safelight:last-chat|",
    "session safelight:chat-queue|",
    "session safelight.connection",
    "local safelight.sealed-keys",
    "local safelight.connections",
    "session safelight:chat-drafts",
    "session safelight.late-draft",
    "session safelight.unfinished-uploads",
    "session safelight:reloaded-at",
  ]);
});
