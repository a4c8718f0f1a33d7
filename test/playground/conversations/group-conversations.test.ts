import { describe, expect, it } from "vitest";
import { groupConversations } from "#playground/conversations/group-conversations.ts";
import type { ConversationSummary } from "#text/conversations/stored-conversations.ts";

const NOW = new Date(2026, 10, 23, 15, 0).getTime();
const HOUR = 3_600_000;

function summary(id: string, hoursAgo: number, more: Partial<ConversationSummary> = {}): ConversationSummary {
  const updatedAtMs = NOW - hoursAgo * HOUR;
  return { id, title: id, isPinned: false, isTemporary: false, createdAtMs: updatedAtMs, updatedAtMs, ...more };
}
const parts = (...all: ConversationSummary[]) =>
  groupConversations(all, [{ id: "p", name: "Harbour guide" }], NOW).map(({ title, conversations, isFolded }) => [
    title,
    conversations.map(({ id }) => id).join(" "),
    isFolded,
  ]);

describe("the list of conversations", () => {
  it("has the pinned ones, projects by name, and days", () => {
    expect(
      parts(
        summary("a", 1),
        summary("b", 2, { isPinned: true, projectId: "p" }),
        summary("c", 3, { projectId: "p" }),
        summary("d", 16),
        summary("e", 40),
        summary("f", 50, { projectId: "gone" }),
      ),
    ).toEqual([
      ["Pinned", "b", false],
      ["Harbour guide", "c", true],
      ["Today", "a", false],
      ["Yesterday", "d", false],
      ["Earlier", "e f", true],
    ]);
  });

  it("shows earlier ones where there is nothing newer", () => {
    expect(parts(summary("a", 100))).toEqual([["Earlier", "a", false]]);
  });
});
