import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import { type ReactNode, StrictMode } from "react";
import { vi } from "vitest";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { connect } from "#connection/connection-store.ts";
import type { SandboxOptions } from "#sandbox/sandbox-context.ts";
import { readSpendSearch } from "#spend/spend-filter.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { freshDatabase } from "../storage/fresh-database.ts";

export interface Connected extends SandboxServer {
  /** Takes the page away and opens it again on the same browser and service. */
  reload(): Promise<void>;
  /** POSTs to the submit endpoint, as the service counted them. */
  submits(): number;
  polls(): number;
}

/** Time can be moved; promises, the database and the network stay real. */
export function movableTime(): void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
    shouldAdvanceTime: true,
  });
}

async function mount(ui: ReactNode) {
  const root = createRootRoute();
  const studio = createRoute({ getParentRoute: () => root, id: "studio" });
  // Of what is shown here Spend alone reads its address.
  const home = createRoute({
    getParentRoute: () => studio,
    path: "/spend",
    validateSearch: readSpendSearch,
    component: () => ui,
  });
  const job = createRoute({ getParentRoute: () => root, path: "/jobs/$requestId", component: () => "job page" });
  const batch = createRoute({ getParentRoute: () => root, path: "/batch/$batchId", component: () => "batch page" });
  const router = createRouter({
    routeTree: root.addChildren([studio.addChildren([home]), job, batch]),
    history: createMemoryHistory({ initialEntries: ["/spend"] }),
  });
  await router.load();
  return render(
    <StrictMode>
      <ConnectionProvider>
        <RouterProvider router={router as never} />
      </ConnectionProvider>
    </StrictMode>,
  );
}

/** A fresh browser, connected to a fresh sandbox, showing `ui`. */
export async function openConnected(
  ui: ReactNode,
  options: SandboxOptions & { key?: string } = {},
): Promise<Connected> {
  freshDatabase();
  const server = startSandboxServer(options);
  const { queueBaseUrl, inferenceBaseUrl } = server;
  const open = () => connect({ queueBaseUrl, inferenceBaseUrl, key: options.key ?? "sandbox-key", isSandbox: true });
  await open();
  let page = await mount(ui);
  const count = (route: string) => server.sandbox.inspect().requests.filter((entry) => entry.route === route).length;
  return {
    ...server,
    submits: () => count("submit"),
    polls: () => count("job"),
    async reload() {
      page.unmount();
      await open();
      page = await mount(ui);
    },
  };
}
