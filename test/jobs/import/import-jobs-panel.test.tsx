import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ImportJobsPanel } from "#jobs/import/import-jobs-panel.tsx";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

const press = async (name: string) => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await waitFor(() => expect(screen.getByRole("button", { name })).toBeEnabled());
  await user.click(screen.getByRole("button", { name }));
};
const BEGIN = "Import my last 1,000 jobs";
const CUT_OFF = "1,000 of 1,200 jobs were read, and 1,000 imported. Prices are estimated in the background.";
const WHOLE = "1,200 of 1,200 jobs imported. Prices are estimated in the background.";

// P25
test("a list longer than one answer is said to be cut off, and read on", async () => {
  page = await openConnected(<ImportJobsPanel />, { history: 1_200 });
  await press(BEGIN);
  expect(await screen.findByText(CUT_OFF)).toBeVisible();
  await press("Continue");
  expect(await screen.findByText(WHOLE)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Continue" })).toBeNull();
});

test("an import that the person left is offered again on the next visit", async () => {
  page = await openConnected(<ImportJobsPanel />, { history: 1_200 });
  await press(BEGIN);
  await screen.findByText(CUT_OFF);
  await page.reload();
  expect(await screen.findByText(CUT_OFF)).toBeVisible();
  await press("Continue");
  expect(await screen.findByText(WHOLE)).toBeVisible();
});

test("a page that fails keeps what was read, and tries again from there", async () => {
  page = await openConnected(<ImportJobsPanel />, { history: 1_200 });
  await press(BEGIN);
  await screen.findByText(CUT_OFF);
  page.sandbox.configure({ faults: [{ endpoint: "list", status: 500, times: 1 }] });
  await press("Continue");
  expect(await screen.findByRole("alert")).toHaveTextContent(/Nothing was charged/);
  expect(screen.getByText(CUT_OFF)).toBeVisible();
  await press("Try again");
  expect(await screen.findByText(WHOLE)).toBeVisible();
});
