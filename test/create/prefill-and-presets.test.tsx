import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeSharedPayload } from "#create/create-search.ts";
import { SETTINGS_KEYWORD, settingsText } from "#media/metadata/file-settings.ts";
import { withPngTexts } from "#media/metadata/png-text.ts";
import { PNG_BYTES } from "../media/sandbox-media.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { visitCreate, write } from "./visit-create.tsx";

const prompt = () => screen.findByRole("textbox", { name: "Prompt" });

describe("settings from elsewhere", () => {
  it("restores the settings of the studio's own files, also for another model", async () => {
    const { router } = await visitCreate("/create/lumen-2");
    await prompt();
    const text = settingsText({ model: "halide-turbo", payload: { prompt: "A storm" } });
    const made = withPngTexts(PNG_BYTES, { [SETTINGS_KEYWORD]: text }) as Blob;
    const dataTransfer = { files: [new File([made], "storm.png")], types: ["Files"] };
    fireEvent.dragOver(document.body, { dataTransfer });
    fireEvent.drop(document.body, { dataTransfer });
    await waitFor(() => expect(router.state.location.pathname).toBe("/create/halide-turbo"));
    expect(await screen.findByText("Settings copied from storm.png.")).toBeVisible();
    expect(await prompt()).toHaveValue("A storm");
  });

  it("fills in a link's settings once; what cannot be read leaves the form unchanged", async () => {
    const p = await writeSharedPayload({ prompt: "A shared lamp", seed: 7 });
    const { router } = await visitCreate(`/create/lumen-2?p=${p}`);
    expect(await screen.findByText("Settings copied from the link.")).toBeVisible();
    expect(await prompt()).toHaveValue("A shared lamp");
    expect(router.state.location.search).toEqual({});
    await router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" }, search: { p: "znonsense" } });
    expect(await screen.findByText("Couldn’t read the settings in this link.")).toBeVisible();
    const from = { from: "nope", keep: "all" } as const;
    await router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" }, search: from });
    expect(
      await screen.findByText(/^Couldn’t load the settings of this job: .+ The form is unchanged\.$/),
    ).toBeVisible();
    expect(await prompt()).toHaveValue("A shared lamp");
  });

  it("fills in a job's settings once, also over a reload; Undo removes them", async () => {
    onTestFinished(giveLayout());
    const { user, router } = await visitCreate("/create/lumen-2-fast", {
      makeJobs: async ({ api }) => [await api.submit({ model: "lumen-2-fast", payload: { prompt: "Moss garden" } })],
    });
    await user.click(await screen.findByRole("link", { name: "Open job" }));
    // Create has a link of the same name, which goes away.
    await screen.findByRole("heading", { level: 1, name: "Moss garden" });
    await user.click(screen.getByRole("link", { name: "Edit and run again" }));
    await screen.findByText("Settings copied from the job.");
    expect(router.state.location.search).not.toHaveProperty("from");
    expect(await prompt()).toHaveValue("Moss garden");
    await write(user, await prompt(), "Another garden");
    await user.click(screen.getByRole("button", { name: /^Moss garden, / }));
    await screen.findByRole("link", { name: "Edit and run again" });
    await user.keyboard("r");
    const line = await screen.findByText("Settings copied from the job.");
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
    expect(await screen.findByText(/^Added from History: /)).toBeVisible();
  });
});

describe("presets of a model", () => {
  it("become a link, are saved, used, renamed and deleted", async () => {
    const { user } = await visitCreate("/create/lumen-2");
    await write(user, await prompt(), "A lamp");
    await user.click(screen.getByRole("button", { name: "Presets" }));
    const dialog = await screen.findByRole("dialog", { name: "Presets" });
    await user.click(await within(dialog).findByRole("button", { name: "Copy link" }));
    expect(await screen.findByText("Link copied.")).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/\/create\/lumen-2\?p=z[\w-]+$/);
    await user.click(within(dialog).getByRole("textbox"));
    await user.paste("Evening");
    await user.keyboard("{Enter}");
    await user.click(await within(dialog).findByRole("button", { name: "Rename Evening" }));
    await write(user, within(dialog).getByRole("textbox", { name: "New name for Evening" }), "Dusk");
    await user.keyboard("{Enter}");
    await within(dialog).findByRole("button", { name: "Dusk" });
    await waitFor(() => expect(within(dialog).getByRole("button", { name: "Rename Dusk" })).toHaveFocus());
    // Escape ends the renaming first, then the dialog.
    await user.keyboard("{Enter}Night{Escape}");
    expect(within(dialog).getByRole("button", { name: "Rename Dusk" })).toHaveFocus();
    await user.keyboard("{Escape}");
    await user.clear(await prompt());
    await user.click(screen.getByRole("button", { name: "Presets" }));
    await user.click(await screen.findByRole("button", { name: "Dusk" }));
    expect(await prompt()).toHaveValue("A lamp");
    await user.click(screen.getByRole("button", { name: "Presets" }));
    await user.click(await screen.findByRole("button", { name: "Delete Dusk" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Presets" })).not.toBeInTheDocument());
  });
});
