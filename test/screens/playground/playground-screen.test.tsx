import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveConversation } from "#chat/conversation-rows.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { reopenRows } from "#storage/database.ts";
import { someConversation } from "../../chat/some-conversation.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { expectNoViolations } from "../../ui/expect-no-violations.ts";
import { visitStudio } from "../visit-studio.tsx";

let server: SandboxServer;
beforeEach(async () => {
  localStorage.clear();
  indexedDB.deleteDatabase("safelight");
  reopenRows();
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
    await expectNoViolations();
  });

  it("spec 7: a generation model asked for text is told apart, with a link to Create", async () => {
    const scope = getConnection()?.keyFingerprint ?? "";
    const conversation = someConversation("Hello", "Hi");
    const columns = conversation.columns.map((column) => ({ ...column, model: "lumen-2" }));
    await saveConversation(scope, { ...conversation, title: "Pictures", columns });
    localStorage.setItem(`safelight:last-chat|${scope}`, conversation.id);
    const { user, path } = visitStudio("/playground");
    await screen.findByRole("heading", { level: 1, name: "Pictures" });
    await user.type(await composer(), "A boat{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("This model belongs to the other catalogue");
    await user.click(screen.getByRole("link", { name: "Open lumen-2 in Create" }));
    await waitFor(() => expect(path()).toBe("/create/lumen-2"));
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
  });
});
