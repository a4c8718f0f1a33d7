import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { addBatch } from "#jobs/batch/batch-edits.ts";
import { browserRows } from "#storage/database.ts";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { visitCreate } from "./visit-create.tsx";

const PROMPTS = ["A tram", "A ferry"];

/** The form of lumen-2 with a batch of two runs that waits for the person. */
async function visitWithBatch() {
  const visit = await visitCreate("/create/lumen-2");
  const accountId = getConnection()?.accountId ?? "";
  const id = crypto.randomUUID();
  const requests = PROMPTS.map((prompt) => ({ model: "lumen-2", payload: { prompt } }));
  await addBatch({ rows: browserRows, accountId }, agreedBatch(id, requests, 35_000));
  return visit;
}

it("a batch stands in the place of the result, and each of its runs leads to its own", async () => {
  const { user, router } = await visitWithBatch();
  await user.click(await screen.findByRole("button", { name: "Resume, $0.07" }));
  const result = screen.getByRole("region", { name: "Result" });
  expect(await within(result).findByRole("heading", { name: "Batch: A tram" })).toBeVisible();
  expect(await within(result).findByText("2 of 2 done")).toBeVisible();
  const runs = within(within(result).getByRole("list", { name: "Runs of the batch" }));
  expect(runs.getAllByRole("listitem")).toHaveLength(2);
  await user.click(runs.getByRole("link", { name: "A ferry, 2 of 2, Done" }));
  await waitFor(() => expect(router.state.location.search).toHaveProperty("job"));
  expect(await within(result).findByText("Charged $0.035")).toBeVisible();
  expect(within(result).queryByRole("list", { name: "Runs of the batch" })).not.toBeInTheDocument();
}, 30_000);

it("the queue names a run without a reply by its prompt, and marks it only while it is shown", async () => {
  const { user, router } = await visitCreate("/create/lumen-2");
  await user.type(await screen.findByRole("textbox", { name: "Prompt" }), "lose:request A tram");
  const button = screen.getByRole("button", { name: "Run" });
  await waitFor(() => expect(button).toHaveTextContent("$"));
  await waitFor(() => expect(button).not.toHaveAttribute("aria-disabled"));
  await user.click(button);
  const queue = await screen.findByRole("region", { name: "Queue" });
  const row = await within(queue).findByRole("link", { name: /Unconfirmed/ });
  expect(row).toHaveAccessibleName(/^lose:request A tram/);
  expect(row).toHaveAttribute("aria-current");
  await router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" }, search: { job: "another" } });
  await waitFor(() => expect(row).not.toHaveAttribute("aria-current"));
});

it("a video says how long it takes before it is run, an image does not", async () => {
  const { router } = await visitCreate("/create/halide-turbo");
  const words = "Videos usually take one to several minutes.";
  expect(await screen.findByText(words)).toBeVisible();
  await router.navigate({ to: "/create/$modelId", params: { modelId: "lumen-2" } });
  await waitFor(() => expect(screen.queryByText(words)).not.toBeInTheDocument());
});
