import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { visitCreate } from "./create/visit-create.tsx";

// Spec 4.1 rule 1: all jobs of an organization bill to one balance, and only one's own are listed.
it.each(["/create/lumen-2", "/spend"])("%s says once that colleagues draw on the same balance", async (path) => {
  const { router } = await visitCreate("/create/lumen-2");
  await router.navigate({ to: path });
  expect(await screen.findAllByText(/Your colleagues draw on the same balance\./)).toHaveLength(1);
});
