import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { vi } from "vitest";
import { createStudioRouter } from "#app/router.tsx";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { connect, disconnect } from "#connection/connection-store.ts";
import { Toaster } from "#ui/toast.tsx";
import { giveLayout } from "../setup/give-layout.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { until as untilPasses } from "../setup/until.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

/** Time of the page that passes at each check: on an idle machine forty times as fast as real time. */
const STEP_MS = 200;
const CHECK_EVERY_MS = 5;
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

export interface Visit {
  server: SandboxServer;
  go(path: string): void;
  path(): string;
  leave(): void;
}

/** Requests whose answer has not come. Only the service's own pauses let the page's time pass meanwhile. */
let waiting = 0;
let pauses = 0;

/**
 * The studio in an empty browser with a service of these quirks that runs 60 times as fast: on Connect, or connected to it
 * already.
 */
export async function visitService(quirks: readonly string[], { isConnected = false } = {}): Promise<Visit> {
  localStorage.clear();
  sessionStorage.clear();
  freshDatabase();
  const takeLayout = giveLayout({ height: 2_000 });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] });
  const server = startSandboxServer({
    seed: 1,
    speed: 60,
    quirks,
    makeMedia: () => Promise.resolve({ bytes: PNG.slice(), contentType: "image/png" }),
    wait: (ms) => {
      pauses++;
      return new Promise<void>((resolve) => setTimeout(resolve, ms)).finally(() => pauses--);
    },
  });
  waiting = 0;
  pauses = 0;
  const ask = globalThis.fetch;
  globalThis.fetch = (...request) => {
    waiting++;
    return ask(...request).finally(() => waiting--);
  };
  const { queueBaseUrl, inferenceBaseUrl } = server;
  if (isConnected) await connect({ queueBaseUrl, inferenceBaseUrl, key: "sandbox-key" });
  const start = isConnected ? "/create" : "/connect";
  const router = createStudioRouter({ history: createMemoryHistory({ initialEntries: [start] }) });
  render(
    <ConnectionProvider clients={router.options.context.clients}>
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
      globalThis.fetch = ask;
      server.close();
      takeLayout();
      vi.useRealTimers();
    },
  };
}

/** The text of the page. Roles are slow to compute, and this is read many times. */
export const page = () => document.body.textContent ?? "";

/**
 * Waits until `find` finds something, while the page's time runs fast; it stands still while an answer is on its way, so
 * that a slow machine brings no request to its limit. Fails with what is on the page instead.
 */
export function until<T>(what: string, find: () => T | null | undefined | false): Promise<T> {
  return untilPasses(
    () => {
      const found = find();
      if (found) return found;
      if (waiting <= pauses) vi.advanceTimersByTime(STEP_MS);
      throw new Error(`No ${what}. The page says: ${page().slice(0, 1500)}`);
    },
    { interval: CHECK_EVERY_MS },
  );
}

export const button = (name: string | RegExp) => screen.queryByRole("button", { name });

export function write(label: string, text: string): void {
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
}
