import { useQuery } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectionProvider, useApi } from "#connection/connection-provider.tsx";
import { connect, disconnect, openSandbox } from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";

let server: SandboxServer;
beforeEach(() => {
  server = startSandboxServer();
});
afterEach(() => {
  disconnect();
  server.close();
});

/** The number of jobs that the current key has; the query's name is the same for every key. */
function JobCount() {
  const api = useApi();
  const jobs = useQuery({ queryKey: ["count"], queryFn: ({ signal }) => api.listJobs({}, signal) });
  if (jobs.error) return <ErrorNotice error={jobs.error} operation="read" onRetry={jobs.refetch} />;
  return <p>{jobs.data ? `${jobs.data.jobs.length} jobs` : "loading"}</p>;
}

function show() {
  const root = createRootRoute({ component: JobCount });
  const connectRoute = createRoute({ getParentRoute: () => root, path: "/connect" });
  const router = createRouter({ routeTree: root.addChildren([connectRoute]), history: createMemoryHistory() });
  render(
    <ConnectionProvider>
      <RouterProvider<typeof router> router={router} />
    </ConnectionProvider>,
  );
}

describe("another key", () => {
  // Spec 4.1 rule 1.
  it("has its own cache and shows nothing of the first user's", async () => {
    await connect({ ...server, key: "sandbox-key" });
    const api = { model: "lumen-2", payload: { prompt: "a lamp" } };
    await fetch(`${server.queueBaseUrl}/apikey/requests`, {
      method: "POST",
      headers: { authorization: "Bearer sandbox-key" },
      body: JSON.stringify(api),
    });
    show();
    expect(await screen.findByText("1 jobs")).toBeVisible();
    await act(() => connect({ ...server, key: "sandbox-key-2" }));
    expect(screen.queryByText("1 jobs")).not.toBeInTheDocument();
    expect(await screen.findByText("0 jobs")).toBeVisible();
  });

  // Spec 7 rule 2.
  it("is refused with an explanation after one request", async () => {
    await connect({ ...server, key: "revoked-key" });
    show();
    expect(await screen.findByRole("alert")).toHaveTextContent(
      /The key was not accepted.*missing, invalid or revoked.*Nothing was charged.*Check the key/,
    );
    expect(screen.getByRole("link", { name: "Check the key" })).toHaveAttribute(
      "href",
      expect.stringMatching("^/connect"),
    );
    expect(server.sandbox.inspect().requests).toHaveLength(1);
  });
});

describe("without a key", () => {
  it("makes no request at all and breaks no screen", async () => {
    await openSandbox();
    show();
    await screen.findByText("0 jobs");
    const before = server.sandbox.inspect().requests.length;
    act(disconnect);
    expect(await screen.findByRole("alert")).toHaveTextContent("Not connected.");
    expect(server.sandbox.inspect().requests).toHaveLength(before);
  });
});

// Spec 7 rule 1.
describe("a read that fails temporarily", () => {
  it.each([429, 502, 503])("with %i is tried again by itself", async (status) => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    server.sandbox.configure({ faults: [{ endpoint: "*", status, times: 2 }] });
    await openSandbox();
    show();
    expect(await screen.findByText("0 jobs", {}, { timeout: 3000 })).toBeVisible();
    expect(server.sandbox.inspect().requests).toHaveLength(3);
  });
});
