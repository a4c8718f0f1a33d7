import { screen, within } from "@testing-library/react";
import type { visitSources } from "./visit-sources.tsx";

type Visit = Pick<Awaited<ReturnType<typeof visitSources>>, "user">;

export const dialog = (name: string | RegExp) => screen.findByRole("dialog", { name });

/** The rows of the batch, as one line each. While a dialog is over them they have no roles. */
export const rowTexts = () =>
  [...document.querySelectorAll("[aria-label=Rows] > li")].map((row) => row.textContent ?? "");

/** Chooses a model in the catalogue that is open. Its rows are drawn where there is a layout: Enter takes the first one. */
async function pick({ user }: Visit, catalogue: HTMLElement, model: string) {
  const search = await within(catalogue).findByRole("searchbox", { name: "Search models" });
  await user.clear(search);
  await user.paste(model);
  await within(catalogue).findByText(/^\d+ of \d+ models$/);
  await user.keyboard("{Enter}");
}

/** Chooses models for combinations. */
export async function chooseModels(visit: Visit, ...models: string[]) {
  await visit.user.click(await screen.findByRole("button", { name: /^(Choose models|Add model)$/ }));
  const catalogue = await dialog("Choose models");
  for (const model of models) {
    await pick(visit, catalogue, model);
    await within(catalogue).findByRole("button", { name: `Remove ${model}` });
  }
  await visit.user.click(within(catalogue).getByRole("button", { name: /^Use / }));
}

/** Chooses the one model of a source, behind a button that says so, or that has the name of another one. */
export async function chooseModel(
  visit: Visit,
  within_: HTMLElement,
  model: string,
  before: string | RegExp = "Choose model",
) {
  await visit.user.click(await within(within_).findByRole("button", { name: before }));
  await pick(visit, await dialog("Choose model"), model);
}

/** Empties a field and writes this into it. */
export async function rewrite({ user }: Visit, field: HTMLElement, text: string) {
  await user.clear(field);
  if (text !== "") await user.paste(text);
}

/** Opens a source from its button, or from the menu. */
export async function openSource({ user }: Visit, name: string) {
  const button = screen.queryByRole("button", { name });
  if (button) await user.click(button);
  else {
    await user.click(screen.getByRole("button", { name: "More sources" }));
    await user.click(await screen.findByRole("menuitem", { name }));
  }
  return dialog(name);
}
