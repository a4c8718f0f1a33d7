import { beforeEach, describe, expect, it, vi } from "vitest";
import { openRows } from "#storage/database.ts";
import { StorageError } from "#storage/rows.ts";
import type { Conversation } from "#text/conversations/conversation.ts";
import { createConversationStore } from "#text/conversations/conversation-store.ts";
import { loadConversation } from "#text/conversations/stored-conversations.ts";
import { until } from "../../setup/until.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { someConversation, someTurn } from "./some-conversation.ts";

const asked = { endpoint: "messages", model: "quill-2" } as const;

beforeEach(freshDatabase);

/** Two tabs of one browser: both follow what the other writes. */
async function twoTabs() {
  const conversation = { ...someConversation("Which knot holds?", "A bowline."), title: "Knots" };
  const [one, other] = [createConversationStore("account"), createConversationStore("account")];
  await one.restore(() => asked);
  one.add(conversation);
  one.flush();
  await until(async () => expect(await loadConversation("account", conversation.id)).toBeDefined());
  await other.restore(() => asked);
  await other.open(conversation.id);
  const stop = [one.followOtherTabs(), other.followOtherTabs()];
  return { one, other, conversation, stop: () => stop.forEach((end) => void end()) };
}

describe("the conversations in two tabs", () => {
  it("shows in one tab what the other adds, and neither overwrites it", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    const columnId = conversation.columns[0]?.id ?? "";
    const added = someTurn({
      text: "And in the cold?",
      parentId: conversation.columns[0]?.thread.turns.at(-1)?.id ?? "",
    });
    one.dispatch(conversation.id, { kind: "turn-added", columnId, turn: added });
    one.flush();
    const texts = () => other.store.getState().current?.columns[0]?.thread.turns.map(({ text }) => text);
    await until(() => expect(texts()).toEqual(["Which knot holds?", "A bowline.", "And in the cold?"]));
    other.dispatch(conversation.id, { kind: "renamed", title: "Cold knots" });
    other.flush();
    await until(() => expect(one.store.getState().current?.title).toBe("Cold knots"));
    expect(one.store.getState().current?.columns[0]?.thread.turns).toHaveLength(3);
    stop();
  });

  it("removes in one tab what the other deletes, and does not save it again", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    await one.remove(conversation.id);
    await until(() => expect(other.store.getState().current?.id).not.toBe(conversation.id));
    expect(other.store.getState().summaries).toEqual([]);
    other.dispatch(conversation.id, { kind: "renamed", title: "Back again" });
    other.flush();
    expect(await loadConversation("account", conversation.id)).toBeUndefined();
    stop();
  });

  it("keeps messages of both tabs as versions, and removed ones stay removed", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    const column = conversation.columns[0];
    const columnId = column?.id ?? "";
    const [question, response] = column?.thread.turns ?? [];
    const parentId = question?.id ?? "";
    const coming = someTurn({ role: "assistant", text: "A sheet", parentId });
    one.dispatch(conversation.id, { kind: "turn-added", columnId, turn: coming });
    other.dispatch(conversation.id, { kind: "turn-removed", columnId, turnId: response?.id ?? "" });
    other.dispatch(conversation.id, {
      kind: "turn-added",
      columnId,
      turn: someTurn({ role: "assistant", text: "A hitch.", parentId }),
    });
    one.flush();
    other.flush();
    const texts = (tab: typeof one) => tab.get(conversation.id)?.columns[0]?.thread.turns.map(({ text }) => text);
    await until(() => expect(texts(other)).toEqual(["Which knot holds?", "A hitch.", "A sheet"]));
    const outcome = { how: "complete" } as const;
    one.dispatch(conversation.id, {
      kind: "turn-changed",
      columnId,
      turnId: coming.id,
      patch: { text: "A sheet bend.", outcome },
    });
    one.flush();
    other.dispatch(conversation.id, { kind: "renamed", title: "Two knots" });
    other.flush();
    await until(() => expect(texts(other)).toEqual(["Which knot holds?", "A hitch.", "A sheet bend."]));
    // One goes on with its answer; the other, which still has the shorter one, writes after it.
    one.dispatch(conversation.id, {
      kind: "turn-changed",
      columnId,
      turnId: coming.id,
      patch: { text: "A sheet bend. Wet." },
    });
    other.dispatch(conversation.id, { kind: "renamed", title: "Three knots" });
    one.flush();
    other.flush();
    await until(() => expect(texts(other)).toContain("A sheet bend. Wet."));
    const stored = (await loadConversation("account", conversation.id))?.columns[0]?.thread.turns ?? [];
    expect(stored.map(({ text }) => text)).toContain("A sheet bend. Wet.");
    expect(stored.map(({ text }) => text)).toContain("A hitch.");
    stop();
  });

  it("takes over that a question was left out or sent along in the other tab", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    const column = conversation.columns[0];
    const columnId = column?.id ?? "";
    const turnId = column?.thread.turns[0]?.id ?? "";
    one.dispatch(conversation.id, { kind: "turn-changed", columnId, turnId, patch: { sendAlong: false } });
    // At the same time the other tab writes too, so that both have to be merged.
    other.dispatch(conversation.id, { kind: "renamed", title: "Knots again" });
    one.flush();
    other.flush();
    const chosen = (tab: typeof one) => tab.get(conversation.id)?.columns[0]?.thread.turns[0]?.sendAlong;
    await until(() => expect([chosen(one), chosen(other)]).toEqual([false, false]));
    stop();
  });

  it("does not lose an unsaved change to the other tab", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    other.dispatch(conversation.id, { kind: "renamed", title: "Mine" });
    one.dispatch(conversation.id, { kind: "renamed", title: "Theirs" });
    one.flush();
    await until(async () => expect((await loadConversation("account", conversation.id))?.title).toBe("Theirs"));
    expect(other.store.getState().current?.title).toBe("Mine");
    stop();
  });
});

describe("what one tab changes while the other has the conversation open", () => {
  it("keeps the project and the pin, although the other tab saves afterwards", async () => {
    const { one, other, conversation } = await twoTabs();
    one.dispatch(conversation.id, { kind: "moved", projectId: "harbour" });
    one.dispatch(conversation.id, { kind: "pinned", isPinned: true });
    one.flush();
    // The other tab was asked for an answer at the same moment.
    other.dispatch(conversation.id, { kind: "renamed", title: "Cold knots" });
    other.flush();
    const wanted = { title: "Cold knots", projectId: "harbour", isPinned: true };
    await until(async () => expect(await loadConversation("account", conversation.id)).toMatchObject(wanted));
    await until(() => expect(other.get(conversation.id)).toMatchObject(wanted));
  });

  it("shows there that it was moved, and moved out again", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    for (const projectId of ["harbour", undefined]) {
      one.dispatch(conversation.id, { kind: "moved", projectId });
      one.flush();
      await until(() => expect(other.store.getState().current?.projectId).toBe(projectId));
    }
    stop();
  });

  it("takes a change back although its own save is still under way", async () => {
    const { one, conversation } = await twoTabs();
    for (const isPinned of [true, false]) {
      one.dispatch(conversation.id, { kind: "pinned", isPinned });
      one.flush();
    }
    one.dispatch(conversation.id, { kind: "renamed", title: "Last" });
    one.flush();
    await until(async () =>
      expect(await loadConversation("account", conversation.id)).toMatchObject({ title: "Last", isPinned: false }),
    );
    expect(one.get(conversation.id)).toMatchObject({ title: "Last", isPinned: false });
  });

  it("does not write a removed message back", async () => {
    const { one, other, conversation } = await twoTabs();
    const columnId = conversation.columns[0]?.id ?? "";
    const turnId = conversation.columns[0]?.thread.turns.at(-1)?.id ?? "";
    one.dispatch(conversation.id, { kind: "turn-removed", columnId, turnId });
    one.flush();
    other.dispatch(conversation.id, { kind: "renamed", title: "Cold knots" });
    other.flush();
    const texts = (of: Conversation | undefined) => of?.columns[0]?.thread.turns.map(({ text }) => text);
    await until(() => expect(texts(other.get(conversation.id))).toEqual(["Which knot holds?"]));
    expect(texts(await loadConversation("account", conversation.id))).toEqual(["Which knot holds?"]);
  });
});

describe("a conversation that could not be saved", () => {
  it("stays when another tab writes, and is saved with the next change", async () => {
    const { one, other, conversation, stop } = await twoTabs();
    const unsaved = { ...someConversation("Which rope?", "Hemp."), title: "Ropes" };
    const rows = await openRows();
    const edit = vi.spyOn(rows, "edit").mockRejectedValue(new StorageError("full"));
    other.add(unsaved);
    other.flush();
    await until(() => expect(edit).toHaveBeenCalled());
    edit.mockRestore();
    one.dispatch(conversation.id, { kind: "renamed", title: "Cold knots" });
    one.flush();
    const titles = () => other.store.getState().summaries?.map(({ title }) => title);
    await until(() => expect(titles()).toContain("Cold knots"));
    expect(other.store.getState().current?.id).toBe(unsaved.id);
    other.dispatch(conversation.id, { kind: "pinned", isPinned: true });
    other.flush();
    await until(async () => expect(await loadConversation("account", unsaved.id)).toBeDefined());
    stop();
  });
});

describe("a tab that opens while another one writes", () => {
  it("shows a conversation although the list was reported before it was read", async () => {
    const { one, conversation, stop } = await twoTabs();
    const second = createConversationStore("account");
    const stopSecond = second.followOtherTabs();
    one.dispatch(conversation.id, { kind: "renamed", title: "Knots in the cold" });
    one.flush();
    await until(() => expect(second.store.getState().summaries).toHaveLength(1));
    await second.restore(() => asked);
    expect(second.store.getState().current).toBeDefined();
    expect(second.store.getState().summaries?.map(({ title }) => title)).toEqual(["Knots in the cold"]);
    stopSecond();
    stop();
  });
});

describe("removing the open conversation", () => {
  it("starts a new one that asks the same model", async () => {
    const conversations = createConversationStore("account");
    await conversations.restore(() => asked);
    const conversation = someConversation("Hello", "Hi");
    conversations.add(conversation);
    await conversations.remove(conversation.id);
    const { current } = conversations.store.getState();
    expect(current?.id).not.toBe(conversation.id);
    expect(current?.columns[0]?.model).toBe("quill-2");
    expect(await loadConversation("account", conversation.id)).toBeUndefined();
  });
});
