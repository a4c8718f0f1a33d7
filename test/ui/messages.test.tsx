import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EmptyState } from "#ui/empty-state.tsx";
import { Pill, Skeleton, Spinner, StatusDot } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { Toaster, toast, useToasts } from "#ui/toast.tsx";
import { expectNoViolations } from "./expect-no-violations.ts";

describe("Notice and status texts", () => {
  test("errors and warnings are alerts, other tones are polite status messages", async () => {
    render(
      <>
        <Notice tone="error" title="Refused" />
        <Notice tone="warning" title="Unconfirmed" />
        <Notice tone="info" title="Three days left" />
        <Notice tone="success" title="Refunded" />
      </>,
    );
    expect(screen.getAllByRole("alert").map((node) => node.textContent)).toEqual(["Refused", "Unconfirmed"]);
    expect(screen.getAllByRole("status").map((node) => node.textContent)).toEqual(["Three days left", "Refunded"]);
    await expectNoViolations();
  });

  test("statuses, waiting and empty states have text, and pass axe", async () => {
    render(
      <>
        <Pill tone="failed">Failed</Pill>
        <Pill overMedia>0:08</Pill>
        <StatusDot tone="queued" label="Queued" />
        <Spinner label="Loading" />
        <Skeleton />
        <EmptyState title="No jobs yet" actions={<button type="button">Create the first</button>}>
          What you generate is listed here.
        </EmptyState>
      </>,
    );
    for (const word of ["Failed", "Queued", "Loading", "No jobs yet"])
      expect(screen.getByText(word)).toBeInTheDocument();
    await expectNoViolations();
  });
});

describe("Toaster", () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    useToasts.setState({ toasts: [] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("the live region exists before the first toast, so that it is announced", async () => {
    render(<Toaster />);
    const region = screen.getByRole("region", { name: "Notifications" });
    expect(within(region).getByRole("list")).toHaveAttribute("aria-live", "polite");
    vi.advanceTimersByTime(1);
    toast({ title: "Saved" });
    expect(await within(region).findByText("Saved")).toBeVisible();
    vi.useRealTimers();
    await expectNoViolations();
  });

  test("a success disappears by itself, and an error stays until dismissed", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    render(<Toaster />);
    toast({ title: "Saved", tone: "success" });
    toast({ title: "Not saved", tone: "error" });
    expect(await screen.findByText("Saved")).toBeVisible();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.queryByText("Saved")).not.toBeInTheDocument();
    expect(screen.getByText("Not saved")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Dismiss" }));
    expect(screen.queryByText("Not saved")).not.toBeInTheDocument();
  });

  test("its timer stops while the pointer is on it", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    render(<Toaster />);
    toast({ title: "Saved", tone: "success" });
    await user.hover(await screen.findByText("Saved"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(screen.getByText("Saved")).toBeVisible();
    await user.unhover(screen.getByText("Saved"));
    await vi.advanceTimersByTimeAsync(6_001);
    expect(screen.queryByText("Saved")).not.toBeInTheDocument();
  });

  test("the same message twice is one toast, and its action closes it", async () => {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    let acts = 0;
    render(<Toaster />);
    const action = {
      label: "Undo",
      onAct: () => {
        acts += 1;
      },
    };
    toast({ title: "Removed", action });
    toast({ title: "Removed", action });
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(acts).toBe(1);
    expect(screen.queryByText("Removed")).not.toBeInTheDocument();
  });
});
