import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";
// It comes after the form, and the first import must not count.
import "#connect/check-results.tsx";
import { ConnectScreen } from "#connect/connect-screen.tsx";
import { readConnectSearch } from "#connect/connect-search.ts";

/** The screen at its own address, in a router with nothing else in it. `where` tells where the visitor is. Time can be moved. */
export async function visitConnect(address = "/connect") {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const root = createRootRoute();
  const connect = createRoute({
    getParentRoute: () => root,
    path: "/connect",
    validateSearch: readConnectSearch,
    component: ConnectScreen,
  });
  const elsewhere = createRoute({ getParentRoute: () => root, path: "$", component: () => <p>The studio</p> });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([connect, elsewhere]), history });
  render(<RouterProvider router={router} />);
  await screen.findByRole("heading", { name: "Connect your service" });
  return { user: userEvent.setup({ delay: null }), where: () => history.location.href };
}

export async function fillConnection(user: UserEvent, values: { key: string; queue: string; inference: string }) {
  await write(user, "API key", values.key);
  await write(user, "Queue URL", values.queue);
  await write(user, "Inference URL", values.inference);
}

/** Writes a text into an empty field, or behind what stands there. */
export async function write(user: UserEvent, label: string, text: string) {
  await user.click(screen.getByLabelText(label));
  await user.paste(text);
}

/** Both checks are well, so the studio opens by itself after the 1.2 s in which they can be read. */
export async function studioOpens() {
  await screen.findByText("Continue");
  await act(() => vi.advanceTimersByTimeAsync(1_200));
  await screen.findByText("The studio");
}

export const checkList = () => screen.getByRole("list", { name: "Checks" });
