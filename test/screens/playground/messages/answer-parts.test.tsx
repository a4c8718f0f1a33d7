import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportMarkdown } from "#chat/conversations/conversation-export.ts";
import { loadConversation } from "#chat/conversations/stored-conversations.ts";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { type SandboxServer, startSandboxServer } from "../../../setup/sandbox-server.ts";
import { freshDatabase } from "../../../storage/fresh-database.ts";
import { expectNoViolations } from "../../../ui/expect-no-violations.ts";
import { visitStudio } from "../../visit-studio.tsx";

let server: SandboxServer;
beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

/** The playground on an endpoint, of a service with these quirks. */
async function visit(endpoint: string, ...quirks: string[]) {
  server = startSandboxServer({ seed: 1, speed: 60, quirks });
  const { user } = visitStudio(`/playground/${endpoint}`);
  await screen.findByRole("radiogroup", { name: "Endpoint" });
  if (endpoint === "completions") {
    await user.click(await screen.findByRole("radio", { name: "Chat template" }));
  }
  const ask = async (text: string) => {
    await user.click(await screen.findByRole("textbox", { name: /^Message/ }));
    await user.paste(text);
    await user.keyboard("{Enter}");
  };
  return { user, ask };
}
const messages = () => screen.getByRole("list", { name: "Messages" });
const bodies = () => server.sandbox.inspect().requests.filter(({ route }) => /^(messages|responses)$/.test(route));

// Part 6: what an answer holds besides its text.
describe("an answer that is more than text", () => {
  it.each(["messages", "responses", "completions"])("shows the call of a tool on %s, which nobody runs", async (on) => {
    const { user, ask } = await visit(on, "tool-call-answer");
    await ask("Weather tps:2000 long:20");
    const call = await within(await screen.findByRole("list", { name: "Messages" })).findByText("get_weather");
    expect(screen.queryByText("The answer was empty.")).not.toBeInTheDocument();
    await user.click(call);
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Arguments" })).toHaveValue('{\n  "city": "Oslo",\n  "days": 2\n}'),
    );
    expect(screen.getByRole("button", { name: "Copy: Arguments" })).toBeInTheDocument();
    expect(messages()).toHaveTextContent("The studio runs no tools.");
    await expectNoViolations();
  });

  it("keeps a call in storage and in the Markdown export, and counts it in the comparison", async () => {
    const { user, ask } = await visit("messages", "tool-call-answer");
    await ask("Weather tps:2000 long:20");
    await screen.findByText(/^[\d,]+ tokens$/);
    const { accountId = "" } = getConnection() ?? {};
    const id = localStorage.getItem(`safelight:last-chat|${accountId}`) ?? "";
    await waitFor(async () => {
      const stored = await loadConversation(accountId, id);
      expect(stored && exportMarkdown(stored)).toContain('Tool call: get_weather\n\n```json\n{"city":"Oslo","days":2}');
    });
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(await screen.findByRole("menuitem", { name: "Compare metrics" }));
    expect(await screen.findByRole("row", { name: "Other content 1 tool call" })).toBeVisible();
  });

  it.each(["messages", "responses", "completions"])("lists the sources of an answer on %s as links", async (on) => {
    const { ask } = await visit(on, "citations-in-answer");
    await ask("Tides tps:2000 long:20");
    const list = await screen.findByRole("list", { name: "Citations" });
    expect(within(list).getByRole("link", { name: "Neap tides explained" })).toHaveAttribute(
      "href",
      "https://tide.example/neap",
    );
    expect(list).toHaveTextContent("tide.example");
  });

  it("shows a block of an unknown kind, folded, with its JSON", async () => {
    const { user, ask } = await visit("messages", "unknown-blocks");
    await ask("Tides tps:2000 long:20");
    await user.click(await within(await screen.findByRole("list", { name: "Messages" })).findByText("tidal_chart"));
    expect(screen.getByRole("textbox", { name: "Raw data" })).toHaveValue(
      JSON.stringify({ type: "tidal_chart", station: "Oslo", heights: [12, 48] }, null, 2),
    );
  });

  it("shows the model's refusal as one, in its words", async () => {
    const { ask } = await visit("responses", "refusal-answer");
    await ask("How tps:2000 long:20");
    expect(await screen.findByText("Not sent along with later messages")).toBeVisible();
    expect(screen.getByText("The model refused to answer")).toBeVisible();
    expect(messages()).toHaveTextContent("I can\u2019t help with that.");
  });
});

// Part 6: a turn that was refused.
describe("a question that was refused", () => {
  it("does not go along with the next one, until it is sent along", async () => {
    const { user, ask } = await visit("messages", "moderation-refusal");
    await ask("A forbidden thing");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Nothing was charged.");
    expect(within(messages()).getByText("Not sent along with later messages")).toBeVisible();
    await ask("Tides tps:2000 long:20");
    await screen.findByText(/^[\d,]+ tokens$/);
    expect(bodies().map(({ status }) => status)).toEqual([400, 200]);
    await expectNoViolations();

    await user.click(screen.getByRole("button", { name: "Include in later messages" }));
    expect(within(messages()).queryByText("Not sent along with later messages")).not.toBeInTheDocument();
    await ask("And more tps:2000 long:20");
    await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
    expect(bodies().map(({ status }) => status)).toEqual([400, 200, 400]);
  });

  it("loses its mark when another try is answered", async () => {
    const { user, ask } = await visit("messages", "moderation-refusal");
    await ask("A forbidden thing");
    await screen.findByText("Not sent along with later messages");
    server.sandbox.configure({ quirks: [] });
    await user.click(await screen.findByRole("button", { name: "Try again" }));
    await screen.findByText(/^[\d,]+ tokens$/);
    expect(screen.queryByText("Not sent along with later messages")).not.toBeInTheDocument();
  });

  it("is one of a pair that the person can leave out by hand", async () => {
    const { user, ask } = await visit("messages");
    await ask("One tps:2000 long:20");
    await screen.findByText(/^[\d,]+ tokens$/);
    await user.click(screen.getAllByRole("button", { name: "More actions" })[0] as HTMLElement);
    await user.click(screen.getByRole("menuitem", { name: "Exclude from later messages" }));
    expect(within(messages()).getByText("Not sent along with later messages")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Include in later messages" }));
    expect(screen.queryByText("Not sent along with later messages")).not.toBeInTheDocument();
  });
});

// Spec 4.2.
describe("what the specification names", () => {
  it("a service that takes a string alone gets the conversation as one, once found out", async () => {
    const { ask } = await visit("responses", "input-string-only");
    for (const [count, text] of ["One", "Two", "Three"].entries()) {
      await ask(`${text} tps:2000 long:20`);
      await waitFor(() => expect(screen.getAllByText(/^[\d,]+ tokens$/)).toHaveLength(count + 1));
    }
    expect(bodies().map(({ status }) => status)).toEqual([200, 422, 200, 200]);
    expect(screen.getByText("plain text input")).toBeVisible();
  });

  it("completions gets max_tokens, which the parameters show", async () => {
    const { ask } = await visit("completions", "max-tokens-required");
    await ask("Once tps:2000");
    await screen.findByText(/^[\d,]+ tokens$/);
    expect(await screen.findByRole("textbox", { name: /^Max tokens/ })).toHaveValue("1024");
  });
});
