import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { shapeOfKey } from "#lib/key-shape.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { cell, grid, lumen, panel, runRow, runRows, visitBatch } from "./batch-screen-story.tsx";

const LIGHT = "The lighthouse at dusk";
const TOWN = "The harbour town at dusk";
const editor = (column: string) => screen.findByRole("textbox", { name: `${column} of this run` });

describe("a cell that is edited in place", () => {
  it("changes this run with Enter, and nothing with Escape", async () => {
    const { user, batch } = await visitBatch({ groups: { Shots: [lumen(LIGHT), lumen(LIGHT), lumen(TOWN)] } });
    await user.dblClick(cell(1, "Prompt"));
    expect(await editor("Prompt")).toHaveValue(LIGHT);
    await user.keyboard("A lamp in fog{Escape}");
    expect(cell(1, "Prompt")).toHaveTextContent(LIGHT);
    await user.dblClick(cell(1, "Prompt"));
    await user.clear(await editor("Prompt"));
    await user.keyboard("A lamp in fog{Enter}");
    expect(cell(1, "Prompt")).toHaveTextContent("A lamp in fog");
    expect(cell(2, "Prompt")).toHaveTextContent(LIGHT);
    await waitFor(async () => expect((await batch())?.items[0]?.request.payload).toEqual({ prompt: "A lamp in fog" }));
    expect(grid()).toHaveFocus();
  });

  // K1
  it("stores no API key that is typed or pasted", async () => {
    const { user, batch } = await visitBatch({ groups: { Shots: [lumen(LIGHT)] } });
    // The sandbox's own key is too short to be recognized.
    const key = "harbour-key-0123456789abcdef";
    Object.assign(getConnection() ?? {}, { keyShape: shapeOfKey(key) });
    await user.dblClick(cell(1, "Prompt"));
    await user.clear(await editor("Prompt"));
    await user.keyboard(`A lamp ${key} in fog{Enter}`);
    await waitFor(async () =>
      expect((await batch())?.items[0]?.request.payload).toEqual({ prompt: "A lamp [key] in fog" }),
    );
  });

  it("changes all that are like it with Ctrl and Enter, and says how many those are", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: [lumen(LIGHT), lumen(LIGHT), lumen(TOWN)], More: [lumen(LIGHT)] },
    });
    await user.dblClick(cell(1, "Prompt"));
    expect(await editor("Prompt")).toHaveAccessibleDescription(/all 2 like it/);
    await user.clear(await editor("Prompt"));
    await user.keyboard("A lamp in fog{Control>}{Enter}{/Control}");
    await waitFor(async () =>
      expect((await batch())?.items.map(({ request }) => request.payload.prompt)).toEqual([
        "A lamp in fog",
        "A lamp in fog",
        TOWN,
        LIGHT,
      ]),
    );
    expect(await screen.findByText("2 runs changed")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(async () =>
      expect((await batch())?.items.map(({ request }) => request.payload.prompt)).toEqual([LIGHT, LIGHT, TOWN, LIGHT]),
    );
  });

  it("keeps a wrong value where it was typed, names it, and leaves the run out of the total", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: [lumen(LIGHT, { seed: 1 }), lumen(TOWN, { seed: 2 })] },
    });
    const run = await within(panel()).findByRole("button", { name: /^Run 2 for \$0\.07/ });
    expect(run).not.toHaveAttribute("aria-disabled", "true");
    await user.dblClick(cell(1, "Seed"));
    await user.clear(await editor("Seed"));
    await user.keyboard("41 27{Enter}");
    expect(cell(1, "Seed")).toHaveTextContent("41 27");
    expect(cell(1, "Seed")).toBeInvalid();
    expect(cell(1, "Status")).toHaveTextContent("Needs attention");
    expect(cell(1, "Result")).toHaveTextContent(/Seed must be a/);
    expect(await within(panel()).findByRole("button", { name: /^Run 1 for \$0\.035/ })).toBeVisible();
    await waitFor(async () => expect((await batch())?.items[0]?.request.payload.seed).toBe("41 27"));

    await user.click(within(runRow(1)).getByRole("button", { name: "Fix run 1" }));
    await user.clear(await editor("Seed"));
    await user.keyboard("4127{Enter}");
    expect(await within(panel()).findByRole("button", { name: /^Run 2 for \$0\.07/ })).toBeVisible();
    await waitFor(async () => expect((await batch())?.items[0]?.request.payload.seed).toBe(4127));
  });
});

describe("the form of one run", () => {
  it("takes a file that is uploaded there, and is saved once it is stored", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: [{ model: "grainfield-edit", payload: { prompt: "In the rain" } }] },
    });
    grid().focus();
    await user.click(await within(runRow(1)).findByRole("button", { name: "Acts of run 1" }));
    await user.click(await screen.findByRole("menuitem", { name: "Edit run" }));
    const form = await screen.findByRole("dialog", { name: "Edit run" });
    await user.upload(
      await within(form).findByLabelText("Files for Image"),
      new File([PNG_BYTES], "one.png", { type: "image/png" }),
    );
    await waitFor(() =>
      expect(within(form).getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(within(form).getByRole("button", { name: "Save" }));
    await waitFor(async () => expect(JSON.stringify((await batch())?.items[0]?.request.payload)).toMatch(/https?:/));
  });
});

describe("rows", () => {
  it("count as drafts from the moment they are added, before they are stored", async () => {
    const { user } = await visitBatch({ groups: { Shots: [lumen(LIGHT)] } });
    const said: string[] = [];
    const watch = new MutationObserver(() => said.push(panel().textContent ?? ""));
    watch.observe(panel(), { childList: true, subtree: true, characterData: true });
    grid().focus();
    await user.keyboard("{Control>}d{/Control}");
    expect(await within(panel()).findByRole("button", { name: /^Run 2 for/ })).toBeVisible();
    watch.disconnect();
    expect(said.filter((text) => text.includes("$0.00 charged"))).toEqual([]);
  });

  it("are moved, duplicated and removed by keys, and come back with Undo", async () => {
    const { user, batch } = await visitBatch({ groups: { Shots: ["one", "two", "three"].map((text) => lumen(text)) } });
    const prompts = async () => (await batch())?.items.map(({ request }) => request.payload.prompt);
    grid().focus();
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await waitFor(async () => expect(await prompts()).toEqual(["two", "one", "three"]));
    await user.keyboard("{Control>}d{/Control}");
    await waitFor(async () => expect(await prompts()).toEqual(["two", "one", "one", "three"]));
    await waitFor(() => expect(runRows()).toHaveLength(4));
    await user.keyboard("{Delete}");
    await waitFor(async () => expect(await prompts()).toEqual(["two", "one", "three"]));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(async () => expect(await prompts()).toEqual(["two", "one", "one", "three"]));
    // Back to the beginning, one step with each press.
    grid().focus();
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(async () => expect(await prompts()).toEqual(["two", "one", "three"]));
    await user.keyboard("{Control>}z{/Control}");
    await waitFor(async () => expect(await prompts()).toEqual(["one", "two", "three"]));
  });

  it("are selected with Space and Shift, and a value goes into all that are selected", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: [1, 2, 3, 4].map((seed) => lumen(LIGHT, { seed })) },
    });
    grid().focus();
    await user.keyboard(" {Shift>}{ArrowDown}{ArrowDown}{/Shift}");
    expect(runRows().map((row) => row.getAttribute("aria-selected"))).toEqual(["true", "true", "true", "false"]);
    expect(await screen.findByText("3 selected")).toBeVisible();
    await user.dblClick(cell(1, "Seed"));
    expect(await editor("Seed")).toHaveAccessibleDescription(/all 3 selected/);
    await user.clear(await editor("Seed"));
    await user.keyboard("77{Control>}{Enter}{/Control}");
    await waitFor(async () =>
      expect((await batch())?.items.map(({ request }) => request.payload.seed)).toEqual([77, 77, 77, 4]),
    );
  });

  it("are shown by status, and the filter is part of the address", async () => {
    const { user, path } = await visitBatch({ groups: { Shots: [lumen(LIGHT, { seed: "x" }), lumen(TOWN)] } });
    const filters = screen.getByRole("navigation", { name: "Runs by status" });
    await user.click(await within(filters).findByRole("link", { name: "Needs attention 1" }));
    await waitFor(() => expect(runRows()).toHaveLength(1));
    expect(cell(1, "Prompt")).toHaveTextContent(LIGHT);
    expect(path()).toContain("show=attention");
    await user.click(within(filters).getByRole("link", { name: "All 2" }));
    await waitFor(() => expect(runRows()).toHaveLength(2));
  });
});

describe("the grid", () => {
  it("is one stop of Tab with an active cell that arrows move, typing opens the cell", async () => {
    const { user, batch } = await visitBatch({
      groups: { Shots: [lumen(LIGHT, { seed: 1 }), lumen(TOWN, { seed: 2 })] },
    });
    grid().focus();
    const active = () => document.getElementById(grid().getAttribute("aria-activedescendant") ?? "");
    await waitFor(() => expect(active()).toBe(cell(1, "Prompt")));
    await user.keyboard("{ArrowDown}{ArrowRight}");
    expect(active()).toBe(cell(2, "Seed"));
    await user.keyboard("93{Enter}");
    await waitFor(async () => expect((await batch())?.items[1]?.request.payload.seed).toBe(93));
    await user.keyboard("{Control>}{Home}{/Control}");
    expect(active()).toHaveTextContent("Shots");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(within(grid()).queryAllByRole("checkbox")).toHaveLength(0));
  });
});
