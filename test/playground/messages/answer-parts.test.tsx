import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { exportMarkdown } from "#playground/conversations/conversation-export.ts";
import { loadConversation } from "#text/conversations/stored-conversations.ts";
import { everyActIsKnown } from "../../app/acts-on-screen.ts";
import { knots, storeStates } from "../../app/playground-states.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";
import { visitPlayground } from "../visit-playground.tsx";

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
  const { user } = visitPlayground(`/playground/${endpoint}`);
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

const answered = (count = 1) => waitFor(() => expect(screen.getAllByText(/^[\d,]+ tokens$/)).toHaveLength(count));
const LEFT_OUT = "Excluded from context";

// Part 6: what an answer holds besides its text. That each endpoint is read so: `api/quirks`, `api/text-readers`.
describe("an answer that is more than text", () => {
  it("shows the call of a tool, which nobody runs, keeps and exports it, and counts it in the comparison", async () => {
    const { user, ask } = await visit("messages", "tool-call-answer");
    await ask("Weather tps:2000 long:20");
    await answered();
    await user.click(within(messages()).getByText("get_weather"));
    expect(screen.queryByText("The answer was empty.")).not.toBeInTheDocument();
    expect(screen.getByRole("textbox", { name: "Arguments" })).toHaveValue('{\n  "city": "Oslo",\n  "days": 2\n}');
    expect(screen.getByRole("button", { name: "Copy: Arguments" })).toBeInTheDocument();
    expect(messages()).toHaveTextContent("Safelight doesn’t run tools.");
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

  // A completion needs max_tokens here, which the parameters show (spec 4.2).
  it("lists its sources as links, as does a completion through the chat template", async () => {
    const { ask } = await visit("completions", "citations-in-answer", "max-tokens-required");
    await ask("Tides tps:2000 long:20");
    const list = await screen.findByRole("list", { name: "Citations" });
    expect(within(list).getByRole("link", { name: "Neap tides explained" })).toHaveAttribute(
      "href",
      "https://tide.example/neap",
    );
    expect(list).toHaveTextContent("tide.example");
    expect(await screen.findByRole("textbox", { name: /^Max tokens/ })).toHaveValue("1024");
  });

  it("shows a block of an unknown kind, folded, with its JSON", async () => {
    const { user, ask } = await visit("messages", "unknown-blocks");
    await ask("Tides tps:2000 long:20");
    await user.click(await within(await screen.findByRole("list", { name: "Messages" })).findByText("tidal_chart"));
    expect(screen.getByRole("textbox", { name: "Raw data" })).toHaveValue(
      JSON.stringify({ type: "tidal_chart", station: "Oslo", heights: [12, 48] }, null, 2),
    );
  });

  // Spec 4.2: a service that takes a string alone gets the conversation as one, once that was found out.
  it("shows the model's refusal as one, in its words, and says that the input was plain text", async () => {
    const { ask } = await visit("responses", "refusal-answer", "input-string-only");
    await ask("How tps:2000 long:20");
    expect(await screen.findByText(LEFT_OUT)).toBeVisible();
    expect(screen.getByText("The model declined to respond")).toBeVisible();
    expect(messages()).toHaveTextContent("I can\u2019t help with that.");
    await answered(1);
    server.sandbox.configure({ quirks: ["input-string-only"] });
    await ask("Two tps:2000 long:20");
    await answered(2);
    await ask("Three tps:2000 long:20");
    await answered(3);
    expect(bodies().map(({ status }) => status)).toEqual([200, 200, 422, 200]);
    expect(screen.getByText("Plain text input")).toBeVisible();
  });
});

// Part 6: a turn that was refused.
describe("a question that was refused", () => {
  it("does not go along with the next one, until it is sent along or another try is answered", async () => {
    const { user, ask } = await visit("messages", "moderation-refusal");
    await ask("A forbidden thing");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Not charged: the service rejected this message.");
    expect(within(messages()).getByText(LEFT_OUT)).toBeVisible();
    await everyActIsKnown();
    await ask("Tides tps:2000 long:20");
    await answered();
    expect(bodies().map(({ status }) => status)).toEqual([400, 200]);

    await user.click(screen.getByRole("button", { name: "Include in context" }));
    expect(within(messages()).queryByText(LEFT_OUT)).not.toBeInTheDocument();
    await ask("And more tps:2000 long:20");
    await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
    expect(bodies().map(({ status }) => status)).toEqual([400, 200, 400]);

    expect(within(messages()).getByText(LEFT_OUT)).toBeVisible();
    server.sandbox.configure({ quirks: [] });
    await user.click(
      within(screen.getAllByRole("alert").at(-1) as HTMLElement).getByRole("button", { name: "Try again" }),
    );
    await answered(2);
    expect(screen.queryByText(LEFT_OUT)).not.toBeInTheDocument();
  });

  it("is one of a pair that the person can leave out by hand", async () => {
    server = startSandboxServer({ seed: 1, speed: 60 });
    await storeStates([{ name: "Knots", conversation: knots() }]);
    const { user } = visitPlayground();
    await screen.findByText("A bowline holds.");
    await user.click(screen.getAllByRole("button", { name: "More actions" })[0] as HTMLElement);
    await user.click(screen.getByRole("menuitem", { name: "Exclude from context" }));
    expect(within(messages()).getByText(LEFT_OUT)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Include in context" }));
    expect(screen.queryByText(LEFT_OUT)).not.toBeInTheDocument();
  });
});
