import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";
import { createStudioRouter } from "#app/router.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { Toaster } from "#ui/toast.tsx";

// The whole studio in jsdom on a busy machine: slow, and no reason to fail.
configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

/** The whole studio at an address, as a person would open it. Connect first. */
export function visitStudio(path: string) {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createStudioRouter({ history });
  render(
    <ConnectionProvider>
      <RouterProvider router={router} />
      <Toaster />
    </ConnectionProvider>,
  );
  return { user: userEvent.setup(), router, path: () => router.state.location.href };
}
