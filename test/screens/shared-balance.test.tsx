import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { visitCreate } from "./create/visit-create.tsx";

// Spec 4.1 rule 1: all jobs of an organization bill to one balance, and only one's own are listed.
test("Spend says once that an organization shares its balance", async () => {
  const { router } = await visitCreate("/create/lumen-2");
  await router.navigate({ to: "/spend" });
  expect(await screen.findAllByText(/Other users of your organization share this balance\./)).toHaveLength(1);
});

// With a real service Create says the same: test/quirks/main-story.ts.
test("Create in the sandbox says once that nothing is paid", async () => {
  await visitCreate("/create/lumen-2");
  expect(await screen.findAllByText("Prices in the sandbox are examples. You pay nothing.")).toHaveLength(1);
});
