import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { visitSources } from "./visit-sources.tsx";

type Visit = Awaited<ReturnType<typeof visitSources>>;

export const rows = () => within(screen.getByRole("list", { name: "Rows" })).queryAllByRole("listitem");
export const texts = () => rows().map((row) => row.textContent);

/** Chooses models in the dialog of the catalogue. */
export async function chooseModels({ user }: Visit, ...models: string[]) {
  await user.click(await screen.findByRole("button", { name: /^(Choose models|Add a model)$/ }));
  const dialog = await screen.findByRole("dialog", { name: "Choose models" });
  for (const model of models) {
    const search = within(dialog).getByRole("searchbox", { name: "Search models" });
    await user.clear(search);
    await user.type(search, model);
    // The rows of the list are drawn where there is a layout: its first one is chosen by Enter.
    await user.keyboard("{Enter}");
    await within(dialog).findByRole("button", { name: `Remove ${model}` });
  }
  await user.click(within(dialog).getByRole("button", { name: /^Use / }));
}

test("from nothing to 3 prompts × 3 sizes × 2 models", async () => {
  const visit = await visitSources();
  const { user } = visit;
  await chooseModels(visit, "lumen-2", "lumen-2-pro");
  await user.click(screen.getByRole("textbox", { name: "Prompts" }));
  await user.paste("The {lighthouse|harbour town} at dusk\nThe observatory at dusk");
  expect(await screen.findByText("3 prompts")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Add axis" }));
  const add = await screen.findByRole("dialog", { name: "Add axis" });
  await user.click(await within(add).findByRole("button", { name: /^Size/ }));
  const size = await screen.findByRole("dialog", { name: "Size" });
  const options = within(size).getAllByRole("checkbox");
  for (const option of options.slice(1, 4)) await user.click(option);
  expect(await within(size).findByText("3 × 3 × 2 = 18 runs")).toBeVisible();
  await user.click(within(size).getByRole("button", { name: "Done" }));
  await user.click(await screen.findByRole("button", { name: "Add 18 runs" }));
  await waitFor(() => expect(rows()).toHaveLength(18));
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("The {lighthouse|harbour town} at dusk");
});
