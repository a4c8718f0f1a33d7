import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApi } from "#api/create-api.ts";
import { getConnection } from "#connection/connection-store.ts";
import { type LedgerLine, ledgerChange } from "#jobs/ledger/ledger.ts";
import { SpendScreen } from "#screens/spend/spend-screen.tsx";
import { openRows } from "#storage/database.ts";
import { type Connected, movableTime, openConnected } from "../../jobs/connected.tsx";
import { withKey } from "../../setup/with-key.ts";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

const accountId = () => getConnection()?.accountId ?? "";

async function addLines(lines: Partial<LedgerLine>[]): Promise<void> {
  const rows = await openRows();
  for (const [index, more] of lines.entries()) {
    const line: LedgerLine = {
      id: `${accountId()}|${index}`,
      atMs: Date.now() - index * 1000,
      kind: "charged",
      evidence: "answered",
      amountMicroUsd: 35_000,
      model: "lumen-2",
      requestId: `job-${index}`,
      intentId: `intent-${index}`,
      ...more,
    };
    await rows.edit({ store: "ledger", key: line.id }, () => ({
      changes: [ledgerChange(accountId(), line)],
      result: undefined,
    }));
  }
}

const figure = (name: string) => within(screen.getByText(name, { selector: "dt" }).parentElement as HTMLElement);

test("without any spending it says so, and still offers the limits", async () => {
  page = await openConnected(<SpendScreen />);
  expect(await screen.findByText("No spending in this browser yet")).toBeVisible();
  expect(screen.getByRole("button", { name: "Export CSV" })).toBeDisabled();
  expect(screen.getByRole("button", { name: "Save limits" })).toBeEnabled();
});

test("charges, refunds and unconfirmed amounts are separate, each with its evidence", async () => {
  page = await openConnected(<SpendScreen />);
  await addLines([
    {},
    { kind: "refunded", evidence: "status-failed", requestId: "job-0" },
    { kind: "unconfirmed", evidence: "no-answer", amountMicroUsd: 9_000, requestId: undefined },
    { model: "halide-turbo", amountMicroUsd: 120_000 },
  ]);
  const list = await screen.findByRole("list");
  await vi.waitFor(() => expect(within(list).getAllByRole("listitem")).toHaveLength(4));
  expect(figure("Spent").getByText("$0.12")).toBeVisible();
  expect(figure("Total charged").getByText("$0.155")).toBeVisible();
  expect(figure("Refunded").getByText("$0.035")).toBeVisible();
  expect(figure("Pending").getByText("$0.009")).toBeVisible();
  expect(within(list).getByText(/No reply; the service may have charged it/)).toBeVisible();
  expect(within(list).getByText("up to $0.009")).toBeVisible();
  expect(within(list).queryByText(/not charged/i)).toBeNull();
  expect(screen.getByRole("img", { name: /The highest was \$0\.155 on/ })).toBeVisible();
});

test("limits are read exactly, and other text is an error at its field", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  const day = await screen.findByRole("textbox", { name: "Limit per day" });
  await user.type(day, "a lot");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  expect(await screen.findByText("Enter an amount such as 20 or 0.50")).toBeVisible();
  await user.clear(day);
  await user.type(day, "0.10");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  await vi.waitFor(async () => {
    const row = await (await openRows()).get("settings", `limits|${accountId()}`);
    expect(row?.body).toMatchObject({ perDayMicroUsd: 100_000 });
  });
});

test("jobs of another client are imported with an unknown price", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />, { history: 30 });
  await user.click(await screen.findByRole("button", { name: "Import my last 1,000 jobs" }));
  expect(await screen.findByText(/30 of 30 jobs imported/)).toBeVisible();
  await user.click(screen.getByRole("radio", { name: "All" }));
  expect((await screen.findAllByText("—")).length).toBeGreaterThan(10);
  expect(figure("Total charged").getByText("$0.00")).toBeVisible();
});

test("one job is imported by its id; an unusable id is never sent", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  page = await openConnected(<SpendScreen />);
  const job = await createApi(withKey({ ...page, key: "sandbox-key" })).submit({
    model: "lumen-2",
    payload: { prompt: "a" },
  });
  const field = await screen.findByRole("textbox", { name: "Job ID" });
  await user.type(field, "..{Enter}");
  expect(await screen.findByText("Enter a job ID from the service")).toBeVisible();
  await user.clear(field);
  await user.type(field, "no-such-job{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(/belongs to another key/);
  await user.clear(field);
  await user.type(field, `${job.requestId}{Enter}`);
  expect(await screen.findByText(/^Imported/)).toBeVisible();
  expect(screen.getByRole("link", { name: "Open the job" })).toHaveAttribute("href", `/jobs/${job.requestId}`);
  expect(page.polls()).toBe(2);
});
