import { beforeEach, describe, expect, test } from "vitest";
import {
  exportJson,
  exportMarkdown,
  exportName,
  importConversation,
} from "#playground/conversations/conversation-export.ts";
import { visiblePath } from "#text/conversations/conversation.ts";
import { clearPictures, pictureInMemory } from "#text/conversations/pictures.ts";
import {
  loadConversation,
  loadSummaries,
  readConversation,
  saveConversation,
} from "#text/conversations/stored-conversations.ts";
import fc from "../../setup/fc.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { someConversation } from "./some-conversation.ts";

describe("a stored conversation", () => {
  test("is read back unchanged", () => {
    const conversation = someConversation("Hello", "Hi", "And?", "So.");
    expect(readConversation(JSON.parse(JSON.stringify(conversation)))).toEqual(conversation);
  });

  test("has an unfinished answer marked as lost with the page", () => {
    const conversation = someConversation("Hello", "Hal");
    const raw = JSON.parse(JSON.stringify(conversation));
    delete raw.columns[0].thread.turns[1].outcome;
    const turns = readConversation(raw)?.columns[0]?.thread.turns;
    expect(turns?.[1]).toMatchObject({ text: "Hal", outcome: { how: "lost" } });
  });

  test("is read without throwing, and without cycles or stray messages", () => {
    const ids = fc.constantFrom("a", "b", "c");
    const turn = fc.record({
      id: ids,
      parentId: fc.option(ids),
      role: fc.constantFrom("user", "assistant", "tool"),
      text: fc.oneof(fc.string(), fc.constant(5)),
    });
    const column = fc.record({
      endpoint: fc.constantFrom("messages", "chat"),
      model: fc.constant("m"),
      thread: fc.record({ turns: fc.array(turn), chosen: fc.dictionary(ids, ids) }),
    });
    const raw = fc.oneof(fc.anything(), fc.record({ columns: fc.array(column) }));
    fc.assert(
      fc.property(raw, (value) => {
        const conversation = readConversation(value);
        for (const { thread } of conversation?.columns ?? []) {
          expect(visiblePath(thread).length).toBeLessThanOrEqual(thread.turns.length);
        }
      }),
    );
  });
});

describe("what a turn holds besides its text", () => {
  const picture = { id: "p1", name: "sea.png", mimeType: "image/png", bytes: 9, width: 1, height: 1 };
  const parts = [
    { kind: "tool-call" as const, name: "weather", input: "{}" },
    { kind: "citation" as const, title: "Tides", url: "https://tide.example/a", quote: "" },
  ];
  const withParts = () => {
    const conversation = someConversation("Hello", "Hi");
    const columns = conversation.columns.map((column) => {
      const [ask, response] = column.thread.turns;
      if (!ask || !response) throw new Error("No turns.");
      const turns = [
        { ...ask, pictures: [picture], sendAlong: true },
        { ...response, parts },
      ];
      return { ...column, thread: { ...column.thread, turns } };
    });
    return { ...conversation, columns };
  };

  test("is read back, and what is no part or picture is dropped", () => {
    const conversation = withParts();
    expect(readConversation(JSON.parse(JSON.stringify(conversation)))).toEqual(conversation);
    const raw = JSON.parse(JSON.stringify(conversation));
    raw.columns[0].thread.turns[0].pictures = [
      { ...picture, mimeType: "image/svg+xml" },
      5,
      { ...picture, url: "http://x" },
    ];
    raw.columns[0].thread.turns[1].parts = [{ kind: "script" }, null, parts[0]];
    const [ask, response] = readConversation(raw)?.columns[0]?.thread.turns ?? [];
    expect(ask?.pictures).toEqual([picture]);
    expect(response?.parts).toEqual([parts[0]]);
  });

  test("is exported: calls and sources as Markdown, pictures with the JSON", () => {
    const conversation = withParts();
    const markdown = exportMarkdown(conversation);
    expect(markdown).toContain("Image: sea.png\n\nHello");
    expect(markdown).toContain("Tool call: weather\n\n```json\n{}\n```\n\n1. Tides, https://tide.example/a");
    clearPictures();
    importConversation(exportJson(conversation, new Map([["p1", "aGVsbG8="]])));
    expect(pictureInMemory("p1")).toBe("aGVsbG8=");
  });
});

describe("export and import", () => {
  test("a JSON file restores everything under a new id", () => {
    const conversation = someConversation("Hello", "Hi");
    const imported = importConversation(exportJson(conversation), 5);
    expect(imported).toEqual({ ...conversation, id: imported?.id, updatedAtMs: 5 });
    expect(imported?.id).not.toBe(conversation.id);
    expect(importConversation("{}")).toBeUndefined();
    expect(importConversation("no JSON")).toBeUndefined();
  });

  test("Markdown holds the shown branch under a portable file name", () => {
    const conversation = { ...someConversation("Hello", "Hi"), title: "a/b: c?" };
    expect(exportMarkdown(conversation)).toBe(
      "# a/b: c?\n\n## quill-2 (messages)\n\n### User\n\nHello\n\n### Assistant\n\nHi\n",
    );
    expect(exportName(conversation, "md")).toBe("ab c.md");
  });

  test("Markdown restores every message with its author, whatever its text", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text)),
      fc.constantFrom("### User", "\\### Assistant", "## m (responses)", "# a", "", "```"),
    );
    const message = fc.array(line, { minLength: 1 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), message, (texts, system) => {
        const { columns, ...rest } = someConversation(...texts);
        const conversation = { ...rest, title: "Knots", columns: columns.map((column) => ({ ...column, system })) };
        const [column] = importConversation(exportMarkdown(conversation))?.columns ?? [];
        expect(column).toMatchObject({ endpoint: "messages", model: "quill-2", system });
        expect(column?.thread.turns.map(({ role, text }) => `${role} ${text}`)).toEqual(
          texts.map((text, index) => `${index % 2 === 0 ? "user" : "assistant"} ${text}`),
        );
      }),
    );
  });
});

describe("a stored conversation", () => {
  beforeEach(() => {
    freshDatabase();
  });

  test("keeps its project, the chosen preset and a blind comparison, as far as they can be read", async () => {
    const whole = someConversation("One", "Two");
    const columns = whole.columns.map((column) => ({ ...column, preset: "Brief" }));
    const order = columns.map(({ id }) => id);
    await saveConversation("k", { ...whole, columns, projectId: "p", blind: { order, isRevealed: false } });
    expect(await loadConversation("k", whole.id)).toMatchObject({
      projectId: "p",
      blind: { order, isRevealed: false },
      columns: [{ preset: "Brief" }],
    });
    expect((await loadSummaries("k")).find(({ id }) => id === whole.id)).toMatchObject({ projectId: "p" });
    const odd = readConversation({ ...whole, projectId: 7, blind: { order: ["gone", 5], isRevealed: "no" } });
    expect(odd).toMatchObject({ blind: { order: [], isRevealed: false } });
    expect(odd).not.toHaveProperty("projectId");
  });
});
