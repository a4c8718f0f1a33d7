import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Chat, useChat, useChatState } from "#chat/chat.ts";
import type { Column } from "#chat/conversation.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { ColumnSettings } from "#screens/playground/column-settings.tsx";
import { freshDatabase } from "../../storage/fresh-database.ts";

beforeEach(async () => {
  localStorage.clear();
  freshDatabase();
  await openSandbox();
});
afterEach(disconnect);

/** The settings of a new conversation's only column. */
function openSettings() {
  let chat: Chat | undefined;
  function Settings() {
    chat = useChat();
    const current = useChatState((state) => state.current);
    if (current === undefined) return null;
    const dialog = { kind: "settings" as const, columnId: current.columns[0]?.id ?? "" };
    return <ColumnSettings conversation={current} dialog={dialog} onClose={() => {}} />;
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
  expect(await screen.findByText("At most 1.")).toBeVisible();
  expect(column().params).toEqual({ max_tokens: 1024 });

  const others = screen.getByRole("textbox", { name: "Extra JSON" });
  await user.click(others);
  await user.paste('{ "model": "other" }');
  expect(await screen.findByText("model is set by the conversation.")).toBeVisible();
  await user.clear(others);
  await user.paste('{ "metadata": { "run": "a" } }');
  await waitFor(() => expect(screen.queryByText("model is set by the conversation.")).not.toBeInTheDocument());
  expect(column().params).toEqual({ max_tokens: 1024, metadata: { run: "a" } });
});

it("saves a preset and restores its values into the fields", async () => {
  const { user, column } = openSettings();
  const keep = await screen.findByRole("button", { name: "Save" });
  expect(keep).toHaveAttribute("aria-disabled", "true");
  await user.type(screen.getByRole("textbox", { name: /^Temperature/ }), "0.5");
  await user.selectOptions(screen.getByRole("combobox", { name: /^Thinking/ }), "enabled");
  await user.type(screen.getByRole("textbox", { name: "System prompt" }), "Be brief.");
  await user.type(screen.getByRole("textbox", { name: "Save as preset" }), "Short");
  await waitFor(() => expect(keep).not.toHaveAttribute("aria-disabled", "true"));
  await user.click(keep);
  expect(await screen.findByRole("option", { name: "Short" })).toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "Save as preset" })).toHaveValue("");

  await user.clear(screen.getByRole("textbox", { name: /^Temperature/ }));
  await user.clear(screen.getByRole("textbox", { name: "System prompt" }));
  expect(column()).toMatchObject({ system: "", params: { thinking: { type: "enabled" } } });
  const presets = screen.getByRole("combobox", { name: "Presets" }).closest("div") as HTMLElement;
  await user.click(within(presets).getByRole("button", { name: "Use" }));
  expect(column()).toMatchObject({ system: "Be brief.", params: { max_tokens: 1024, temperature: 0.5 } });
  expect(screen.getByRole("textbox", { name: /^Temperature/ })).toHaveValue("0.5");
  expect(screen.getByRole("textbox", { name: "System prompt" })).toHaveValue("Be brief.");
});
