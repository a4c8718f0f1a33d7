import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useCommandKeys } from "#app/palette/press-keys.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { PlaygroundScreen } from "#playground/playground-screen.tsx";
import { readPlaygroundSearch } from "#playground/playground-search.ts";
import { Toaster } from "#ui/toast.tsx";

/**
 * Playground at its addresses with its keys, in a router with nothing else in it. Connect first. For what the rail, the
 * queue, the palette or another screen does not decide: those come with `visitStudio`.
 */
export function visitPlayground(path = "/playground") {
  const root = createRootRoute({ component: Frame });
  const studio = createRoute({ getParentRoute: () => root, id: "studio" });
  const getParentRoute = () => studio;
  const playground = createRoute({
    getParentRoute,
    path: "/playground",
    validateSearch: readPlaygroundSearch,
    component: PlaygroundScreen,
  });
  const start = createRoute({ getParentRoute: () => playground, path: "/" });
  const conversation = createRoute({ getParentRoute: () => playground, path: "$place" });
  const elsewhere = createRoute({ getParentRoute, path: "$", component: () => <p>Elsewhere</p> });
  const router = createRouter({
    routeTree: root.addChildren([studio.addChildren([playground.addChildren([start, conversation]), elsewhere])]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  render(
    <ConnectionProvider>
      <RouterProvider router={router as never} />
      <Toaster />
    </ConnectionProvider>,
  );
  return { user: userEvent.setup(), router, path: () => router.state.location.href };
}

function Frame() {
  useCommandKeys();
  return (
    <main>
      <Outlet />
    </main>
  );
}
