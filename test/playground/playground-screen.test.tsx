import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { createConversationStore } from "#text/conversations/conversation-store.ts";
import { saveConversation } from "#text/conversations/stored-conversations.ts";
import { runCommand } from "#ui/commands.ts";
import { everyActIsKnown, unknownActs } from "../app/acts-on-screen.ts";
import { endedKnots, knots, notice, storeStates } from "../app/playground-states.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { someConversation } from "../text/conversations/some-conversation.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;
beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  server = startSandboxServer({ seed: 1, speed: 60 });
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

const composer = () => screen.findByRole("textbox", { name: /^Message/ });
const finished = (count: number) => waitFor(() => expect(screen.getAllByText(/^[\d,]+ tokens$/)).toHaveLength(count));
const requests = () =>
  server.sandbox.inspect().requests.filter(({ route }) => /^(messages|responses|completions)$/.test(route));
/** From now on every answer begins and brings nothing, until the function that this returns is called. */
function holdAnswers(): () => void {
  let letCome = () => {};
  const released = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  const answer = server.sandbox.fetch;
  vi.spyOn(server.sandbox, "fetch").mockImplementation(async (request) => {
    const response = await answer(request);
    if (!/\/v1\/(messages|responses|completions)$/.test(request.url) || response.body === null) return response;
    const held = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, controller) {
        await released;
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(held), response);
  });
  return letCome;
}
type User = ReturnType<typeof visitStudio>["user"];
async function ask(user: User, text: string, keys = "{Enter}") {
  await user.click(await composer());
  await user.paste(text);
  if (keys !== "") await user.keyboard(keys);
}

// Spec 4.2.
describe("an answer in the playground", () => {
  it("is shown with its measurements, and is read out once", async () => {
    const { user } = visitStudio("/playground");
    await ask(user, "Three tides tps:2000");
    await finished(1);
    const messages = screen.getByRole("list", { name: "Messages" });
    expect(within(messages).getByText("Three tides tps:2000", { selector: "div" })).toBeVisible();
    expect(within(messages).getByText(/^\d+ tokens$/)).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Three tides tps:2000");
    await waitFor(() =>
      expect(screen.getByRole("status", { name: "Responses" })).toHaveTextContent(/quill-2 responded:/),
    );
    await everyActIsKnown();
  });

  it("begins with a sentence and examples, of which one fills the message", async () => {
    const { user } = visitStudio("/playground");
    expect(await screen.findByText("Write a message or start with an example")).toBeVisible();
    const examples = within(screen.getByRole("list", { name: "Examples" })).getAllByRole("button");
    await user.click(examples[0] as HTMLElement);
    expect(await composer()).toHaveValue(examples[0]?.textContent);
  });

  it("and its question have versions to regenerate, edit, choose, delete and restore", async () => {
    const { user } = visitStudio("/playground");
    await ask(user, "First tps:2000 long:20");
    await finished(1);
    await user.click(await screen.findByRole("button", { name: "Regenerate" }));
    await screen.findByText("2 / 2");
    await finished(1);
    await user.click(screen.getByRole("button", { name: "Previous version" }));
    expect(screen.getByText("1 / 2")).toBeVisible();

    await user.click(screen.getAllByRole("button", { name: "Edit" })[0] as HTMLElement);
    const editor = screen.getByRole("textbox", { name: "Edit message" });
    await user.clear(editor);
    await user.paste("Second tps:2000 long:20");
    await user.click(screen.getByRole("button", { name: "Save and send" }));
    expect(await screen.findByText("Second tps:2000 long:20", { selector: "div" })).toBeVisible();
    await finished(1);
    const first = () => screen.queryByText("First tps:2000 long:20", { selector: "div" });
    await user.click(screen.getAllByRole("button", { name: "Previous version" })[0] as HTMLElement);
    expect(first()).toBeVisible();
    await user.click(screen.getAllByRole("button", { name: "More actions" })[0] as HTMLElement);
    await user.click(screen.getByRole("menuitem", { name: "Delete this version" }));
    expect(first()).not.toBeInTheDocument();
    expect(await screen.findByText("Version and later messages deleted")).toBeVisible();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(first()).toBeVisible();
  });
});

// Spec 1 and 7.
describe("the two catalogues of models", () => {
  it("are searched together; a model in neither is refused without a charge", async () => {
    onTestFinished(giveLayout());
    const { user } = visitStudio("/playground");
    await user.click(await screen.findByRole("button", { name: "Model: quill-2" }));
    const search = await screen.findByRole("searchbox", { name: "Search models" });
    await user.click(search);
    await user.paste("lumen-2");
    expect(await screen.findByRole("heading", { name: "Generation models, in Create" })).toBeVisible();
    await user.clear(search);
    await user.paste("no-such-model");
    await user.click(screen.getByRole("button", { name: /no-such-model/ }));
    await ask(user, "Hello");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Not charged: the service rejected this message.");
    expect(within(alert).getByRole("button", { name: "Choose another model" })).toBeVisible();
  });

  it("a generation model asked for text is refused with a link to Create", async () => {
    const accountId = getConnection()?.accountId ?? "";
    const conversation = someConversation("Hello", "Hi");
    const columns = conversation.columns.map((column) => ({ ...column, model: "lumen-2" }));
    await saveConversation(accountId, { ...conversation, title: "Pictures", columns });
    localStorage.setItem(`safelight:last-chat|${accountId}`, conversation.id);
    const { user, path } = visitStudio("/playground");
    await screen.findByRole("heading", { level: 1, name: "Pictures" });
    await ask(user, "A boat");
    expect(await screen.findByRole("alert")).toHaveTextContent("Wrong place for this model");
    await user.click(screen.getByRole("link", { name: "Open lumen-2 in Create" }));
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
  });

  it("a text model opened in Create is refused with a link to the playground", async () => {
    const { user, path } = visitStudio("/create/quill-2-swift");
    expect(await screen.findByText("Wrong place for this model")).toBeVisible();
    await user.click(screen.getByRole("link", { name: "Open quill-2-swift in Playground" }));
    expect(await screen.findByRole("button", { name: "Model: quill-2-swift" })).toBeVisible();
    await waitFor(() => expect(path()).toBe("/playground"));
  });

  it("the palette finds models of both and opens each on its screen", async () => {
    const { user, path } = visitStudio("/playground");
    await composer();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox", { name: "Search commands" });
    await user.paste("quill-2-p");
    await user.click(await screen.findByRole("option", { name: /^quill-2-ponder/ }));
    expect(await screen.findByRole("button", { name: "Model: quill-2-ponder" })).toBeVisible();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox", { name: "Search commands" });
    await user.paste("lumen-2");
    await user.click(await screen.findByRole("option", { name: /^lumen-2 (Image|In Create)/ }));
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
  });
});

describe("the conversations of the playground", () => {
  it("are found by their messages; deleting the open one starts a new one", async () => {
    const accountId = getConnection()?.accountId ?? "";
    const boats = { ...someConversation("Which knot holds?", "A bowline holds."), id: "boats", title: "Boats" };
    const tides = { ...someConversation("When is it high?", "Twice a day."), id: "tides", title: "Tides" };
    for (const conversation of [boats, tides]) await saveConversation(accountId, conversation);
    localStorage.setItem(`safelight:last-chat|${accountId}`, "boats");
    const { user } = visitStudio("/playground");
    await screen.findByRole("heading", { level: 1, name: "Boats" });
    await ask(user, "Not sent yet", "");
    await user.click(await screen.findByRole("searchbox", { name: "Search chats" }));
    await user.paste("bowline");
    expect(await screen.findByText("bowline", { selector: "mark" })).toBeVisible();
    await waitFor(() => expect(screen.queryByText("Tides")).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Actions for Boats" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete chat" }));
    expect(await screen.findByRole("heading", { level: 1, name: "New chat", hidden: true })).toBeInTheDocument();
    expect(await composer()).toHaveValue("");
  });

  // Spec 7.
  it("survive a refused key, and Connect leads back to the unsent text", async () => {
    const { user, path } = visitStudio("/playground");
    await ask(user, "Hello error:401");
    expect(await screen.findByRole("alert")).toHaveTextContent("Not charged: the service rejected this message.");
    await user.paste("Half a thought");
    await user.click(screen.getByRole("link", { name: "Check key" }));
    await user.click(await screen.findByRole("button", { name: "Continue" }));
    expect(await composer()).toHaveValue("Half a thought");
    expect(screen.getByText("Hello error:401", { selector: "div" })).toBeVisible();
    expect(path()).toMatch(/^\/playground\/\w{32}$/);
  });
});

describe("a document", () => {
  it("that is opened again is continued at its end", async () => {
    const accountId = getConnection()?.accountId ?? "";
    const conversation = someConversation();
    // The words for the sandbox count only in what is sent.
    const document = { endpoint: "completions" as const, isDocument: true, document: "Once upon a time error:402" };
    const columns = conversation.columns.map((column) => ({ ...column, ...document }));
    await saveConversation(accountId, { ...conversation, title: "Tale", columns });
    localStorage.setItem(`safelight:last-chat|${accountId}`, conversation.id);
    const { user } = visitStudio("/playground");
    await user.click(await screen.findByRole("button", { name: /^Continue/ }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Not charged: the service rejected this message.");
  });
});

describe("several requests in the playground", () => {
  it("are not made by a key that is held", async () => {
    const { user } = visitStudio("/playground");
    await ask(user, "A word tps:2000 long:20", "");
    for (let times = 0; times < 15; times += 1) fireEvent.keyDown(await composer(), { key: "Enter", repeat: true });
    expect(await composer()).toHaveValue("A word tps:2000 long:20");
    await user.keyboard("{Enter>15/}");
    await finished(1);
    expect(requests()).toHaveLength(1);
  });

  it("repeat one question and show how far its answers differ", async () => {
    const { user } = visitStudio("/playground");
    await ask(user, "A word tps:2000 long:20");
    await finished(1);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Compare metrics" }));
    await user.clear(await screen.findByRole("textbox", { name: "Run the latest message again" }));
    await user.paste("2");
    // Enter in a field spends nothing.
    await user.keyboard("{Enter}");
    expect(requests()).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Run" }));
    expect(await screen.findByText(/, 3 versions/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toBeVisible());
    expect(screen.getByRole("row", { name: /^Time to first token \d.*to/ })).toBeVisible();
    expect(requests()).toHaveLength(3);
  });

  it("wait while another is answered", async () => {
    const letAnswersCome = holdAnswers();
    const { user } = visitStudio("/playground");
    await ask(user, "One tps:2000 long:20");
    await screen.findByRole("button", { name: /Stop/ });
    await ask(user, "Two tps:2000 long:20");
    expect(screen.getByRole("list", { name: "Queued messages" })).toHaveTextContent("Next: Two");
    expect(requests()).toHaveLength(1);
    letAnswersCome();
    await finished(2);
    expect(requests()).toHaveLength(2);
  });

  it("are stopped with Esc, and nothing more is sent by itself", async () => {
    const { user } = visitStudio("/playground");
    const stopped = "Partial response saved. You may be charged for the full response.";
    await ask(user, "One long:2000 tps:20");
    await screen.findByText(/s to first/);
    await user.keyboard("{Escape}");
    expect(await screen.findByText(stopped)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(requests()).toHaveLength(2));
    await screen.findByRole("button", { name: /^Stop/ });
    await ask(user, "Two tps:2000 long:20", "{Enter}{Escape}");
    await screen.findByText(stopped);
    expect(requests()).toHaveLength(2);
    // As a reload finds it: in session storage, and still not to be sent by itself.
    expect(createConversationStore(getConnection()?.accountId ?? "").store.getState().queue).toMatchObject([
      { text: "Two tps:2000 long:20", isHeld: true },
    ]);
    await user.click(screen.getByRole("button", { name: "Send queued" }));
    await finished(1);
    expect(requests()).toHaveLength(3);
  });
});

const title = (name: string) => screen.findByRole("heading", { level: 1, name });

/** Two conversations, of which Playground opens neither by itself. */
async function storeBoatsAndTides(): Promise<void> {
  const boats = { ...someConversation("Which knot holds?", "A bowline holds."), id: "boats", title: "Boats" };
  const tides = { ...someConversation("When is it high?", "Twice a day."), id: "tides", title: "Tides" };
  for (const conversation of [boats, tides]) await saveConversation(getConnection()?.accountId ?? "", conversation);
}

describe("the address of a conversation", () => {
  beforeEach(storeBoatsAndTides);

  it("opens it, and the list goes to another", async () => {
    const { user, path } = visitStudio("/playground/boats");
    await title("Boats");
    await waitFor(() => expect(document.title).toBe("Boats · Safelight"));
    await user.click(screen.getByRole("link", { name: /^Tides/ }));
    await title("Tides");
    expect(path()).toBe("/playground/tides");
    act(() => void runCommand("playground.new"));
    await waitFor(() => expect(path()).toBe("/playground"));
    await title("New chat");
  });

  it("that is not stored here says so, with the list and a new conversation", async () => {
    const { user, path } = visitStudio("/playground/nowhere");
    expect(await screen.findByText("Chat not found")).toBeVisible();
    expect(screen.getByRole("link", { name: /^Boats/ })).toBeVisible();
    const main = screen.getByRole("main");
    await user.click(within(main).getAllByRole("button", { name: "New chat" }).at(-1) as HTMLElement);
    await title("New chat");
    expect(path()).toBe("/playground");
  });

  it("of a deleted one is gone, until Undo", async () => {
    const { user, path } = visitStudio("/playground/boats");
    await title("Boats");
    act(() => screen.getByRole("link", { name: /^Boats/ }).focus());
    await user.keyboard("{Delete}");
    await title("New chat");
    expect(screen.queryByRole("link", { name: /^Boats/ })).not.toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await title("Boats");
    expect(screen.getByText("A bowline holds.")).toBeVisible();
    await waitFor(() => expect(path()).toBe("/playground/boats"));
  });

  it("follows the one that is open, where Undo came before the address had gone to the new one", async () => {
    const { user, path, router } = visitStudio("/playground/boats");
    await title("Boats");
    let letNavigate = () => {};
    const mayNavigate = new Promise<void>((resolve) => {
      letNavigate = resolve;
    });
    router.history.block({ blockerFn: () => mayNavigate.then(() => false), enableBeforeUnload: false });
    act(() => screen.getByRole("link", { name: /^Boats/ }).focus());
    await user.keyboard("{Delete}");
    await title("New chat");
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await title("Boats");
    letNavigate();
    // First, the new one's, and that of the conversation which is open again.
    await waitFor(() => expect(router.history.length).toBe(3));
    await waitFor(() => expect(path()).toBe("/playground/boats"));
    await title("Boats");
  });
});

describe("a column that is added", () => {
  beforeEach(storeBoatsAndTides);

  it("begins with the same messages; blind, no column names its model until the vote", async () => {
    const { user } = visitStudio("/playground/boats");
    await title("Boats");
    await user.click(screen.getByRole("button", { name: "Add column" }));
    expect(screen.getAllByText("A bowline holds.")).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(screen.getByRole("menuitem", { name: "Blind comparison" }));
    expect(await screen.findByText("Which response is better?")).toBeVisible();
    expect(within(screen.getByRole("main")).queryByText(/quill-2/)).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /quill-2|Request log|Code/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Tie" }));
    expect(screen.getByText("A: quill-2, B: quill-2")).toBeVisible();
  });
});

describe("the acts of a message", () => {
  it("act on the message that had the focus last, else on the newest", async () => {
    await storeStates([{ name: "Knots", conversation: knots() }]);
    visitStudio("/playground");
    await screen.findByText("A bowline holds.");
    await everyActIsKnown();
    const written = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    expect(runCommand("answer.copy")).toBe(true);
    expect(written).toHaveBeenLastCalledWith("A bowline holds.");
    expect(runCommand("question.copy")).toBe(true);
    expect(written).toHaveBeenLastCalledWith("Which knot holds?");
    written.mockRestore();
    // One that nobody registered as a command is found.
    const added = document.createElement("button");
    added.textContent = "Read aloud";
    screen.getByText("A bowline holds.").closest("li")?.append(added);
    expect(unknownActs()).toEqual(["Read aloud"]);
    added.remove();
    act(() => void runCommand("question.edit"));
    expect(await screen.findByRole("textbox", { name: "Edit message" })).toHaveFocus();
  });

  it("of a failed answer are found by the words of their buttons, and act", async () => {
    await storeStates([{ name: "Knots", conversation: endedKnots("failed", "connect") }]);
    const { user, path } = visitStudio("/playground");
    await notice();
    await user.keyboard("{Control>}k{/Control}");
    await screen.findByRole("combobox", { name: "Search commands" });
    await user.paste("try again");
    expect(await screen.findByRole("option", { name: /^Response: regenerate/ })).toBeVisible();
    await user.keyboard("{Escape}");
    expect(runCommand("playground.check-key")).toBe(true);
    await waitFor(() => expect(path()).toMatch(/^\/connect\?back=/));
  });
});
