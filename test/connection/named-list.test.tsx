import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { textPresets } from "#chat/presets.ts";
import { snippets } from "#chat/snippets.ts";
import { followRows } from "#connection/follow-rows.ts";
import { allNamed, type Named, type NamedKind, namedListActs, useNamedList } from "#connection/named-list.ts";
import type { Recipe } from "#jobs/batch-rows/recipe.ts";
import { storedRecipes } from "#jobs/batch-rows/stored-recipes.ts";
import { presets } from "#models/presets.ts";
import { writeJson } from "#storage/browser-store.ts";
import { openRows } from "#storage/database.ts";
import { exportRows } from "#storage/export-rows.ts";
import { KEYS } from "#storage/keys.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

beforeEach(freshDatabase);

/** What an account has stored, of all lists of a kind. */
async function stored<T extends Named>(kind: NamedKind<T>, accountId = "a"): Promise<T[]> {
  return (await allNamed(kind, accountId)).map(({ item }) => item);
}

/** Writes a row as somebody else would, or an earlier version. */
async function writeRow(key: string, body: unknown, v = 1): Promise<void> {
  await (await openRows()).edit({ store: "settings", key }, () => ({
    changes: [{ kind: "put", store: "settings", row: { key, scope: "a", v, body } }],
    result: undefined,
  }));
}

describe("a list of things under names", () => {
  const list = namedListActs(snippets, "a");

  it("saves, replaces, renames and deletes by the name, which is one line", async () => {
    await list.save({ name: " Two\nlines ", text: "One" });
    await list.save({ name: "Another", text: "Two" });
    await list.save({ name: "Two lines", text: "Three" });
    expect(await stored(snippets)).toEqual([
      { name: "Another", text: "Two" },
      { name: "Two lines", text: "Three" },
    ]);
    await list.rename("Two lines", "Another ");
    expect(await stored(snippets)).toEqual([{ name: "Another", text: "Three" }]);
    await list.remove("Another");
    expect(await stored(snippets)).toEqual([]);
    expect(await stored(snippets, "b")).toEqual([]);
  });

  it("loses none, however many are saved", async () => {
    const many = Array.from({ length: 310 }, (_, at) => ({ name: `n${at}`, text: "x" }));
    for (const snippet of many) await list.save(snippet);
    expect(await stored(snippets)).toHaveLength(many.length);
  });

  it("is in the export of the local data", async () => {
    await list.save({ name: "Brief", text: "Answer briefly." });
    expect(await (await exportRows(await openRows())).text()).toContain("Answer briefly.");
  });

  // H23
  it("leaves out what cannot be read, and keeps the rest", async () => {
    await writeRow("snippets|a", [{ name: "Brief", text: "Answer briefly." }, { name: "A" }, { text: "B" }, 7, null]);
    expect(await stored(snippets)).toEqual([{ name: "Brief", text: "Answer briefly." }]);
  });

  it("of a newer version stays as it is", async () => {
    await writeRow("snippets|a", [{ name: "Brief", text: "Answer briefly." }], 2);
    await expect(list.save({ name: "A", text: "B" })).rejects.toMatchObject({ trouble: "newer" });
    await expect(list.remove("Brief")).rejects.toMatchObject({ trouble: "newer" });
    expect(await stored(snippets)).toEqual([{ name: "Brief", text: "Answer briefly." }]);
  });

  it("belongs to one model, of which another name may begin with its own", async () => {
    const lamp = { name: "Lamp", payload: { prompt: "a lamp" } };
    await namedListActs(presets, "a", "m").save(lamp);
    await namedListActs(presets, "a", "m|2").save({ ...lamp, name: "Fog" });
    await namedListActs(presets, "a|m", "x").save({ ...lamp, name: "Rain" });
    expect((await allNamed(presets, "a")).map(({ item, part }) => [item.name, part])).toEqual([
      ["Lamp", "m"],
      ["Fog", "m|2"],
    ]);
  });
});

describe("saved recipes", () => {
  const recipe = (name: string, prompt = "fog"): Recipe => ({
    name,
    groups: [{ name, runs: [{ model: "m", payload: { prompt } }] }],
  });

  it("have the name under which they were saved, also after they were renamed", async () => {
    const list = namedListActs(storedRecipes, "a");
    await list.save({ name: "A", savedAtMs: 1, recipe: recipe("Batch") });
    expect(await stored(storedRecipes)).toEqual([
      { name: "A", savedAtMs: 1, recipe: { ...recipe("Batch"), name: "A" } },
    ]);
    await list.rename("A", "B");
    expect((await stored(storedRecipes)).map((one) => one.recipe.name)).toEqual(["B"]);
  });
});

describe("presets of the Playground", () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const calm = { name: "Calm", params: { temperature: 0 }, system: "Be calm." };

  it("that an earlier version saved for the device are there until the first change, and go on from there", async () => {
    writeJson(KEYS.textPresets, [
      { ...calm, endpoint: "messages" },
      { ...calm, name: "Other", endpoint: "responses" },
    ]);
    onTestFinished(followRows(client));
    const { result } = renderHook(() => useNamedList(textPresets, "messages"), { wrapper });
    await waitFor(() => expect(result.current.items).toEqual([calm]));
    await result.current.save({ ...calm, name: "Brief" });
    await waitFor(() => expect(result.current.items.map(({ name }) => name)).toEqual(["Brief", "Calm"]));
    await result.current.remove("Brief");
    await result.current.remove("Calm");
    await waitFor(() => expect(result.current.items).toEqual([]));
  });
});
