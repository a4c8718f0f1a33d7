import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Template } from "#batch/rows/read-recipe.ts";
import { storedTemplates } from "#batch/rows/recipe.ts";
import { allNamed, type NamedKind, namedListActs, useNamedList } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { asList } from "#lib/read.ts";
import { presets } from "#models/presets.ts";
import { useTextPresets } from "#playground/parameters/preset-fields.tsx";
import { snippets } from "#playground/snippets/snippets.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { openRows } from "#storage/database.ts";
import { exportRows } from "#storage/export-rows.ts";
import { KEYS } from "#storage/keys.ts";
import { NamedRows, SaveAs } from "#ui/named-list.tsx";
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

  it("puts back what was removed, beside one that has its name by now", async () => {
    const brief = { name: "Brief", text: "One" };
    await list.save(brief);
    await list.remove("Brief");
    await list.save({ name: "Brief", text: "Two" });
    expect(await list.restore(brief)).toEqual({ name: "Brief (2)", text: "One" });
    expect(await stored(snippets)).toEqual([
      { name: "Brief", text: "Two" },
      { name: "Brief (2)", text: "One" },
    ]);
  });

  it("with longer names and more space in them, as earlier versions saved them, stays as it is", async () => {
    const items = [
      { name: "a  b", text: "1" },
      { name: "n".repeat(150), text: "2" },
    ];
    await writeRow("snippets|a", items);
    await list.save({ name: "B", text: "4" });
    await list.remove("B");
    await list.remove("a  b");
    await list.restore({ name: "a  b", text: "1" });
    await list.save({ name: "A", text: "3" });
    expect(await stored(snippets)).toEqual(
      [{ name: "A", text: "3" }, ...items].toSorted((a, b) => a.name.localeCompare(b.name)),
    );
    // There is one "a b" for a person.
    await list.save({ name: "a b", text: "4" });
    expect((await stored(snippets)).filter(({ name }) => /^a +b$/.test(name))).toEqual([{ name: "a b", text: "4" }]);
  });

  it("is as it was where the renamed one is gone by now", async () => {
    await list.save({ name: "T", text: "One" });
    await list.rename("gone", "T");
    expect(await stored(snippets)).toEqual([{ name: "T", text: "One" }]);
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

describe("a list on the screen", () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );

  it("says that it could not be read, and neither that it is empty nor that a name is free", async () => {
    const rows = await openRows();
    vi.spyOn(rows, "get").mockRejectedValue(new Error("The storage cannot be read."));
    onTestFinished(() => void vi.restoreAllMocks());
    function Shown() {
      const list = useNamedList(snippets);
      return (
        <>
          <NamedRows list={list} noun="snippet" verb="Insert" onUse={() => {}} empty="No snippets yet" />
          <SaveAs list={list} noun="snippet" initial="Brief" make={(name) => ({ name, text: "One" })} />
        </>
      );
    }
    render(<Shown />, { wrapper });
    expect(await screen.findAllByText("Saved snippets couldn’t be read. Reload the page.")).toHaveLength(2);
    expect(screen.queryByText("No snippets yet")).not.toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true");
  });
});

describe("saved templates", () => {
  const recipe = (name: string, prompt = "fog"): Template => ({
    name,
    groups: [{ name, runs: [{ model: "m", payload: { prompt } }] }],
  });
  const list = namedListActs(storedTemplates, "a");

  it("come back newest first, and one of the same name is replaced", async () => {
    await list.save({ name: "A", savedAtMs: 1, recipe: recipe("A") });
    await list.save({ name: "B", savedAtMs: 2, recipe: recipe("B") });
    await list.save({ name: "A", savedAtMs: 3, recipe: recipe("A", "rain") });
    expect(await stored(storedTemplates)).toEqual([
      { name: "A", savedAtMs: 3, recipe: recipe("A", "rain") },
      { name: "B", savedAtMs: 2, recipe: recipe("B") },
    ]);
  });

  it("have the name under which they were saved, also after they were renamed, and in the row", async () => {
    await list.save({ name: "A", savedAtMs: 1, recipe: recipe("Batch") });
    await list.rename("A", "B");
    expect(await stored(storedTemplates)).toEqual([
      { name: "B", savedAtMs: 1, recipe: { ...recipe("Batch"), name: "B" } },
    ]);
    const row = await (await openRows()).get("settings", "recipes|a");
    expect(row?.body).toMatchObject([{ name: "B", recipe: { name: "B" } }]);
  });

  // H23
  it("that were changed on the disk are left out, and the others stay", async () => {
    await list.save({ name: "A", savedAtMs: 1, recipe: recipe("A") });
    const row = await (await openRows()).get("settings", "recipes|a");
    await writeRow("recipes|a", [{ name: "B" }, { name: "C", savedAtMs: 1, recipe: 7 }, ...asList(row?.body)]);
    expect((await stored(storedTemplates)).map(({ name }) => name)).toEqual(["A"]);
  });
});

describe("presets of the Playground", () => {
  const calm = { name: "Calm", params: { temperature: 0 }, system: "Be calm." };

  it("belong to an endpoint, and are written as the version before reads them", async () => {
    const { result } = renderHook(() => ({
      messages: useTextPresets("messages"),
      responses: useTextPresets("responses"),
    }));
    await act(() => result.current.messages.save(calm));
    await act(() => result.current.responses.save({ ...calm, name: "Brief" }));
    await act(() => result.current.messages.rename("Calm", "Quiet"));
    expect(result.current.messages.items).toEqual([{ ...calm, name: "Quiet" }]);
    expect(readJson(KEYS.textPresets)).toEqual([
      { ...calm, name: "Quiet", endpoint: "messages" },
      { ...calm, name: "Brief", endpoint: "responses" },
    ]);
    await act(() => result.current.messages.remove("Quiet"));
    expect(result.current.messages.items).toEqual([]);
    expect(JSON.stringify(readJson(KEYS.textPresets))).not.toContain("Quiet");
  });

  it("of no endpoint that there is are passed over", () => {
    writeJson(KEYS.textPresets, [
      { ...calm, endpoint: "constructor" },
      { ...calm, endpoint: "__proto__" },
    ]);
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: KEYS.textPresets.name })));
    const { result } = renderHook(() => useTextPresets("messages"));
    expect(result.current.items).toEqual([]);
  });

  it("that another tab saved are shown, and stay when one is saved here", async () => {
    const { result } = renderHook(() => useTextPresets("completions"));
    writeJson(KEYS.textPresets, [{ ...calm, endpoint: "completions" }, 7, { endpoint: "completions" }]);
    act(() => void window.dispatchEvent(new StorageEvent("storage", { key: KEYS.textPresets.name })));
    expect(result.current.items).toEqual([calm]);
    writeJson(KEYS.textPresets, [{ ...calm, name: "Later", endpoint: "completions" }]);
    await act(() => result.current.save(calm));
    expect(result.current.items.map(({ name }) => name)).toEqual(["Calm", "Later"]);
  });
});
