import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { runsTool } from "#playground/parameters/proposal-instructions.ts";
import { SettingsForm } from "#playground/parameters/settings-form.tsx";
import { type Chat, useChat, useChatState } from "#text/chat.ts";
import type { Column } from "#text/conversations/conversation.ts";
import { type SandboxServer, startSandboxServer } from "../../setup/sandbox-server.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

let server: SandboxServer;
beforeEach(async () => {
  localStorage.clear();
  freshDatabase();
  server = startSandboxServer({ seed: 1 });
  await openSandbox();
});
afterEach(() => {
  disconnect();
  server.close();
});

/** Writes what the field holds, in one go. */
async function fill(user: UserEvent, field: HTMLElement, text: string) {
  await user.clear(field);
  await user.click(field);
  await user.paste(text);
}

/** The settings of a new conversation's only column. */
function openSettings() {
  let chat: Chat | undefined;
  function Settings() {
    chat = useChat();
    const current = useChatState((state) => state.current);
    if (current?.columns[0] === undefined) return null;
    return <SettingsForm conversationId={current.id} column={current.columns[0] as Column} top={null} />;
  }
  render(
    <ConnectionProvider>
      <Settings />
    </ConnectionProvider>,
  );
  const { conversations } = chat as unknown as Chat;
  conversations.start({ endpoint: "messages", model: "quill-2" });
  const column = () => conversations.store.getState().current?.columns[0] as Column;
  return { user: userEvent.setup(), column };
}

it("applies a valid parameter at once, and never an invalid one", async () => {
  const { user, column } = openSettings();
  const temperature = await screen.findByRole("textbox", { name: /^Temperature/ });
  await user.type(temperature, "0.5");
  expect(column().params).toEqual({ max_tokens: 1024, temperature: 0.5 });
  await user.type(temperature, "9");
  expect(column().params).toMatchObject({ temperature: 0.59 });
  await user.clear(temperature);
  await user.type(temperature, "3");
  expect(await screen.findByText("Enter 1 or less.")).toBeVisible();
  expect(column().params).toEqual({ max_tokens: 1024 });

  const others = screen.getByRole("textbox", { name: "Extra JSON" });
  await user.click(others);
  await user.paste('{ "model": "other" }');
  expect(await screen.findByText("model is set by the chat.")).toBeVisible();
  await user.clear(others);
  await user.paste('{ "metadata": { "run": "a" } }');
  await waitFor(() => expect(screen.queryByText("model is set by the chat.")).not.toBeInTheDocument());
  expect(column().params).toEqual({ max_tokens: 1024, metadata: { run: "a" } });
});

it("saves a preset, counts what differs from it, and goes back to it", async () => {
  const { user, column } = openSettings();
  await fill(user, await screen.findByRole("textbox", { name: /^Temperature/ }), "0.5");
  await user.selectOptions(screen.getByRole("combobox", { name: /^Thinking/ }), "enabled");
  await fill(user, screen.getByRole("textbox", { name: /^System prompt/ }), "Be brief.");
  expect(screen.getByText("3 changes")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Save as preset" }));
  expect(screen.getByRole("textbox", { name: "Preset name" })).toHaveFocus();
  await fill(user, screen.getByRole("textbox", { name: "Preset name" }), "Short");
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("option", { name: "Short" })).toBeInTheDocument();
  expect(screen.queryByText("3 changes")).not.toBeInTheDocument();
  expect(column().preset).toBe("Short");

  await user.clear(screen.getByRole("textbox", { name: /^Temperature/ }));
  await user.clear(screen.getByRole("textbox", { name: /^System prompt/ }));
  expect(column()).toMatchObject({ system: "", params: { thinking: { type: "enabled" } } });
  expect(screen.getByText("2 changes")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Reset to preset" }));
  expect(column()).toMatchObject({ system: "Be brief.", params: { max_tokens: 1024, temperature: 0.5 } });
  expect(screen.getByRole("textbox", { name: /^Temperature/ })).toHaveValue("0.5");
  expect(screen.getByRole("textbox", { name: /^System prompt/ })).toHaveValue("Be brief.");

  await user.selectOptions(screen.getByRole("combobox", { name: /^Preset/ }), "Default");
  expect(column()).toMatchObject({ system: "", params: { max_tokens: 1024 } });
});

it("adds and removes stop sequences and tools", async () => {
  const { user, column } = openSettings();
  await fill(user, await screen.findByRole("textbox", { name: "Stop sequences" }), "END");
  await user.keyboard("{Enter}");
  expect(column().params.stop_sequences).toEqual(["END"]);
  await user.click(screen.getByRole("button", { name: "Remove stop sequence END" }));
  expect(column().params).not.toHaveProperty("stop_sequences");

  await user.click(screen.getByRole("button", { name: "Tools" }));
  const area = screen.getByRole("textbox", { name: "Tool definition" });
  await user.click(area);
  await user.paste("{ name");
  expect(screen.getByText("Enter a JSON object or a list of objects.")).toBeVisible();
  await user.clear(area);
  await user.paste('{ "name": "tide_table" }');
  await user.click(screen.getByRole("button", { name: "Add tool" }));
  expect(column().params.tools).toEqual([{ name: "tide_table" }]);
  await user.click(screen.getByRole("button", { name: "Remove tool tide_table" }));
  expect(column().params).not.toHaveProperty("tools");
});

it("inserts the instructions for proposing runs once, behind what stands there, with the models of the service", async () => {
  const { user, column } = openSettings();
  const prompt = await screen.findByRole("textbox", { name: /^System prompt/ });
  await fill(user, prompt, "Be brief.");
  // Both within one turn: while the models are asked for, the person goes on typing.
  fireEvent.click(screen.getByRole("button", { name: "Insert instructions for proposing runs" }));
  fireEvent.change(prompt, { target: { value: "Be brief. Be kind." } });
  await waitFor(() => expect(column().system).toMatch(/^Be brief\. Be kind\.\n\nYou can propose runs/));
  expect(prompt).toHaveValue(column().system);
  expect(prompt).toHaveFocus();
  expect(column().system).toContain("- lumen-2: prompt (required), size (512x512, 768x768");
  expect(column().system).toContain("- halide-video");
  expect(screen.queryByRole("button", { name: "Insert instructions for proposing runs" })).not.toBeInTheDocument();
  // The lists of models and of parameters, bounded: no detail is asked for beyond the first models.
  const details = server.sandbox.inspect().requests.filter(({ route }) => /model/.test(route));
  expect(details.length).toBeLessThanOrEqual(9);
});

it("adds the tool for proposing runs on request alone, once", async () => {
  const { user, column } = openSettings();
  await user.click(await screen.findByRole("button", { name: "Add tool propose_runs" }));
  expect(column().params.tools).toEqual([runsTool("messages")]);
  expect(screen.queryByRole("button", { name: "Add tool propose_runs" })).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Remove tool propose_runs" }));
  expect(column().params).toEqual({ max_tokens: 1024 });
});
