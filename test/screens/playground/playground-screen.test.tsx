import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createConversationStore } from "#chat/conversation-store.ts";
import { saveConversation } from "#chat/stored-conversations.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { someConversation } from "../../chat/some-conversation.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { expectNoViolations } from "../../ui/expect-no-violations.ts";
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

const composer = () => screen.findByRole("textbox", { name: /^Ask/ });
const finished = (count: number) =>
  waitFor(() => expect(screen.getAllByText(/^[\d,]+ tokens$/)).toHaveLength(count), { timeout: 10_000 });
const requests = () =>
  server.sandbox.inspect().requests.filter(({ route }) => /^(messages|responses|completions)$/.test(route));

describe("the playground", () => {
  it("spec 4.2: asks on messages, shows the answer, what was measured, and is free of violations", async () => {
    const { user } = visitStudio("/playground");
    await user.type(await composer(), "Name three tides tps:2000{Enter}");
    await finished(1);
    const messages = screen.getByRole("list", { name: "Messages" });
    expect(within(messages).getByText("Name three tides tps:2000", { selector: "div" })).toBeVisible();
    expect(within(messages).getByText(/^\d+ tokens$/)).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Name three tides tps:2000");
    expect(await screen.findByRole("status", { name: "Answers" })).toHaveTextContent(/quill-2 answered:/);
    await expectNoViolations();
  });

  it("a regenerated answer is a version beside the first, and both can be shown", async () => {
    const { user } = visitStudio("/playground");
    await user.type(await composer(), "A word tps:2000{Enter}");
    await finished(1);
    await user.click(screen.getByRole("button", { name: "Regenerate" }));
    await screen.findByText("2 / 2");
    await finished(1);
    await user.click(screen.getByRole("button", { name: "Version before" }));
    expect(screen.getByText("1 / 2")).toBeVisible();
  });

  it("an edited question is asked again, and the first one stays one press away", async () => {
    const { user } = visitStudio("/playground");
    await user.type(await composer(), "First tps:2000{Enter}");
    await finished(1);
    await user.click(screen.getAllByRole("button", { name: "Edit" })[0] as HTMLElement);
    const editor = screen.getByRole("textbox", { name: "Edit your message" });
    await user.clear(editor);
    await user.type(editor, "Second tps:2000");
    await user.click(screen.getByRole("button", { name: "Ask again" }));
    expect(await screen.findByText("Second tps:2000", { selector: "div" })).toBeVisible();
    await finished(1);
    await user.click(screen.getAllByRole("button", { name: "Version before" })[0] as HTMLElement);
    expect(screen.getByText("First tps:2000", { selector: "div" })).toBeVisible();
    await user.click(screen.getAllByRole("button", { name: "More about this message" })[0] as HTMLElement);
    await user.click(screen.getByRole("menuitem", { name: "Delete this version" }));
    expect(screen.queryByText("First tps:2000", { selector: "div" })).not.toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(screen.getByText("First tps:2000", { selector: "div" })).toBeVisible();
  });

  it("spec 1: one search covers both catalogues; a model in neither is refused and charged nothing", async () => {
    const { user } = visitStudio("/playground");
    await user.click(await screen.findByRole("button", { name: "Model: quill-2" }));
    const search = await screen.findByRole("searchbox", { name: "Search models" });
    await user.type(search, "lumen-2");
    expect(await screen.findByRole("list", { name: "Generation models, in Create" })).toBeVisible();
    await user.clear(search);
    await user.type(search, "no-such-model");
    await user.click(screen.getByRole("button", { name: /no-such-model/ }));
    await user.type(await composer(), "Hello{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Nothing was charged.");
    expect(within(alert).getByRole("button", { name: "Choose another model" })).toBeVisible();
    await expectNoViolations();
  });

  it("spec 7: a generation model asked for text is told apart, with a link to Create", async () => {
    const accountId = getConnection()?.accountId ?? "";
    const conversation = someConversation("Hello", "Hi");
    const columns = conversation.columns.map((column) => ({ ...column, model: "lumen-2" }));
    await saveConversation(accountId, { ...conversation, title: "Pictures", columns });
    localStorage.setItem(`safelight:last-chat|${accountId}`, conversation.id);
    const { user, path } = visitStudio("/playground");
    await screen.findByRole("heading", { level: 1, name: "Pictures" });
    await user.type(await composer(), "A boat{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This model belongs to the other catalogue");
    await user.click(screen.getByRole("link", { name: "Open lumen-2 in Create" }));
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
  });

  it("spec 7: a text model opened in Create is told apart, with a link that asks it here", async () => {
    const { user, path } = visitStudio("/create/quill-2-swift");
    expect(await screen.findByText("This model belongs to the other catalogue")).toBeVisible();
    await user.click(screen.getByRole("link", { name: "Open quill-2-swift in Playground" }));
    expect(await screen.findByRole("button", { name: "Model: quill-2-swift" })).toBeVisible();
    await waitFor(() => expect(path()).toBe("/playground"));
  });

  it("spec 1: the palette finds models of both catalogues and opens each on its own screen", async () => {
    const { user, path } = visitStudio("/playground");
    await composer();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search commands" }), "quill-2-p");
    await user.click(await screen.findByRole("option", { name: "quill-2-ponder" }));
    expect(await screen.findByRole("button", { name: "Model: quill-2-ponder" })).toBeVisible();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search commands" }), "lumen-2");
    await user.click(await screen.findByRole("option", { name: "lumen-2" }));
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
  });

  it("conversations are found by what was said in them, and deleting the open one leaves a new one", async () => {
    const accountId = getConnection()?.accountId ?? "";
    const boats = { ...someConversation("Which knot holds?", "A bowline holds."), id: "boats", title: "Boats" };
    const tides = { ...someConversation("When is it high?", "Twice a day."), id: "tides", title: "Tides" };
    for (const conversation of [boats, tides]) await saveConversation(accountId, conversation);
    localStorage.setItem(`safelight:last-chat|${accountId}`, "boats");
    const { user } = visitStudio("/playground");
    await screen.findByRole("heading", { level: 1, name: "Boats" });
    await user.type(await composer(), "Not sent yet");
    await user.click(screen.getByRole("button", { name: "Conversations" }));
    await user.type(await screen.findByRole("searchbox", { name: "Search conversations" }), "bowline");
    expect(await screen.findByText("bowline", { selector: "mark" })).toBeVisible();
    await waitFor(() => expect(screen.queryByText("Tides")).not.toBeInTheDocument());
    await user.click(screen.getByRole("button", { name: "Delete Boats" }));
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(
      await screen.findByRole("heading", { level: 1, name: "New conversation", hidden: true }),
    ).toBeInTheDocument();
    expect(await composer()).toHaveValue("");
  });

  it("spec 7: a refused key leads to Connect and back, and what is written and not sent is there again", async () => {
    const { user, path } = visitStudio("/playground");
    await user.click(await composer());
    await user.paste("Hello error:401");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("Nothing was charged.");
    await user.paste("Half a thought");
    await user.click(screen.getByRole("link", { name: "Check the key" }));
    await user.click(await screen.findByRole("button", { name: "Go on with it" }));
    expect(await composer()).toHaveValue("Half a thought");
    expect(screen.getByText("Hello error:401", { selector: "div" })).toBeVisible();
    expect(path()).toBe("/playground");
  });

  it("the same question again, as often as asked, and how far its answers spread", async () => {
    const { user } = visitStudio("/playground");
    await user.type(await composer(), "A word tps:2000 long:20{Enter}");
    await finished(1);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Compare what was measured" }));
    const times = await screen.findByRole("textbox", { name: "Run the newest question again" });
    await user.clear(times);
    await user.type(times, "2{Enter}");
    expect(await screen.findByText(/, 3 versions/, undefined, { timeout: 10_000 })).toBeVisible();
    await waitFor(() => expect(screen.getByRole("button", { name: "Run" })).toBeVisible(), { timeout: 10_000 });
    expect(screen.getByRole("row", { name: /^To the first token \d.*to/ })).toBeVisible();
    expect(requests()).toHaveLength(3);
    await expectNoViolations();
  });

  it("a message that is written while one answers waits for its turn", async () => {
    const { user } = visitStudio("/playground");
    await user.click(await composer());
    await user.paste("One long:300 tps:60");
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: /Stop/ });
    await user.paste("Two tps:2000");
    await user.keyboard("{Enter}");
    expect(screen.getByRole("list", { name: "Waiting to be sent" })).toHaveTextContent("Next: Two");
    expect(requests()).toHaveLength(1);
    await finished(2);
    expect(requests()).toHaveLength(2);
  });

  it("after a stop, what waits is sent only when the person says so: it would cost", async () => {
    const { user } = visitStudio("/playground");
    await user.click(await composer());
    await user.paste("One long:2000 tps:20");
    await user.keyboard("{Enter}");
    await screen.findByText(/s to first/);
    await user.paste("Two tps:2000");
    await user.keyboard("{Enter}{Escape}");
    await screen.findByText("What arrived is kept; it may still be billed.");
    expect(requests()).toHaveLength(1);
    // As a reload finds it: with the tab, and still waiting for a word.
    expect(createConversationStore(getConnection()?.accountId ?? "").store.getState().queue).toMatchObject([
      { text: "Two tps:2000", isHeld: true },
    ]);
    await user.click(screen.getByRole("button", { name: "Send now" }));
    await finished(1);
    expect(requests()).toHaveLength(2);
  });

  it("Stop with Esc keeps what arrived and says that it may be billed", async () => {
    const { user } = visitStudio("/playground");
    await user.type(await composer(), "Slow tps:20{Enter}");
    await screen.findByText(/s to first/);
    await user.keyboard("{Escape}");
    expect(await screen.findByText("What arrived is kept; it may still be billed.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(requests()).toHaveLength(2));
    await user.click(await screen.findByRole("button", { name: /^Stop/ }));
  });
});
