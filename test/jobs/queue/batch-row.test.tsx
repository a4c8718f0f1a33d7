import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { addBatch, agreeToRun, dismissBatch } from "#jobs/batch/batch-edits.ts";
import { browserRows } from "#storage/database.ts";
import { LOCKS } from "#storage/keys.ts";
import { visitStudio } from "../../screens/visit-studio.tsx";
import { agreedBatch } from "../../setup/agreed-batch.ts";
import { givePhone } from "../../setup/give-phone.ts";
import { startSandboxServer } from "../../setup/sandbox-server.ts";

/** A batch of two runs that are not submitted, in a fresh studio. `held`: the locks of all tabs. */
async function visitBatch(held: readonly string[], prompt = "A tram") {
  const request = { model: "lumen-2", payload: { prompt } };
  const server = startSandboxServer({ seed: 1 });
  const locks = held.map((name) => ({ name }));
  // Nothing else is asked of it here: no other lock is ever given.
  const manager = { query: async () => ({ held: locks }), request: () => new Promise(() => {}) };
  vi.stubGlobal("navigator", Object.assign(Object.create(navigator), { locks: manager }));
  onTestFinished(() => {
    disconnect();
    server.close();
    vi.unstubAllGlobals();
  });
  await openSandbox();
  const accountId = getConnection()?.accountId ?? "";
  const id = crypto.randomUUID();
  await addBatch({ rows: browserRows, accountId }, agreedBatch(id, [request, request], 35_000));
  return { locks, id, ...visitStudio("/spend") };
}

it("a batch that another tab submits offers no Resume, until that tab lets it go", async () => {
  const { locks, id, user } = await visitBatch([]);
  locks.push({ name: LOCKS.work(`batch:${id}`) });
  const row = await screen.findByRole("button", { name: /^Batch: A tram.*In another tab/ });
  expect(screen.queryByRole("button", { name: /^Resume/ })).not.toBeInTheDocument();
  await user.click(row);
  expect(screen.getByText("Another tab is submitting this batch. You can pause it there.")).toBeVisible();
  locks.pop();
  expect(await screen.findByRole("button", { name: "Resume, $0.07" })).toBeVisible();
  expect(screen.getByRole("button", { name: /^Batch: A tram.*Paused/ })).toBeVisible();
});

it("leads to the screen of the batch, and leaves the queue once it is over and dismissed", async () => {
  const { id, user, router } = await visitBatch([], "A canal");
  const row = await screen.findByRole("button", { name: /^Batch: A canal.*Paused/ });
  await user.click(row);
  const entry = within(row.closest("li") as HTMLElement);
  const link = entry.getByRole("link", { name: "Open batch" });
  expect(link).toHaveAttribute("href", `/batch/${id}`);
  await user.click(entry.getByRole("button", { name: "Cancel remaining" }));
  // Its runs are drafts again: nothing of it is under way.
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Batch: A canal/ })).not.toBeInTheDocument());
  const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
  await agreeToRun(where, id, new Map([[`${id}-row-0`, 35_000]]));
  expect(await screen.findByRole("button", { name: /^Batch: A canal.*0 of 1/ })).toBeVisible();
  await dismissBatch(where, id);
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Batch: A canal/ })).not.toBeInTheDocument());
  expect(router.state.location.pathname).toBe("/spend");
});

it("the queue of a phone promises nothing about jobs where only a paused batch is in it", async () => {
  givePhone();
  const { user } = await visitBatch([]);
  await user.click(await screen.findByRole("button", { name: /in the queue/ }));
  const sheet = await screen.findByRole("dialog", { name: /^Queue/ });
  expect((await within(sheet).findAllByRole("button", { name: /^Batch: A tram/ }))[0]).toBeVisible();
  expect(within(sheet).queryByText(/Jobs keep running/)).not.toBeInTheDocument();
});
