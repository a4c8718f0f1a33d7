import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { giveLayout } from "../../setup/give-layout.ts";
import { visitCreate } from "./visit-create.tsx";

const button = () => screen.getByRole("button", { name: "Run" });
const notice = () => screen.queryByText("Inactive on the last run");

// Spec 3: the submit answers 404, which names the model; nothing is charged.
describe("a model that is inactive", () => {
  it("is marked after a run, offers others of its kind, and opens one with the same words", async () => {
    onTestFinished(giveLayout({ height: 600 }));
    const { user, sandbox } = await visitCreate("/create/lumen-1");
    await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "A lamp");
    await waitFor(() => expect(button()).not.toHaveAttribute("aria-disabled"));
    await user.click(button());
    expect(await screen.findByText(/The service said so on .* and charged nothing\./)).toBeVisible();
    expect(notice()).toBeVisible();
    expect(sandbox.sandbox.inspect().jobs).toHaveLength(0);
    await user.click(screen.getByRole("button", { name: /^Model:/ }));
    const picker = await screen.findByRole("dialog", { name: "Choose a model" });
    await user.type(within(picker).getByRole("searchbox", { name: "Search models" }), "lumen-1");
    expect(await within(picker).findByText("Inactive")).toBeVisible();
    await user.keyboard("{Escape}");
    await user.click(await screen.findByRole("button", { name: "Use lumen-2" }));
    await screen.findByRole("button", { name: /Model: lumen-2 / });
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Prompt" })).toHaveValue("A lamp"));
    expect(notice()).toBeNull();
  });
});
