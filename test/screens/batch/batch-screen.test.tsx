import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { givePhone } from "../../setup/give-phone.ts";
import { lumen, runRows, visitBatch } from "./batch-screen-story.tsx";

describe("the batches of this browser", () => {
  it("are listed, opened, duplicated and deleted; a batch that is gone says so", async () => {
    const { user, router, path } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    await router.navigate({ to: "/batch" });
    const list = await screen.findByRole("region", { name: "Your batches" });
    expect(within(list).getByRole("link", { name: /^Harbour.*2 runs.*Draft/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: "Duplicate batch: Harbour" }));
    expect(await screen.findByRole("heading", { name: "Harbour (copy)" })).toBeVisible();
    await waitFor(() => expect(runRows()).toHaveLength(2));
    const copy = path();
    await user.click(screen.getByRole("button", { name: "More" }));
    await user.click(screen.getByRole("menuitem", { name: "Delete batch" }));
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Delete batch" }));
    await waitFor(() => expect(path()).toBe("/batch"));
    await router.navigate({ to: copy as "/batch" });
    expect(await screen.findByText("Batch not found")).toBeVisible();
    await user.click(screen.getByRole("link", { name: "Open batches" }));
    expect(await screen.findByRole("link", { name: /^Harbour/ })).toBeVisible();
  });

  it("have a name that is changed where it stands", async () => {
    const { user, batch } = await visitBatch({ groups: { Shots: [lumen("one")] } });
    await user.click(screen.getByRole("button", { name: "Rename batch" }));
    const name = screen.getByRole("textbox", { name: "Name of the batch" });
    await user.clear(name);
    await user.type(name, "Harbour at dusk{Enter}");
    expect(await screen.findByRole("heading", { name: "Harbour at dusk" })).toBeVisible();
    await waitFor(async () => expect((await batch())?.name).toBe("Harbour at dusk"));
  });
});

describe("a batch on a phone", () => {
  it("is a list of runs, each edited in its form, and the total stays in reach", async () => {
    givePhone();
    const { user, batch } = await visitBatch({ groups: { Shots: [lumen("one"), lumen("two")] } });
    const list = screen.getByRole("list", { name: "Runs" });
    expect(await screen.findByRole("button", { name: /^Run 2 for \$0\.07/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: "Acts of run 2" }));
    await user.click(await screen.findByRole("menuitem", { name: "Duplicate" }));
    expect(await screen.findByRole("button", { name: /^Run 3 for \$0\.105/ })).toBeVisible();
    await user.click(within(list).getByRole("button", { name: /^Run 1: ?one/ }));
    const form = await screen.findByRole("dialog", { name: "Edit run" });
    const prompt = await within(form).findByRole("textbox", { name: "Prompt" });
    await user.clear(prompt);
    await user.type(prompt, "A lamp in fog");
    await user.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(async () =>
      expect((await batch())?.items.map(({ request }) => request.payload.prompt)).toEqual([
        "A lamp in fog",
        "two",
        "two",
      ]),
    );
    await user.click(screen.getByRole("button", { name: /, rules$/ }));
    const rules = await screen.findByRole("dialog", { name: "Price and run" });
    expect(within(rules).getByRole("checkbox", { name: "Failures in a row" })).toBeChecked();
  });
});
