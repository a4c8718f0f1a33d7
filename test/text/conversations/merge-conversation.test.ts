import { describe, expect, it } from "vitest";
import { type Conversation, type ConversationAction, reduceConversation } from "#text/conversations/conversation.ts";
import { mergeConversation } from "#text/conversations/stored-conversations.ts";
import fc from "../../setup/fc.ts";
import { someColumn, someConversation, someTurn } from "./some-conversation.ts";

const base = someConversation("Which knot holds?", "A bowline.", "And in the cold?", "A sheet bend.");
const column = base.columns[0] ?? someColumn();
const columnId = column.id;
const [first, , second, last] = column.thread.turns.map(({ id }) => id);
const changedBy = (...actions: ConversationAction[]) =>
  actions.reduce((conversation, action) => reduceConversation(conversation, action, 5), base);
const merge = (mine: Conversation, theirs: Conversation) => mergeConversation({ mine, theirs, base });
const textsOf = ({ columns }: Conversation) => columns[0]?.thread.turns.map(({ text }) => text);

/** Changes of different things, each of which another tab may make. */
const CHANGES: readonly ConversationAction[] = [
  { kind: "renamed", title: "Knots" },
  { kind: "pinned", isPinned: true },
  { kind: "moved", projectId: "p" },
  { kind: "blind-changed", blind: { order: [columnId], isRevealed: false } },
  { kind: "column-changed", columnId, patch: { system: "Be brief." } },
  { kind: "column-changed", columnId, patch: { model: "quill-3" } },
  { kind: "column-changed", columnId, patch: { endpoint: "responses", params: {}, isDocument: false } },
  { kind: "turn-changed", columnId, turnId: first ?? "", patch: { isPinned: true } },
  { kind: "turn-changed", columnId, turnId: second ?? "", patch: { sendAlong: false } },
  { kind: "turn-removed", columnId, turnId: last ?? "" },
  { kind: "column-added", column: someColumn() },
];

describe("a conversation that two tabs changed", () => {
  it("has what each of them changed, whichever writes last", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...CHANGES]), fc.nat(CHANGES.length), (changes, at) => {
        const [here, there] = [changes.slice(0, at), changes.slice(at)];
        expect(merge(changedBy(...here), changedBy(...there))).toEqual({
          ...changedBy(...here, ...there),
          updatedAtMs: expect.any(Number),
        });
      }),
    );
  });

  it("is itself where the other tab changed nothing", () => {
    const mine = changedBy({ kind: "moved", projectId: "p" });
    expect(merge(mine, base)).toBe(mine);
    expect(merge(mine, structuredClone(mine))).toBe(mine);
  });

  it("keeps an answer that was continued in one tab and removed in the other, with its question", () => {
    const removed = changedBy({ kind: "turn-removed", columnId, turnId: second ?? "" });
    const continued = changedBy({
      kind: "turn-changed",
      columnId,
      turnId: last ?? "",
      patch: { text: "A sheet bend. Wet." },
    });
    const texts = ["Which knot holds?", "A bowline.", "And in the cold?", "A sheet bend. Wet."];
    expect(textsOf(merge(removed, continued))).toEqual(texts);
    expect(textsOf(merge(continued, removed))).toEqual(texts);
  });

  it("has the question of an answer that came while the other tab removed it", () => {
    const removed = changedBy({ kind: "turn-removed", columnId, turnId: second ?? "" });
    const response = someTurn({ role: "assistant", text: "A hitch.", parentId: second ?? "" });
    const answered = changedBy({ kind: "turn-added", columnId, turn: response });
    expect(textsOf(merge(removed, answered))).toEqual([
      "Which knot holds?",
      "A bowline.",
      "And in the cold?",
      "A hitch.",
    ]);
  });

  it("has a column left where each tab removed that of the other", () => {
    const other = someColumn();
    const two = changedBy({ kind: "column-added", column: other });
    const mine = reduceConversation(two, { kind: "column-removed", columnId });
    const theirs = reduceConversation(two, { kind: "column-removed", columnId: other.id });
    expect(mergeConversation({ mine, theirs, base: two }).columns).toEqual([other]);
  });
});
