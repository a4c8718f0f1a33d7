import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { getConnection } from "#connection/connection-store.ts";
import { AddToBatchDialog } from "#jobs/batch/add-to-batch-dialog.tsx";
import { addBatch, newBatch } from "#jobs/batch/batch-edits.ts";
import { type Batch, batchRows } from "#jobs/stored-batches.ts";
import { browserRows } from "#storage/database.ts";
import { readAll } from "#storage/typed-rows.ts";
import { useToasts } from "#ui/toast.tsx";
import { until } from "../../setup/until.ts";
import { type Connected, openConnected } from "../connected.tsx";

let page: Connected;
afterEach(() => page.close());

const jobs = [
  { requestId: "a", model: "lumen-2", payload: { prompt: "A lamp" } },
  { requestId: "b", model: undefined, payload: undefined },
];
const accountId = () => getConnection()?.accountId ?? "";
const stored = (): Promise<Batch[]> => readAll(browserRows, batchRows, accountId());

async function openDialog() {
  const onClose = vi.fn();
  page = await openConnected(<AddToBatchDialog jobs={jobs} onClose={onClose} />);
  return { user: userEvent.setup(), onClose };
}

test("jobs become a new batch; those without settings are named", async () => {
  const { user, onClose } = await openDialog();
  const dialog = await screen.findByRole("dialog", { name: "Add 2 jobs to a batch" });
  expect(within(dialog).getByRole("status")).toHaveTextContent("The settings of 1 job are unknown");
  await user.click(within(dialog).getByRole("button", { name: "Add 1 run" }));
  await until(() => expect(onClose).toHaveBeenCalled());
  const [batch] = await stored();
  expect(batch?.name).toBe("A lamp");
  expect(batch?.items.map(({ request }) => request)).toEqual([{ model: "lumen-2", payload: { prompt: "A lamp" } }]);
  expect(page.submits()).toBe(0);
});

test("jobs are added to a batch that is there, behind its runs", async () => {
  const { user, onClose } = await openDialog();
  await addBatch({ rows: browserRows, accountId: accountId() }, newBatch("Harbour"));
  await user.click(await screen.findByRole("radio", { name: /^Harbour/ }));
  await user.click(screen.getByRole("button", { name: "Add 1 run" }));
  await until(() => expect(onClose).toHaveBeenCalled());
  const batches = await stored();
  expect(batches).toHaveLength(1);
  expect(batches[0]?.groups.at(-1)?.kind).toBe("history");
  expect(batches[0]?.items).toHaveLength(1);
  expect(useToasts.getState().toasts.map(({ title }) => title)).toContain("1 run added to Harbour");
});
