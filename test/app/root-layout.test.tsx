import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ErrorScreen, MissingCodeError } from "#app/fallback-screens.tsx";
import { currentClient } from "#connection/client.ts";
import html from "../../index.html?raw";
import { expectNoViolations } from "../ui/expect-no-violations.ts";
import { everyActIsKnown, unknownActs } from "./acts-on-screen.ts";
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
  });

  test("a navigation sets the title, focuses the heading and announces the screen", async () => {
    const { user } = await openStudio("/settings");
    // Until the first screen is there, its navigation is under way, and moves no focus.
    await screen.findByRole("heading", { level: 1, name: "Settings" });
    await waitFor(() => expect(document.title).toBe("Settings · Safelight"));
    await user.click(within(await mainNav()).getByRole("link", { name: "Spend" }));
    await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "Spend" })).toHaveFocus());
    expect(document.title).toBe("Spend · Safelight");
    expect(screen.getByText("Spend", { selector: "[aria-live]" })).toBeInTheDocument();
  });

  test.each([
    ["Create", /\/models$/],
    ["Batch", /\/models$/],
    ["History", /\/requests\?limit=100$/],
    ["Playground", /\/models$/],
  ])(
    "pointing at %s asks the service for what it shows, once, and its screen does not ask again",
    async (name, url) => {
      const { user, router, where } = await openStudio("/spend");
      await screen.findByRole("heading", { level: 1, name: "Spend" });
      const { calls, queryClient } = currentClient(router.options.context.clients);
      const asked = () => calls.filter((call) => url.test(call.url)).length;
      expect(asked()).toBe(0);
      const link = within(await mainNav()).getByRole("link", { name });
      await user.hover(link);
      await waitFor(() => expect(asked()).toBe(1));
      expect(where()).toMatch(/^\/spend/);
      await user.click(link);
      await waitFor(() => expect(document.title).toBe(`${name} · Safelight`));
      await waitFor(() => expect(queryClient.isFetching()).toBe(0));
      expect(asked()).toBe(1);
    },
  );

  test("an act that nobody registered as a command is found", async () => {
    await openStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    await everyActIsKnown();
    const added = document.createElement("button");
    added.textContent = "Refund everything";
    document.getElementById("main")?.append(added);
    expect(unknownActs()).toEqual(["Refund everything"]);
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
    await user.click(screen.getByRole("link", { name: "Go to History" }));
    await waitFor(() => expect(where()).toBe("/history"));
  });

  test("leaves the sandbox only after a question, and confirms it", async () => {
    const { user, where } = await openStudio("/spend");
    await screen.findByRole("heading", { level: 1, name: "Spend" });
    const leave = () => screen.getByRole("button", { name: "Leave sandbox" });
    await user.click(leave());
    const dialog = await screen.findByRole("alertdialog", { name: "Leave sandbox?" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(leave()).toHaveFocus();
    await user.click(leave());
    await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Leave sandbox" }));
    expect(await screen.findByRole("button", { name: "Open sandbox" })).toBeVisible();
    expect(await screen.findByText("You left the sandbox")).toBeVisible();
    expect(where()).toBe("/connect?back=%2Fspend");
  });

  test("says which key was forgotten and what is kept", async () => {
    const { user } = await openStudio("/spend", { key: "sandbox-key" });
    await user.click(await screen.findByRole("button", { name: "Disconnect" }));
    const dialog = await screen.findByRole("alertdialog", { name: /^Disconnect from .+\?$/ });
    await user.click(within(dialog).getByRole("button", { name: "Disconnect" }));
    expect(await screen.findByRole("heading", { name: "Connect your service" })).toBeVisible();
    expect(
      await screen.findByText(/^The key ending in -key was removed from all open tabs.*Your drafts/),
    ).toBeVisible();
  });

  test("a visitor without a connection comes back from Connect to the address asked for", async () => {
    const { user, where } = await openStudio("/history?status=failed", { connected: false });
    await user.click(await screen.findByRole("button", { name: "Open sandbox" }));
    await mainNav();
    await waitFor(() => expect(where()).toBe("/history?status=failed"));
  });
});

/** A screen that breaks until it is mended, in a router of its own. */
function openBroken(error: Error) {
  let isBroken = true;
  function Screen() {
    if (isBroken) throw error;
    return <h1>Mended</h1>;
  }
  const root = createRootRoute();
  const home = createRoute({ getParentRoute: () => root, path: "/", component: Screen, errorComponent: ErrorScreen });
  const router = createRouter({
    routeTree: root.addChildren([home]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  render(<RouterProvider<typeof router> router={router} />);
  return () => {
    isBroken = false;
  };
}

describe("the error screen", () => {
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("says what happened and what is known of jobs, nothing of charges, and retries", async () => {
    const mend = openBroken(new Error("x is not a function"));
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Something went wrong in Safelight");
    expect(alert).toHaveTextContent("Jobs you submitted keep running. Drafts are saved on this device.");
    expect(alert).not.toHaveTextContent(/charge|nothing was/i);
    expect(screen.getByText("x is not a function")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Reload" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Go to Create" })).toHaveAttribute("href", "/create");
    await expectNoViolations();
    mend();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "Mended" })).toBeVisible();
  });

  test("explains a chunk that cannot be loaded, and offers a reload", async () => {
    openBroken(new MissingCodeError(new TypeError("Failed to fetch dynamically imported module")));
    expect(await screen.findByRole("heading", { name: "This screen couldn’t be loaded" })).toBeInTheDocument();
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent("A part of Safelight didn’t load");
    expect(alert).toHaveTextContent("Check your connection, then reload the page.");
    expect(alert).not.toHaveTextContent(/charge|nothing was/i);
    expect(screen.getByRole("button", { name: "Reload" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });
});

test("a page whose script did not load says what to do, and nothing of charges", () => {
  const words = new DOMParser().parseFromString(html, "text/html").getElementById("load-failed")?.textContent;
  expect(words).toBe("Part of Safelight couldn’t be loaded. Check your connection, then reload the page.");
});
