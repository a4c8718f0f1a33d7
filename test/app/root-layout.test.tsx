import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test, vi } from "vitest";
import { connect } from "#connection/connection-store.ts";
import { expectNoViolations } from "../ui/expect-no-violations.ts";
import { openStudio } from "./open-studio.tsx";

const mainNav = () => screen.findByRole("navigation", { name: "Main" });

describe("the shell", () => {
  test("lists the six screens by name and marks the current one", async () => {
    await openStudio("/settings");
    const nav = await mainNav();
    expect(
      within(nav)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(["Create", "Batch", "History", "Playground", "Spend", "Settings"]);
    expect(within(nav).getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page");
    expect(within(nav).getByRole("link", { name: "Create" })).not.toHaveAttribute("aria-current");
    await screen.findByText("lose:reply");
    await expectNoViolations();
  });

  test("a navigation sets the title, focuses the heading and announces the screen", async () => {
    const { user } = await openStudio("/settings");
    await waitFor(() => expect(document.title).toBe("Settings · Safelight"));
    await user.click(within(await mainNav()).getByRole("link", { name: "Spend" }));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "Spend" })).toHaveFocus());
    expect(document.title).toBe("Spend · Safelight");
    expect(screen.getByText("Spend", { selector: "[aria-live]" })).toBeInTheDocument();
  });

  test("a pressed link is marked in the frame before the next screen is drawn", async () => {
    const { user, router } = await openStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    await act(() => router.navigate({ to: "/settings" }));
    await screen.findByRole("heading", { level: 1, name: "Settings" });
    const frames: FrameRequestCallback[] = [];
    const waiting = vi.spyOn(window, "requestAnimationFrame").mockImplementation((frame) => frames.push(frame));
    const link = within(await mainNav()).getByRole("link", { name: "Spend" });
    await user.click(link);
    await waitFor(() => expect(link).toHaveAttribute("aria-current", "page"));
    expect(screen.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    waiting.mockRestore();
    for (const frame of frames) frame(performance.now());
    expect(await screen.findByRole("heading", { level: 1, name: "Spend" })).toBeVisible();
  });

  test("the first press of Tab offers to skip the navigation", async () => {
    const { user } = await openStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    await user.tab();
    expect(screen.getByRole("button", { name: "Skip to content" })).toHaveFocus();
    await user.keyboard("{Enter}");
    expect(screen.getByRole("main")).toHaveFocus();
  });

  test("an unknown address shows a message and a link onward", async () => {
    const { user, where } = await openStudio("/nowhere");
    expect(await screen.findByRole("heading", { name: "Page not found" })).toBeInTheDocument();
    await waitFor(() => expect(document.title).toBe("Page not found · Safelight"));
    await expectNoViolations();
    await user.click(screen.getByRole("link", { name: "Go to History" }));
    await waitFor(() => expect(where()).toBe("/history"));
  });

  test("leaves the sandbox only after a question, and confirms it", async () => {
    const { user, where } = await openStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    const leave = () => screen.getByRole("button", { name: "Leave the sandbox" });
    await user.click(leave());
    const dialog = await screen.findByRole("alertdialog", { name: "Leave the sandbox?" });
    await expectNoViolations();
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(leave()).toHaveFocus();
    await user.click(leave());
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Leave the sandbox" }));
    expect(await screen.findByRole("button", { name: "Open the sandbox" })).toBeVisible();
    expect(await screen.findByText("You left the sandbox")).toBeVisible();
    expect(where()).toBe("/connect?back=%2Fspend");
  });

  test("says which key was forgotten and what is kept", async () => {
    const { user, server } = await openStudio("/spend", { connected: false });
    await act(() => connect({ ...server, key: "sandbox-key" }));
    await user.click(await screen.findByRole("button", { name: "Disconnect" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Disconnect and forget the key?" });
    await user.click(within(dialog).getByRole("button", { name: "Disconnect" }));
    expect(await screen.findByRole("heading", { name: "Connect your service" })).toBeVisible();
    expect(await screen.findByText(/^Deleted: the key that ends in -key.*Kept: your drafts/)).toBeVisible();
  });

  test("a visitor without a connection comes back from Connect to the address asked for", async () => {
    const { user, where } = await openStudio("/history?status=failed", { connected: false });
    await user.click(await screen.findByRole("button", { name: "Open the sandbox" }));
    await mainNav();
    await waitFor(() => expect(where()).toBe("/history?status=failed"));
  });
});
