import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import type { JobRequest } from "#api/types.ts";
import { useRowPrices } from "#jobs/price/use-row-prices.ts";
import { useModelSchemas } from "#jobs/use-model-schemas.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { type Connected, openConnected } from "../connected.tsx";

let page: Connected;
afterEach(() => page.close());

const PROMPTS = ["A lamp", "A chair by the window", "A table"];
const estimates = () => page.sandbox.inspect().requests.filter(({ route }) => route === "estimate").length;

/** A table of rows as a screen would show it: their total, how far it is, and a button that checks it. */
function Total({ rows }: { rows: readonly JobRequest[] }) {
  const prices = useRowPrices(
    rows.map((row) => row),
    useModelSchemas(rows.map(({ model }) => model)),
  );
  const [changed, setChanged] = useState<number>();
  const total = rows.reduce((sum, row) => {
    const price = prices.of(row);
    return price.state === "priced" ? sum + price.priceMicroUsd : sum;
  }, 0);
  const { priced, waiting } = prices.progress;
  return (
    <>
      <p>{`${priced} priced, ${waiting} waiting, ${formatMicroUsd(total)}`}</p>
      <p>{rows.filter((row) => prices.of(row).state === "failed").length} failed</p>
      <button type="button" onClick={() => void prices.check(rows).then((result) => setChanged(result.changed))}>
        Check
      </button>
      {changed !== undefined && <p>{changed} changed</p>}
    </>
  );
}

// Two models, three sizes, three prompts: lumen-2 is flat, lumen-2-pro is by its resolution.
test("prompts × sizes × models are priced with six estimates, and the total is exact", async () => {
  const rows = PROMPTS.flatMap((prompt) => [
    ...["512x512", "1024x1024", "1536x1024"].map((size) => ({ model: "lumen-2", payload: { prompt, size } })),
    ...["1K", "2K", "4K"].map((image_size) => ({ model: "lumen-2-pro", payload: { prompt, image_size } })),
  ]);
  page = await openConnected(<Total rows={rows} />);
  expect(await screen.findByText("18 priced, 0 waiting, $1.119")).toBeVisible();
  expect(estimates()).toBe(6);
  await userEvent.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText("0 changed")).toBeVisible();
  expect(estimates()).toBeLessThanOrEqual(12);
});

test("prompts × seeds × models are priced with four estimates", async () => {
  const rows = ["lumen-2", "lumen-2-pro"].flatMap((model) =>
    PROMPTS.flatMap((prompt) => [1, 2, 3].map((seed) => ({ model, payload: { prompt, seed } }))),
  );
  page = await openConnected(<Total rows={rows} />);
  expect(await screen.findByText(`18 priced, 0 waiting, ${formatMicroUsd(9 * 35_000 + 9 * 39_000)}`)).toBeVisible();
  await waitFor(() => expect(estimates()).toBe(4));
});

test("a model that nobody knows fails and holds up nothing", async () => {
  const rows = ["no-such-model", "lumen-2"].map((model) => ({ model, payload: { prompt: "A lamp" } }));
  page = await openConnected(<Total rows={rows} />);
  expect(await screen.findByText("1 priced, 0 waiting, $0.035")).toBeVisible();
  expect(await screen.findByText("1 failed")).toBeVisible();
});
