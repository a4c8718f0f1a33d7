import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NewBatchDialog } from "#jobs/batch/new-batch-dialog.tsx";
import { type Connected, movableTime, openConnected } from "../connected.tsx";

let page: Connected;
beforeEach(movableTime);
afterEach(() => {
  page.close();
  vi.useRealTimers();
});

const request = { model: "lumen-2-fast", payload: { prompt: "a lamp" } };

async function openDialog() {
  const onOpenChange = vi.fn();
  page = await openConnected(<NewBatchDialog open onOpenChange={onOpenChange} request={request} promptKey="prompt" />);
  return { user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }), onOpenChange };
}

test("nothing is sent before the total is shown, which any change renews", async () => {
  const { user, onOpenChange } = await openDialog();
  const times = await screen.findByRole("textbox", { name: "How many" });
  await user.clear(times);
  expect(await screen.findByText("A whole number from 1 to 100")).toBeVisible();
  expect(screen.getByRole("button", { name: "Show the total" })).toBeDisabled();
  await user.type(times, "2");
  await user.click(screen.getByRole("button", { name: "Show the total" }));
  expect(await screen.findByText(/^2 runs, \$0\.018 together/)).toBeVisible();
  await user.type(times, "0");
  expect(screen.queryByText(/together/)).toBeNull();
  await user.clear(times);
  await user.type(times, "2");
  await user.click(screen.getByRole("button", { name: "Show the total" }));
  expect(page.submits()).toBe(0);
  await user.click(await screen.findByRole("button", { name: "Send 2 for $0.018" }));
  await vi.waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  await vi.waitFor(() => expect(page.submits()).toBe(2));
});

test("a list of prompts makes one run per line", async () => {
  const { user } = await openDialog();
  await user.click(await screen.findByRole("radio", { name: "One per line" }));
  await user.type(screen.getByRole("textbox", { name: "Prompts" }), "a lamp{Enter}{Enter}a chair{Enter}a table");
  expect(screen.getByText("3 so far")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Show the total" }));
  expect(await screen.findByRole("button", { name: /^Send 3 for/ })).toBeEnabled();
});
