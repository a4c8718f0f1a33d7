import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";
import { createStudioRouter } from "#app/router.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { Toaster } from "#ui/toast.tsx";
import { startSandboxServer } from "../setup/sandbox-server.ts";

// The whole studio in jsdom on a busy machine: slow, and no reason to fail.
configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });

/** The whole studio at an address, over a fresh sandbox, for the length of one test. */
export async function openStudio(path: string, { connected = true }: { connected?: boolean } = {}) {
  const server = startSandboxServer({ seed: 1 });
  onTestFinished(() => {
    disconnect();
    server.close();
  });
  if (connected) await openSandbox();
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createStudioRouter({ history });
  const user = userEvent.setup();
  render(
    <ConnectionProvider>
      <RouterProvider router={router} />
      <Toaster />
    </ConnectionProvider>,
  );
  return { user, router, where: () => router.state.location.href };
}
