import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
// It comes after the form, and the first import must not count.
import "#screens/connect/found-panel.tsx";
import { ConnectScreen } from "#screens/connect/connect-screen.tsx";

/** The screen at its own address, in a router with nothing else in it. `where` tells where the visitor is. */
export async function visitConnect(address = "/connect") {
  const root = createRootRoute();
  const connect = createRoute({ getParentRoute: () => root, path: "/connect", component: ConnectScreen });
  const elsewhere = createRoute({ getParentRoute: () => root, path: "$", component: () => <p>The studio</p> });
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({ routeTree: root.addChildren([connect, elsewhere]), history });
  render(<RouterProvider router={router} />);
  await screen.findByRole("heading", { name: "Connect your service" });
  return { user: userEvent.setup(), where: () => history.location.href };
}

export async function fillConnection(user: UserEvent, values: { key: string; queue: string; inference: string }) {
  await user.type(screen.getByLabelText("API key"), values.key);
  await user.type(screen.getByLabelText("Queue address"), values.queue);
  await user.type(screen.getByLabelText("Inference address"), values.inference);
}

export const checkList = () => screen.getByRole("list", { name: "Checks" });
