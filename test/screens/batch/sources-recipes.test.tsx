import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { type Recipe, writeRecipe } from "#jobs/batch-rows/recipe.ts";
import { packRecipe } from "#jobs/batch-rows/recipe-link.ts";
import { packJson } from "#lib/packed-json.ts";
import { dialog, openSource, rowTexts, startBatch } from "./sources-steps.ts";
import { visitSources } from "./visit-sources.tsx";

const lamps: Recipe = {
  name: "Lamps",
  groups: [
    {
      name: "All combinations",
      axes: {
        models: ["lumen-2"],
        settings: {},
        parameters: [
          { key: "prompt", values: ["A red lamp", "A blue lamp"], text: "A {red|blue} lamp" },
          { key: "size", values: ["768x768", "1024x1024"] },
        ],
        way: "product",
      },
    },
  ],
};
const withModel = (model: string): Recipe => ({
  ...lamps,
  groups: lamps.groups.map((group) => (group.axes ? { ...group, axes: { ...group.axes, models: [model] } } : group)),
});

describe("recipes", () => {
  test("a batch saved by name is opened again with the same rows", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await startBatch(visit, "A {red|blue} lamp");
    const before = rowTexts();
    await user.click(screen.getByRole("button", { name: "Save as recipe" }));
    const save = await dialog("Save as recipe");
    const name = within(save).getByRole("textbox", { name: "Name" });
    await user.clear(name);
    await user.type(name, "Two lamps");
    await waitFor(() =>
      expect(within(save).getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(within(save).getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Recipe saved: Two lamps")).toBeVisible();
    await visit.router.navigate({ to: "/batch" as never });
    await screen.findByRole("button", { name: "Choose models" });
    const recipes = await openSource(visit, "Recipes");
    await user.click(await within(recipes).findByTitle("Open Two lamps"));
    const open = await dialog("Open Two lamps");
    await waitFor(() =>
      expect(within(open).getByRole("button", { name: "Open" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(within(open).getByRole("button", { name: "Open" }));
    await waitFor(() => expect(rowTexts()).toEqual(before));
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Two lamps");
  });

  test("a saved recipe is renamed, copied as a link, and deleted after a question", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await startBatch(visit);
    await user.click(screen.getByRole("button", { name: "Save as recipe" }));
    const save = await dialog("Save as recipe");
    await waitFor(() =>
      expect(within(save).getByRole("button", { name: "Save" })).not.toHaveAttribute("aria-disabled"),
    );
    await user.click(within(save).getByRole("button", { name: "Save" }));
    const recipes = await openSource(visit, "Recipes");
    await user.click(await within(recipes).findByRole("button", { name: "Rename A lamp" }));
    const name = within(recipes).getByRole("textbox", { name: "New name for A lamp" });
    await user.clear(name);
    await user.type(name, "One lamp{Enter}");
    const copied = vi.spyOn(navigator.clipboard, "writeText");
    await user.click(await within(recipes).findByRole("button", { name: "Copy a link to One lamp" }));
    expect(await screen.findByText("Link copied")).toBeVisible();
    expect(copied.mock.lastCall?.[0]).toMatch(/\/batch\?recipe=\S+$/);
    await user.click(within(recipes).getByRole("button", { name: "Delete One lamp" }));
    const question = await screen.findByRole("alertdialog", { name: "Delete the recipe One lamp?" });
    await user.click(within(question).getByRole("button", { name: "Delete permanently" }));
    expect(await within(await dialog("Recipes")).findByText(/No saved recipes yet/)).toBeVisible();
  });

  test("a model that is gone is named, and another one takes its place where parameters match", async () => {
    const visit = await visitSources();
    const { user } = visit;
    await screen.findByRole("button", { name: "Choose models" });
    const recipes = await openSource(visit, "Recipes");
    const file = new File([writeRecipe(withModel("lumen-0"))], "lamps.recipe.json");
    await user.upload(within(recipes).getByLabelText("Recipe file to open"), file);
    const open = await dialog("Open Lamps");
    expect(await within(open).findByText("The service lists no model lumen-0")).toBeVisible();
    await user.click(within(open).getByRole("button", { name: "Choose a model" }));
    const catalogue = await dialog("Choose a model");
    await user.type(within(catalogue).getByRole("searchbox", { name: "Search models" }), "lumen-2-fast");
    await within(catalogue).findByText(/^\d+ of \d+ models$/);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(within(open).getByRole("button", { name: "Open" })).not.toHaveAttribute("aria-disabled"),
    );
    expect(await within(open).findByText("4 runs")).toBeVisible();
    await user.click(within(open).getByRole("button", { name: "Open" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(4));
    expect(rowTexts()[0]).toBe("lumen-2-fast | A red lamp | 768x768");
  });

  test.each([
    ["no recipe", "[]", /recipe/],
    ["no JSON", "{", /not JSON/],
    ["a newer version", JSON.stringify({ safelight: "recipe", version: 99, name: "x", groups: [] }), /newer/],
  ])("a file with %s is refused in words", async (_, text, words) => {
    const visit = await visitSources();
    await startBatch(visit);
    const recipes = await openSource(visit, "Recipes");
    fireEvent.change(within(recipes).getByLabelText("Recipe file to open"), {
      target: { files: [new File([text], "x.json")] },
    });
    expect(await within(recipes).findByRole("alert")).toHaveTextContent(words);
    expect(rowTexts()).toEqual(["lumen-2 | A lamp"]);
  });
});

describe("a link with a recipe", () => {
  test("is opened once: the rows are in a new batch, and the address is without it", async () => {
    const visit = await visitSources(`/batch?recipe=${await packRecipe(lamps)}`);
    const open = await dialog("Open Lamps");
    await waitFor(() =>
      expect(within(open).getByRole("button", { name: "Open" })).not.toHaveAttribute("aria-disabled"),
    );
    await visit.user.click(within(open).getByRole("button", { name: "Open" }));
    await waitFor(() => expect(rowTexts()).toHaveLength(4));
    expect(visit.router.state.location.search).toEqual({});
    expect(visit.router.state.location.pathname).toMatch(/^\/batch\/./);
  });

  test("from a newer version, or cut, says so, and leads to a new batch", async () => {
    const newer = await packJson({ safelight: "recipe", version: 99, name: "x", groups: [] }, 6000);
    for (const [words, sentence] of [
      [newer, /newer/],
      ["znonsense", /could not be read/],
    ] as const) {
      const visit = await visitSources(`/batch?recipe=${words}`);
      const told = await dialog("This recipe was not opened");
      expect(told).toHaveTextContent(sentence);
      await visit.user.click(within(told).getAllByRole("button", { name: "Close" })[0] as HTMLElement);
      await waitFor(() => expect(visit.router.state.location.search).toEqual({}));
      expect(screen.getByRole("button", { name: "Choose models" })).toBeVisible();
      visit.leave();
    }
  });
});
