import { act, screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { AnswerOutcome, StoredError } from "#chat/answer.ts";
import type { Column } from "#chat/conversations/conversation.ts";
import { saveConversation } from "#chat/conversations/stored-conversations.ts";
import { storeQueue } from "#chat/conversations/unsent-messages.ts";
import { getConnection } from "#connection/connection-store.ts";
import { useChosenMessage } from "#screens/playground/messages/message-acts.ts";
import { runCommand } from "#ui/command-store.ts";
import { someConversation } from "../chat/conversations/some-conversation.ts";
import { PNG_BYTES } from "../media/sandbox-media.ts";
import { openSandboxPage } from "../media/sandbox-page.ts";
import { visitStudio } from "../screens/visit-studio.tsx";
import { collectUnknown, strayCommands, unknownActs } from "./acts-on-screen.ts";

openSandboxPage();
beforeEach(() => useChosenMessage.setState({ turnId: undefined }));

/** A conversation of a question and an answer, the one that Playground opens. */
async function openConversation(column: Partial<Column> = {}): Promise<void> {
  const conversation = someConversation("Which knot holds?", "A bowline holds.");
  const columns = conversation.columns.map((one) => ({ ...one, ...column }));
  const accountId = getConnection()?.accountId ?? "";
  await saveConversation(accountId, { ...conversation, title: "Knots", columns });
  localStorage.setItem(`safelight:last-chat|${accountId}`, conversation.id);
}
const answer = () => screen.findByText("A bowline holds.");

/** The same conversation, whose answer ended as `outcome` says: refused before anything came, or with half of its text. */
async function openEnded(how: AnswerOutcome["how"], place?: StoredError["place"]): Promise<void> {
  const conversation = someConversation("Which knot holds?", how === "failed" ? "" : "A bowline holds.");
  const error = { title: "No answer", body: "Refused.", chargedText: "Nothing was charged.", nextStep: "" };
  const outcome = how === "failed" ? { how, error: { ...error, ...(place && { place }) } } : { how };
  const [column] = conversation.columns;
  const turns = (column?.thread.turns ?? []).map((turn) =>
    turn.role === "user" ? turn : { ...turn, outcome, asked: { endpoint: "messages" as const, model: "lumen-2" } },
  );
  await openConversation({ thread: { turns, chosen: {} } });
}
const notice = () => screen.findByRole("button", { name: "Try again" });

const button = (name: RegExp | string) => () => screen.findByRole("button", { name });

describe("the palette and the list of keys know every act of Playground", () => {
  const states: [name: string, prepare: () => Promise<void>, isThere: (user: UserEvent) => Promise<unknown>][] = [
    [
      "a conversation with answers",
      async () => {
        await openConversation();
      },
      answer,
    ],
    [
      "a conversation whose earlier message is chosen, with an attached image",
      async () => {
        await openConversation();
      },
      async (user) => {
        await answer();
        const file = new File([PNG_BYTES.slice()], "sea.png", { type: "image/png" });
        await user.upload(screen.getByLabelText("Images to attach"), file);
        await screen.findByRole("list", { name: "Images of the next message" });
        (await screen.findAllByRole("button", { name: "Copy" }))[0]?.focus();
      },
    ],
    ...(["connect", "create", "models", undefined] as const).map((place): (typeof states)[number] => [
      `a failed answer, its next act in ${place ?? "no other place"}`,
      async () => {
        await openEnded("failed", place);
      },
      notice,
    ]),
    ...(["stopped", "early", "lost"] as const).map((how): (typeof states)[number] => [
      `an answer that is ${how}, with a queued message`,
      async () => {
        await openEnded(how);
        const accountId = getConnection()?.accountId ?? "";
        const conversationId = localStorage.getItem(`safelight:last-chat|${accountId}`) ?? "";
        const next = { id: "next", conversationId, columnIds: ["x"], text: "And then?", pictures: [], isHeld: true };
        storeQueue(accountId, [next]);
      },
      async () => {
        await notice();
        await screen.findByRole("button", { name: "Send now" });
      },
    ]),
    [
      "two columns with failed answers",
      async () => {
        await openEnded("failed", "connect");
      },
      async (user) => {
        await notice();
        await user.click(screen.getByRole("button", { name: "Add column" }));
        await screen.findAllByRole("button", { name: "Remove column" });
      },
    ],
    [
      "a long conversation with a cached system prompt",
      async () => {
        const texts = Array.from({ length: 30 }, (_, at) => (at === 29 ? "A bowline holds." : `Message ${at}`));
        const thread = someConversation(...texts).columns[0]?.thread;
        await openConversation({ system: "Be brief.", cacheMode: "pins", ...(thread && { thread }) });
      },
      button(/^Show earlier messages/),
    ],
    [
      "an answer that proposes runs",
      async () => {
        const run = '{ "model": "lumen-2", "payload": { "prompt": "A knot" } }';
        const block = `\`\`\`safelight-runs\n{ "runs": [${run}] }\n\`\`\``;
        const thread = someConversation("Which knots?", `${block}\n\n${block}`).columns[0]?.thread;
        await openConversation({ ...(thread && { thread }) });
      },
      async () => expect(await screen.findAllByRole("button", { name: "Open in Batch" })).toHaveLength(2),
    ],
    [
      "a column without a model",
      async () => {
        await openConversation({ model: "", thread: { turns: [], chosen: {} } });
      },
      button("Choose a model"),
    ],
    [
      "a document whose continuation failed",
      async () => {
        await openConversation({ endpoint: "completions", isDocument: true, document: "Once error:401" });
      },
      async (user) => {
        await user.click(await screen.findByRole("button", { name: /^Continue/ }));
        await notice();
      },
    ],
    [
      "a document",
      async () => {
        await openConversation({ endpoint: "completions", isDocument: true, document: "Once" });
      },
      () => screen.findByRole("textbox", { name: "Document" }),
    ],
  ];

  test.each(states)("in %s", async (_, prepare, isThere) => {
    await prepare();
    expect(await collectUnknown("/playground", isThere)).toEqual([]);
    expect(strayCommands()).toEqual([]);
  });
});

describe("the acts of a message", () => {
  test("one that nobody registered is found", async () => {
    await openConversation();
    visitStudio("/playground");
    const message = (await answer()).closest("li");
    const added = document.createElement("button");
    added.textContent = "Read aloud";
    message?.append(added);
    expect(unknownActs()).toContain("Read aloud");
  });

  test("act on the message that had the focus last, else on the newest", async () => {
    await openConversation();
    visitStudio("/playground");
    await answer();
    const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    expect(runCommand("answer.copy")).toBe(true);
    expect(written).toHaveBeenLastCalledWith("A bowline holds.");
    expect(runCommand("question.copy")).toBe(true);
    expect(written).toHaveBeenLastCalledWith("Which knot holds?");
    act(() => void runCommand("question.edit"));
    expect(await screen.findByRole("textbox", { name: "Edit your message" })).toHaveFocus();
  });
});

describe("the acts of a failed answer", () => {
  test("are found by the words of their buttons, and act", async () => {
    await openEnded("failed", "connect");
    const { user, path } = visitStudio("/playground");
    await notice();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search commands" }), "try again");
    expect(await screen.findByRole("option", { name: /^Answer: regenerate/ })).toBeVisible();
    await user.keyboard("{Escape}");
    expect(runCommand("playground.check-key")).toBe(true);
    await waitFor(() => expect(path()).toMatch(/^\/connect\?back=/));
  });
});
