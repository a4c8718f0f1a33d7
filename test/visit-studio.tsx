import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
// What every screen waits for is loaded with the test: on a busy machine that takes longer than a query waits.
import "#app/shell.tsx";
import { createStudioRouter } from "#app/router.tsx";
import "#app/shell.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { useCommandStore } from "#ui/commands.ts";
import { Toaster } from "#ui/toast.tsx";

/** The whole studio at an address, as a person would open it. Connect first. */
export function visitStudio(path: string) {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createStudioRouter({ history });
  render(
    <ConnectionProvider clients={router.options.context.clients}>
      <RouterProvider router={router} />
      <Toaster />
    </ConnectionProvider>,
  );
  const user = userEvent.setup();
  // The keys of the studio come beside the first screen, a moment after it: no person presses one before.
  const keyboard = async (text: string) => {
    if (document.querySelector("nav[aria-label=Main]")) await waitFor(() => expect(commandIds()).toContain("palette"));
    await user.keyboard(text);
  };
  return { user: { ...user, keyboard }, router, path: () => router.state.location.href };
}

const commandIds = () => useCommandStore.getState().commands.map(({ id }) => id);
