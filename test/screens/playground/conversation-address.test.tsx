import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveConversation } from "#chat/conversations/stored-conversations.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { runCommand } from "#ui/command-store.ts";
import { someConversation } from "../../chat/conversations/some-conversation.ts";
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
  const accountId = getConnection()?.accountId ?? "";
  const boats = { ...someConversation("Which knot holds?", "A bowline holds."), id: "boats", title: "Boats" };
  const tides = { ...someConversation("When is it high?", "Twice a day."), id: "tides", title: "Tides" };
  for (const conversation of [boats, tides]) await saveConversation(accountId, conversation);
});
afterEach(() => {
  disconnect();
  server.close();
});

const title = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("the address of a conversation", () => {
  it("opens it, and the list goes to another", async () => {
    const { user, path } = visitStudio("/playground/boats");
    await title("Boats");
    await waitFor(() => expect(document.title).toBe("Boats · Safelight"));
    await user.click(screen.getByRole("link", { name: /^Tides/ }));
    await title("Tides");
    expect(path()).toBe("/playground/tides");
    act(() => void runCommand("playground.new"));
    await waitFor(() => expect(path()).toBe("/playground"));
    await title("New conversation");
  });

  it("that is not stored here says so, with the list and a new conversation", async () => {
    const { user, path } = visitStudio("/playground/nowhere");
    expect(await screen.findByText("This conversation is not in this browser")).toBeVisible();
    await expectNoViolations();
    expect(screen.getByRole("link", { name: /^Boats/ })).toBeVisible();
    const main = screen.getByRole("main");
    await user.click(within(main).getAllByRole("button", { name: "New conversation" }).at(-1) as HTMLElement);
    await title("New conversation");
    expect(path()).toBe("/playground");
  });

  it("of a deleted one is gone, until Undo", async () => {
    const { user, path } = visitStudio("/playground/boats");
    await title("Boats");
    act(() => screen.getByRole("link", { name: /^Boats/ }).focus());
    await user.keyboard("{Delete}");
    await title("New conversation");
    expect(screen.queryByRole("link", { name: /^Boats/ })).not.toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await title("Boats");
    expect(screen.getByText("A bowline holds.")).toBeVisible();
    await waitFor(() => expect(path()).toBe("/playground/boats"));
  });
});

describe("a column that is added", () => {
  it("begins with the same messages; blind, no column names its model until the vote", async () => {
    const { user } = visitStudio("/playground/boats");
    await title("Boats");
    await user.click(screen.getByRole("button", { name: "Add column" }));
    expect(screen.getAllByText("A bowline holds.")).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(screen.getByRole("menuitem", { name: "Compare blind" }));
    expect(await screen.findByText("Which answer is better?")).toBeVisible();
    expect(within(screen.getByRole("main")).queryByText(/quill-2/)).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /quill-2|Request log|Code/ })).not.toBeInTheDocument();
    await expectNoViolations();
    await user.click(screen.getByRole("button", { name: "Tie" }));
    expect(screen.getByText("A: quill-2, B: quill-2")).toBeVisible();
  });
});
