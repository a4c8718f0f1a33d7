import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { expect } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import type { ResponseOutcome, StoredError } from "#text/answer.ts";
import type { Column, Conversation } from "#text/conversations/conversation.ts";
import { storeQueue } from "#text/conversations/conversation-store.ts";
import { saveConversation } from "#text/conversations/stored-conversations.ts";
import { PNG_BYTES } from "../media/sandbox-media.ts";
import { someConversation } from "../text/conversations/some-conversation.ts";

export interface PlaygroundState {
  name: string;
  conversation: Conversation;
  /** A message waits to be sent by hand. */
  isQueued?: boolean;
  /** Waits for what shows that the state is there. */
  isThere: (user: UserEvent) => Promise<unknown>;
}

const accountId = () => getConnection()?.accountId ?? "";

/** A conversation of a question and an answer. */
export function knots(column: Partial<Column> = {}): Conversation {
  const conversation = someConversation("Which knot holds?", "A bowline holds.");
  return { ...conversation, title: "Knots", columns: conversation.columns.map((one) => ({ ...one, ...column })) };
}

/** The same, whose answer ended as `how` says: refused before anything came, or with half of its text. */
export function endedKnots(how: ResponseOutcome["how"], place?: StoredError["place"]): Conversation {
  const [column] = someConversation("Which knot holds?", how === "failed" ? "" : "A bowline holds.").columns;
  const error = {
    title: "No response",
    body: "Rejected.",
    chargedText: "Not charged: the service rejected this message.",
    nextStep: "",
  };
  const outcome = how === "failed" ? { how, error: { ...error, ...(place && { place }) } } : { how };
  const turns = (column?.thread.turns ?? []).map((turn) =>
    turn.role === "user" ? turn : { ...turn, outcome, asked: { endpoint: "messages" as const, model: "lumen-2" } },
  );
  return knots({ thread: { turns, chosen: {} } });
}

/** Stores states; Playground opens the first one by itself. Connect first. */
export async function storeStates(states: readonly Omit<PlaygroundState, "isThere">[]): Promise<void> {
  for (const { conversation } of states) await saveConversation(accountId(), conversation);
  localStorage.setItem(`safelight:last-chat|${accountId()}`, states[0]?.conversation.id ?? "");
  const queued = states.filter(({ isQueued }) => isQueued).map(({ conversation }) => conversation.id);
  const message = { columnIds: ["x"], text: "And then?", pictures: [], isHeld: true };
  storeQueue(
    accountId(),
    queued.map((conversationId) => ({ ...message, id: `next-${conversationId}`, conversationId })),
  );
}

const answer = () => screen.findByText("A bowline holds.");
export const notice = () => screen.findByRole("button", { name: "Try again" });
const button = (name: RegExp | string) => () => screen.findByRole("button", { name });
const threadOf = (...texts: string[]) => someConversation(...texts).columns[0]?.thread ?? { turns: [], chosen: {} };

function twoColumns(): Conversation {
  const { columns, ...conversation } = endedKnots("failed", "connect");
  return { ...conversation, columns: columns.flatMap((one) => [one, { ...one, id: `${one.id}2`, model: "lumen-2" }]) };
}

const RUN = '{ "model": "lumen-2", "payload": { "prompt": "A knot" } }';
const PROPOSAL = `\`\`\`safelight-runs\n{ "runs": [${RUN}] }\n\`\`\``;

/** Every state in which Playground offers acts of its own: conversations with the names of the states. */
export const playgroundStates = (): PlaygroundState[] =>
  states().map((state) => ({ ...state, conversation: { ...state.conversation, title: state.name } }));

const states = (): PlaygroundState[] => [
  { name: "a conversation with answers", conversation: knots(), isThere: answer },
  ...(["connect", "create", "models", undefined] as const).map((place) => ({
    name: `a failed answer, its next act in ${place ?? "no other place"}`,
    conversation: endedKnots("failed", place),
    isThere: notice,
  })),
  ...(["stopped", "early", "lost"] as const).map((how) => ({
    name: `an answer that is ${how}, with a queued message`,
    conversation: endedKnots(how),
    isQueued: true,
    async isThere() {
      await notice();
      await screen.findByRole("button", { name: "Send queued" });
    },
  })),
  {
    name: "two columns with failed answers",
    conversation: twoColumns(),
    isThere: () => screen.findAllByRole("button", { name: "Remove column" }),
  },
  {
    name: "a long conversation with a cached system prompt",
    conversation: knots({
      system: "Be brief.",
      cacheMode: "pins",
      thread: threadOf(...Array.from({ length: 29 }, (_, at) => `Message ${at}`), "A bowline holds."),
    }),
    isThere: button(/^Show earlier messages/),
  },
  {
    name: "an answer that proposes runs",
    conversation: knots({ thread: threadOf("Which knots?", `${PROPOSAL}\n\n${PROPOSAL}`) }),
    isThere: async () => expect(await screen.findAllByRole("button", { name: "Open in Batch" })).toHaveLength(2),
  },
  {
    name: "a column without a model",
    conversation: knots({ model: "", thread: { turns: [], chosen: {} } }),
    isThere: button("Choose model"),
  },
  {
    name: "a document whose continuation failed",
    conversation: knots({ endpoint: "completions", isDocument: true, document: "Once error:401" }),
    async isThere(user) {
      await user.click(await screen.findByRole("button", { name: /^Continue/ }));
      await notice();
    },
  },
  {
    name: "a document",
    conversation: knots({ endpoint: "completions", isDocument: true, document: "Once" }),
    isThere: () => screen.findByRole("textbox", { name: "Document" }),
  },
  {
    name: "a conversation whose earlier message is chosen, with an attached image",
    conversation: knots(),
    async isThere(user) {
      await answer();
      const file = new File([PNG_BYTES.slice()], "sea.png", { type: "image/png" });
      await user.upload(screen.getByLabelText("Images to attach"), file);
      await screen.findByRole("list", { name: "Attached images" });
      (await screen.findAllByRole("button", { name: "Copy" }))[0]?.focus();
    },
  },
];
