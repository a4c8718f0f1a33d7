import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { SETTINGS_KEYWORD, settingsText } from "#media/metadata/file-settings.ts";
import { withPngTexts } from "#media/metadata/png-text.ts";
import { rememberedPrompts } from "#schema-form/controls/prompt-memory.ts";
import { writeSharedPayload } from "#screens/create/shared-payload.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { visitCreate } from "./visit-create.tsx";

const prompt = () => screen.findByRole("textbox", { name: "Prompt" });

describe("moving between models", () => {
  it("carries the prompt, names what was left out, and Undo removes it", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    await user.type(await prompt(), "A lamp at dusk");
    await user.click(screen.getByRole("button", { name: /^Model: lumen-2/ }));
    const dialog = await screen.findByRole("dialog", { name: "Choose a model" });
    await user.type(within(dialog).getByRole("searchbox"), "halide-turbo{Enter}");
    const line = await screen.findByText(/^Kept: Prompt/);
    expect(await prompt()).toHaveValue("A lamp at dusk");
    await user.click(within(line.parentElement as HTMLElement).getByRole("button", { name: "Undo" }));
    expect(await prompt()).toHaveValue("");
    expect(screen.queryByText(/^Kept:/)).not.toBeInTheDocument();
  });

  it("restores the settings of the studio's own files, also for another model", async () => {
    const { router } = await visitCreate("/create/lumen-2");
    await prompt();
    const text = settingsText({ model: "halide-turbo", payload: { prompt: "A storm" } });
    const made = withPngTexts(PNG_BYTES, { [SETTINGS_KEYWORD]: text }) as Blob;
    const dataTransfer = { files: [new File([made], "storm.png")], types: ["Files"] };
    fireEvent.dragOver(document.body, { dataTransfer });
    fireEvent.drop(document.body, { dataTransfer });
    await waitFor(() => expect(router.state.location.pathname).toBe("/create/halide-turbo"));
    expect(await screen.findByText("The settings in storm.png are in the form.")).toBeVisible();
    expect(await prompt()).toHaveValue("A storm");
  });

  it("fills in a link's settings once and removes them from the address", async () => {
    const p = await writeSharedPayload({ prompt: "A shared lamp", seed: 7 });
    const { router } = await visitCreate(`/create/lumen-2?p=${p}`);
    expect(await screen.findByText("The settings are in the form.")).toBeVisible();
    expect(await prompt()).toHaveValue("A shared lamp");
    expect(router.state.location.search).toEqual({});
  });

  it("reports a broken link, and leaves the form unchanged", async () => {
    await visitCreate("/create/lumen-2?p=znonsense");
    expect(await screen.findByText("The settings of this link could not be read.")).toBeVisible();
    expect(await prompt()).toHaveValue("");
  });

  it("fills in a job's settings once, also over a reload; Undo removes them", async () => {
    const { user, router } = await visitCreate("/create/lumen-2-fast");
    await user.type(await prompt(), "Moss garden");
    const run = screen.getByRole("button", { name: "Run" });
    await waitFor(() => expect(run).toHaveTextContent("$"));
    await waitFor(() => expect(run).not.toHaveAttribute("aria-disabled"));
    await user.click(run);
    await user.click(await screen.findByRole("link", { name: "Open job" }));
    await user.click(await screen.findByRole("link", { name: "Edit and run again" }));
    await screen.findByText("The settings of that job are in the form.");
    expect(router.state.location.search).not.toHaveProperty("from");
    await user.clear(await prompt());
    await user.type(await prompt(), "Another garden");
    await user.click(screen.getByRole("button", { name: /^Moss garden, / }));
    await screen.findByRole("link", { name: "Edit and run again" });
    await user.keyboard("r");
    const line = await screen.findByText("The settings of that job are in the form.");
    expect(await prompt()).toHaveValue("Moss garden");
    expect(router.state.location.search).not.toHaveProperty("from");
    await user.click(within(line.parentElement as HTMLElement).getByRole("button", { name: "Undo" }));
    expect(await prompt()).toHaveValue("Another garden");

    await user.click(screen.getByRole("button", { name: "Animate" }));
    const dialog = await screen.findByRole("dialog", { name: "Animate this image" });
    const takers = await within(dialog).findAllByRole("button", { name: /Video .*As / });
    await waitFor(() => expect(dialog).not.toHaveTextContent("Loading models"));
    expect(within(dialog).queryByRole("button", { name: /Image .*As / })).not.toBeInTheDocument();
    await user.click(takers[0] as HTMLElement);
    expect(await screen.findByText(/is the file from your history\.$/)).toBeVisible();
  });

  it("reports unreadable settings of a job, and leaves the form unchanged", async () => {
    await visitCreate("/create/lumen-2?from=nope&keep=all");
    expect(
      await screen.findByText(/^The settings of that job could not be read: .+ The form did not change\.$/),
    ).toBeVisible();
    expect(await prompt()).toHaveValue("");
  });

  it("remembers the prompt at Run", async () => {
    const { user } = await visitCreate("/create/lumen-2-fast");
    await user.type(await prompt(), "Moss garden");
    const run = screen.getByRole("button", { name: "Run" });
    await waitFor(() => expect(run).toHaveTextContent("$"));
    await waitFor(() => expect(run).not.toHaveAttribute("aria-disabled"));
    await user.click(run);
    await waitFor(() => expect(rememberedPrompts()).toEqual(["Moss garden"]));
  });
});

describe("presets of a model", () => {
  it("are saved, used, renamed and deleted", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    await user.type(await prompt(), "A lamp");
    await user.click(screen.getByRole("button", { name: "Presets" }));
    const dialog = await screen.findByRole("dialog", { name: "Presets" });
    await user.type(within(dialog).getByRole("textbox"), "Evening{Enter}");
    await user.click(await within(dialog).findByRole("button", { name: "Rename Evening" }));
    await user.clear(within(dialog).getByRole("textbox", { name: "New name for Evening" }));
    await user.type(within(dialog).getByRole("textbox", { name: "New name for Evening" }), "Dusk{Enter}");
    await within(dialog).findByRole("button", { name: "Dusk" });
    await user.keyboard("{Escape}");
    await user.clear(await prompt());
    await user.click(screen.getByRole("button", { name: "Presets" }));
    await user.click(await screen.findByRole("button", { name: "Dusk" }));
    expect(await prompt()).toHaveValue("A lamp");
    await user.click(screen.getByRole("button", { name: "Presets" }));
    await user.click(await screen.findByRole("button", { name: "Delete Dusk" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Presets" })).not.toBeInTheDocument());
  });

  it("become a link without files from this device", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    await user.type(await prompt(), "A lamp");
    await user.click(screen.getByRole("button", { name: "Presets" }));
    await user.click(await screen.findByRole("button", { name: "Copy link" }));
    expect(await screen.findByText("Link copied.")).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/\/create\/lumen-2\?p=z[\w-]+$/);
  });
});
