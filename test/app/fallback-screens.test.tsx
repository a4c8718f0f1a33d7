import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ErrorScreen } from "#app/fallback-screens.tsx";
import { MissingCodeError } from "#ui/lazy-named.tsx";
import html from "../../index.html?raw";
import { expectNoViolations } from "../ui/expect-no-violations.ts";

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
    expect(alert).toHaveTextContent("Something went wrong in Safelight.");
    expect(alert).toHaveTextContent("Jobs you submitted keep running. Drafts are kept on this device.");
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
    expect(await screen.findByRole("heading", { name: "This screen could not be loaded" })).toBeInTheDocument();
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent("A part of Safelight did not load.");
    expect(alert).toHaveTextContent("Check your connection, then reload the page.");
    expect(alert).not.toHaveTextContent(/charge|nothing was/i);
    expect(screen.getByRole("button", { name: "Reload" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });
});

test("a page whose script did not load says what to do, and nothing of charges", () => {
  const words = new DOMParser().parseFromString(html, "text/html").getElementById("load-failed")?.textContent;
  expect(words).toBe("A part of Safelight did not load. Check your connection, then reload the page.");
});
