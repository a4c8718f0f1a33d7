import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { vi } from "vitest";
import { createStudioRouter } from "#app/router.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect } from "#connection/connection-store.ts";
import { Toaster } from "#ui/toast.tsx";
import { giveLayout } from "../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

/** Time of the page that passes at each check: forty times as fast as real time. */
const STEP_MS = 200;
const CHECK_EVERY_MS = 5;
/** The longest wait for anything. On an idle machine it is twenty minutes of the page. */
const PATIENCE_MS = 30_000;
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

export interface Visit {
  server: SandboxServer;
  go(path: string): void;
  path(): string;
  leave(): void;
}

/** The studio in an empty browser, not connected, with a service of these quirks that runs 60 times as fast. */
export function visitService(quirks: readonly string[]): Visit {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
    shouldAdvanceTime: true,
  });
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  const takeLayout = giveLayout({ height: 2_000 });
  const server = startSandboxServer({
    seed: 1,
    speed: 60,
    quirks,
    makeMedia: () => Promise.resolve({ bytes: PNG.slice(), contentType: "image/png" }),
  });
  const router = createStudioRouter({ history: createMemoryHistory({ initialEntries: ["/connect"] }) });
  render(
    <ConnectionProvider>
      <RouterProvider router={router} />
      <Toaster />
    </ConnectionProvider>,
  );
  return {
    server,
    go: (path) => router.history.push(path),
    path: () => router.state.location.pathname,
    leave() {
      cleanup();
      disconnect();
      server.close();
      takeLayout();
      vi.useRealTimers();
    },
  };
}

/** The text of the page. Roles are slow to compute, and this is read many times. */
export const page = () => document.body.textContent ?? "";

/** Waits until `find` finds something, while the page's time runs fast. Fails with what is on the page instead. */
export async function until<T>(what: string, find: () => T | null | undefined | false): Promise<T> {
  return vi.waitFor(
    () => {
      const found = find();
      if (found) return found;
      vi.advanceTimersByTime(STEP_MS);
      throw new Error(`No ${what}. The page says: ${page().slice(0, 1500)}`);
    },
    { timeout: PATIENCE_MS, interval: CHECK_EVERY_MS },
  );
}

export const button = (name: string | RegExp) => screen.queryByRole("button", { name });

export function write(label: string, text: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
}
