import { beforeEach, describe, expect, it } from "vitest";
import {
  fillSnippet,
  loadSnippets,
  MOST_SNIPPETS,
  removeSnippet,
  renameSnippet,
  saveSnippet,
  variablesOf,
} from "#chat/snippets.ts";
import { openRows } from "#storage/database.ts";
import { exportRows } from "#storage/export-rows.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

beforeEach(() => {
  freshDatabase();
});

describe("snippets", () => {
  it("are saved, replaced, renamed and deleted by their name", async () => {
    await saveSnippet("a", { name: " Two\nlines ", text: "One" });
    await saveSnippet("a", { name: "Another", text: "Two" });
    await saveSnippet("a", { name: "Two lines", text: "Three" });
    expect(await loadSnippets("a")).toEqual([
      { name: "Another", text: "Two" },
      { name: "Two lines", text: "Three" },
    ]);
    await renameSnippet("a", "Two lines", "Another");
    expect(await loadSnippets("a")).toEqual([{ name: "Another", text: "Three" }]);
    await removeSnippet("a", "Another");
    expect(await loadSnippets("a")).toEqual([]);
    expect(await loadSnippets("b")).toEqual([]);
  });

  it("are in the export of the local data", async () => {
    await saveSnippet("a", { name: "Brief", text: "Answer briefly." });
    expect(await (await exportRows(await openRows())).text()).toContain("Answer briefly.");
  });

  it("are bounded, however many are saved", async () => {
    const many = Array.from({ length: MOST_SNIPPETS + 5 }, (_, at) => ({ name: `n${at}`, text: "x" }));
    for (const snippet of many) await saveSnippet("a", snippet);
    expect(await loadSnippets("a")).toHaveLength(MOST_SNIPPETS);
  });

  it("have words that are filled in; one without a value stays", () => {
    const text = "About {{ topic }} for {{who}}, {{topic}}. {{}} {x}";
    expect(variablesOf(text)).toEqual(["topic", "who"]);
    expect(fillSnippet(text, { topic: "$& tides" })).toBe("About $& tides for {{who}}, $& tides. {{}} {x}");
    expect(fillSnippet("{{constructor}}", {})).toBe("{{constructor}}");
  });
});
