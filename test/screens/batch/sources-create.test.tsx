import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { visitCreate } from "../create/visit-create.tsx";

// The same screen in every part: the form on Create leads to the table, and asks for nothing more.
test("Batch on Create opens the form as a batch, with seeds one press away", async () => {
  const { user, router, sandbox } = await visitCreate("/create/lumen-2");
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "A lamp");
  const button = screen.getByRole("button", { name: "Batch" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/batch\/./));
  const sources = await screen.findByRole("region", { name: "Sources of runs" });
  expect(await within(sources).findByRole("button", { name: "Prompt × 1" })).toBeVisible();
  expect(within(sources).getByRole("button", { name: "lumen-2" })).toBeVisible();
  await user.click(await within(sources).findByRole("button", { name: "4 random seeds" }));
  expect(await within(sources).findByRole("button", { name: "Seed × 4" })).toBeVisible();
  expect(await screen.findByRole("button", { name: /^Run 4 for \$0\.14/ })).toBeVisible();
  expect(sandbox.sandbox.inspect().requests.filter(({ route }) => route === "submit")).toEqual([]);
});

test("a form whose model has no seed is repeated by one press", async () => {
  const { user } = await visitCreate("/create/halide-turbo");
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "Rooftops");
  const button = screen.getByRole("button", { name: "Batch" });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
  await user.click(await screen.findByRole("button", { name: "Repeat × 4" }));
  expect(await screen.findByRole("button", { name: "Prompt × 4" })).toBeVisible();
});
