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

test("the total follows what is written, and nothing is sent before Run", async () => {
  const { user, onOpenChange } = await openDialog();
  const times = await screen.findByRole("textbox", { name: "Runs" });
  expect(await screen.findByRole("button", { name: /^Run 4/ })).toHaveTextContent("Run 4$0.036");
  await user.clear(times);
  expect(await screen.findByText("A whole number from 1 to 2000")).toBeVisible();
  expect(screen.getByRole("button", { name: "Run" })).toHaveAttribute("aria-disabled", "true");
  await user.type(times, "2");
  const run = await screen.findByRole("button", { name: /^Run 2/ });
  expect(run).toHaveTextContent("Run 2$0.018");
  expect(screen.getByText("2 runs, $0.018")).toBeVisible();
  expect(page.submits()).toBe(0);
  await user.click(run);
  await vi.waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  await vi.waitFor(() => expect(page.submits()).toBe(2));
});

test("a list of prompts makes one run per line", async () => {
  const { user } = await openDialog();
  await user.click(await screen.findByRole("radio", { name: "One prompt per line" }));
  await user.type(screen.getByRole("textbox", { name: "Prompts" }), "a lamp{Enter}{Enter}a chair{Enter}a table");
  expect(await screen.findByRole("button", { name: /^Run 3/ })).toHaveTextContent("Run 3$");
});
