import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { shapeOfKey } from "#lib/secret-shape.ts";
import type { Batch } from "#storage/stored-batches.ts";
import { strayCommands, unknownActs } from "../../app/acts-on-screen.ts";
import { PNG_BYTES } from "../../media/sandbox-media.ts";
import { cell, grid, lumen, panel, runRow, runRows, visitBatch } from "../batch-screen-story.tsx";

const LIGHT = "The lighthouse at dusk";
const TOWN = "The harbour town at dusk";
const prompts = (batch: Batch | undefined) => batch?.items.map(({ request }) => request.payload.prompt);
const editor = (column: string) => screen.findByRole("textbox", { name: `${column} of this run` });

/** Empties the editor of a cell and writes this into it. */
async function rewrite({ user }: Pick<Awaited<ReturnType<typeof visitBatch>>, "user">, column: string, text: string) {
  await user.clear(await editor(column));
  await user.paste(text);
}

// K1
it("a cell is edited in place: Escape leaves it, Enter changes this run, Ctrl and Enter all like it, and no key is stored", async () => {
  const visit = await visitBatch({
    groups: { Shots: [lumen(LIGHT), lumen(LIGHT), lumen(LIGHT), lumen(TOWN)], More: [lumen(LIGHT)] },
  });
  const { user, batch } = visit;
  await user.dblClick(cell(1, "Prompt"));
  expect(await editor("Prompt")).toHaveValue(LIGHT);
  await rewrite(visit, "Prompt", "A lamp in fog");
  await user.keyboard("{Escape}");
  expect(cell(1, "Prompt")).toHaveTextContent(LIGHT);
  await user.dblClick(cell(1, "Prompt"));
  await rewrite(visit, "Prompt", "A lamp in fog");
  await user.keyboard("{Enter}");
  expect(cell(1, "Prompt")).toHaveTextContent("A lamp in fog");
  expect(cell(2, "Prompt")).toHaveTextContent(LIGHT);
  await waitFor(async () => expect((await batch())?.items[0]?.request.payload).toEqual({ prompt: "A lamp in fog" }));
  expect(grid()).toHaveFocus();

  await user.dblClick(cell(2, "Prompt"));
  expect(await editor("Prompt")).toHaveAccessibleDescription(/all 2 matching runs/);
  await rewrite(visit, "Prompt", "A tram");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(async () => expect(prompts(await batch())).toEqual(["A lamp in fog", "A tram", "A tram", TOWN, LIGHT]));
  expect(await screen.findByText("2 runs changed")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(async () => expect(prompts(await batch())).toEqual(["A lamp in fog", LIGHT, LIGHT, TOWN, LIGHT]));

  // The sandbox's own key is too short to be recognized.
  const key = "harbour-key-0123456789abcdef";
  Object.assign(getConnection() ?? {}, { keyShape: shapeOfKey(key) });
  await user.dblClick(cell(4, "Prompt"));
  await rewrite(visit, "Prompt", `A lamp ${key} in fog`);
  await user.keyboard("{Enter}");
  await waitFor(async () => expect(prompts(await batch())?.[3]).toBe("A lamp [key] in fog"));
  await waitFor(() => expect([unknownActs(), strayCommands()]).toEqual([[], []]));
});

it("a wrong value stays where it was typed, is named and found by its status, and its run is left out of the total", async () => {
  const visit = await visitBatch({ groups: { Shots: [lumen(LIGHT, { seed: 1 }), lumen(TOWN, { seed: 2 })] } });
  const { user, batch, path } = visit;
  const run = await within(panel()).findByRole("button", { name: /^Run 2 for \$0\.07/ });
  expect(run).not.toHaveAttribute("aria-disabled", "true");
  await user.dblClick(cell(1, "Seed"));
  await rewrite(visit, "Seed", "41 27");
  await user.keyboard("{Enter}");
  expect(cell(1, "Seed")).toHaveTextContent("41 27");
  expect(cell(1, "Seed")).toBeInvalid();
  expect(cell(1, "Status")).toHaveTextContent("Needs attention");
  expect(cell(1, "Result")).toHaveTextContent(/Seed must be a/);
  expect(await within(panel()).findByRole("button", { name: /^Run 1 for \$0\.035/ })).toBeVisible();
  expect(within(panel()).getByText(/1 run excluded/)).toHaveTextContent("1 needs attention");
  await waitFor(async () => expect((await batch())?.items[0]?.request.payload.seed).toBe("41 27"));

  const filters = screen.getByRole("navigation", { name: "Runs by status" });
  await user.click(await within(filters).findByRole("link", { name: "Needs attention 1" }));
  await waitFor(() => expect(runRows()).toHaveLength(1));
  expect(cell(1, "Prompt")).toHaveTextContent(LIGHT);
  expect(path()).toContain("show=attention");
  await user.click(within(filters).getByRole("link", { name: "All 2" }));
  await waitFor(() => expect(runRows()).toHaveLength(2));

  await user.click(within(runRow(1)).getByRole("button", { name: "Fix, run 1" }));
  await rewrite(visit, "Seed", "4127");
  await user.keyboard("{Enter}");
  expect(await within(panel()).findByRole("button", { name: /^Run 2 for \$0\.07/ })).toBeVisible();
  await waitFor(async () => expect((await batch())?.items[0]?.request.payload.seed).toBe(4127));
});

it("the form of one run takes a file that is uploaded there, and is saved once it is stored", async () => {
  const { user, batch } = await visitBatch({
    groups: { Shots: [{ model: "grainfield-edit", payload: { prompt: "In the rain" } }] },
  });
  grid().focus();
  await user.click(await within(runRow(1)).findByRole("button", { name: "Actions for run 1" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit run" }));
  const form = await screen.findByRole("dialog", { name: "Edit run" });
  await user.upload(
    await within(form).findByLabelText("Files for Image"),
    new File([PNG_BYTES], "one.png", { type: "image/png" }),
  );
  await waitFor(() => expect(within(form).getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-disabled"));
  await user.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(async () => expect(JSON.stringify((await batch())?.items[0]?.request.payload)).toMatch(/https?:/));
});

it("the form of one run keeps the file that it had where the upload of another one is cancelled", async () => {
  const image_url = "https://files.example.com/a.png";
  const { user, batch } = await visitBatch({
    groups: { Shots: [{ model: "grainfield-edit", payload: { instruction: "In the rain", image_url } }] },
  });
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (to: string | URL | Request, how?: RequestInit) =>
    String(to instanceof Request ? to.url : to).endsWith("/apikey/upload-url")
      ? new Promise((_, reject) => how?.signal?.addEventListener("abort", () => reject(how.signal?.reason)))
      : fetch(to, how),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  grid().focus();
  await user.click(await within(runRow(1)).findByRole("button", { name: "Actions for run 1" }));
  await user.click(await screen.findByRole("menuitem", { name: "Edit run" }));
  const form = await screen.findByRole("dialog", { name: "Edit run" });
  await user.upload(
    await within(form).findByLabelText("Files for Image"),
    new File([PNG_BYTES], "one.png", { type: "image/png" }),
  );
  await waitFor(() =>
    expect(within(form).getByRole("button", { name: "Save" })).toHaveAttribute("aria-disabled", "true"),
  );
  await user.click(within(form).getByRole("button", { name: "Cancel upload of one.png" }));
  expect(await within(form).findByText(image_url)).toBeVisible();
  await user.click(within(form).getByRole("button", { name: "Save" }));
  await waitFor(async () => expect((await batch())?.items[0]?.request.payload).toMatchObject({ image_url }));
});

it("rows are drafts from the moment they are added, and are moved, duplicated and removed by keys, with Undo", async () => {
  const { user, batch } = await visitBatch({ groups: { Shots: ["one", "two", "three"].map((text) => lumen(text)) } });
  const stored = async (...expected: string[]) => waitFor(async () => expect(prompts(await batch())).toEqual(expected));
  grid().focus();
  await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
  await stored("two", "one", "three");
  const said: string[] = [];
  const watch = new MutationObserver(() => said.push(panel().textContent ?? ""));
  watch.observe(panel(), { childList: true, subtree: true, characterData: true });
  await user.keyboard("{Control>}d{/Control}");
  expect(await within(panel()).findByRole("button", { name: /^Run 4 for/ })).toBeVisible();
  watch.disconnect();
  expect(said.filter((text) => text.includes("$0.00 charged"))).toEqual([]);
  await stored("two", "one", "one", "three");
  await waitFor(() => expect(runRows()).toHaveLength(4));
  await user.keyboard("{Delete}");
  await stored("two", "one", "three");
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await stored("two", "one", "one", "three");
  // Back to the beginning, one step with each press.
  grid().focus();
  await user.keyboard("{Control>}z{/Control}");
  await stored("two", "one", "three");
  await user.keyboard("{Control>}z{/Control}");
  await stored("one", "two", "three");
});

it("the grid is one stop of Tab, arrows move its active cell, typing opens it, and a value goes into all that are selected", async () => {
  const visit = await visitBatch({ groups: { Shots: [1, 2, 3, 4].map((seed) => lumen(LIGHT, { seed })) } });
  const { user, batch } = visit;
  const seeds = async () => (await batch())?.items.map(({ request }) => request.payload.seed);
  grid().focus();
  const active = () => document.getElementById(grid().getAttribute("aria-activedescendant") ?? "");
  await waitFor(() => expect(active()).toBe(cell(1, "Prompt")));
  await user.keyboard("{ArrowDown}{ArrowRight}");
  expect(active()).toBe(cell(2, "Seed"));
  await user.keyboard("93{Enter}");
  await waitFor(async () => expect(await seeds()).toEqual([1, 93, 3, 4]));

  await user.keyboard("{ArrowUp} {Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  expect(runRows().map((row) => row.getAttribute("aria-selected"))).toEqual(["true", "true", "true", "false"]);
  expect(await screen.findByText("3 selected")).toBeVisible();
  await user.dblClick(cell(1, "Seed"));
  expect(await editor("Seed")).toHaveAccessibleDescription(/all 3 selected runs/);
  await rewrite(visit, "Seed", "77");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(async () => expect(await seeds()).toEqual([77, 77, 77, 4]));
  await user.keyboard("{Control>}{Home}{/Control}");
  expect(active()).toHaveTextContent("Shots");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(within(grid()).queryAllByRole("checkbox")).toHaveLength(0));
});
