import { describe, expect, it } from "vitest";
import { addTurn, copyColumn, EMPTY_THREAD, type Turn, visiblePath } from "#text/conversations/conversation.ts";
import { someColumn, someTurn } from "./some-conversation.ts";

const done = { outcome: { how: "complete" as const }, role: "assistant" as const };
const threadOf = (...turns: Turn[]) => turns.reduce(addTurn, EMPTY_THREAD);

describe("a column that begins with another's conversation", () => {
  it("has the same messages with ids of its own, and the versions that are shown", () => {
    const question = someTurn({ text: "When is it high?" });
    const first = someTurn({ ...done, parentId: question.id, text: "At four.", facts: { pieces: 1, outputTokens: 2 } });
    const second = someTurn({ ...done, parentId: question.id, text: "At five." });
    const thread = { ...threadOf(question, first, second) };
    const column = someColumn({ thread: { ...thread, chosen: { ...thread.chosen, [question.id]: first.id } } });
    const copy = copyColumn(column);
    expect(copy.id).not.toBe(column.id);
    expect(visiblePath(copy.thread).map(({ turn }) => turn.text)).toEqual(["When is it high?", "At four."]);
    expect(visiblePath(copy.thread).at(-1)?.versions).toHaveLength(2);
    expect(copy.thread.turns.map(({ copiedFrom }) => copiedFrom)).toEqual([question.id, first.id, second.id]);
    expect(new Set([...copy.thread.turns, ...thread.turns].map(({ id }) => id)).size).toBe(6);
  });

  it("leaves out an answer that is still coming, with its question", () => {
    const asked = someTurn({ text: "One" });
    const response = someTurn({ ...done, parentId: asked.id, text: "1" });
    const next = someTurn({ parentId: response.id, text: "Two" });
    const coming = someTurn({ role: "assistant", parentId: next.id, text: "2 a" });
    const copy = copyColumn(someColumn({ thread: threadOf(asked, response, next, coming) }));
    expect(copy.thread.turns.map(({ text }) => text)).toEqual(["One", "1"]);
  });

  it("that is copied again names the first message", () => {
    const asked = someTurn();
    const response = someTurn({ ...done, parentId: asked.id });
    const twice = copyColumn(copyColumn(someColumn({ thread: threadOf(asked, response) })));
    expect(twice.thread.turns.map(({ copiedFrom }) => copiedFrom)).toEqual([asked.id, response.id]);
  });
});
