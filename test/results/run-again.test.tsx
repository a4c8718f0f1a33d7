import { act } from "@testing-library/react";
import { expect, it, onTestFinished } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { confirmDeletion, noteDeletion } from "#media/deleted-media.ts";
import { type RunAgain, useRunAgain } from "#results/run-again.ts";
import { openConnected } from "../runs/connected.tsx";
import { someJob } from "../setup/some-job.ts";
import { until } from "../setup/until.ts";

const INPUT = "https://files.example/sea.png";
const job = someJob("job-1", {
  model: "grainfield-edit",
  payload: { instruction: "Blue", image_url: INPUT },
});

/** Shows the job until its price is reported. */
async function openPriced() {
  let again: RunAgain | undefined;
  function Probe() {
    again = useRunAgain(job, "same");
    return null;
  }
  const page = await openConnected(<Probe />);
  onTestFinished(() => page.close());
  await until(() => expect(again?.priceMicroUsd).toBeGreaterThan(0));
  return { page, again: () => again as RunAgain };
}

it("sends the request once at its price", async () => {
  const { page, again } = await openPriced();
  act(() => again().run());
  await until(() => expect(page.submits()).toBe(1));
});

it("sends nothing where an input was deleted after the price was reported", async () => {
  const { page, again } = await openPriced();
  const before = again();
  const accountId = getConnection()?.accountId ?? "";
  act(() => {
    noteDeletion(accountId, { requestId: "other", files: [], inputs: [INPUT] });
    confirmDeletion(accountId, "other");
  });
  // Whether the page has rendered since or not: a price that was reported before is no leave to send.
  act(() => before.run());
  act(() => again().run());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(page.submits()).toBe(0);
});
