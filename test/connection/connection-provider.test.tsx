import { useQuery } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import { useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { useApi } from "#connection/client.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import {
  connect,
  disconnect,
  forgetConnectionKey,
  openSandbox,
  renameConnection,
  switchConnection,
} from "#connection/connection-store.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { relayAddress, useStorageAddress } from "#connection/relay.ts";
import { type SandboxServer, startSandboxServer } from "../setup/sandbox-server.ts";
import { fakeHost, leaveHost } from "./fake-host.ts";

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
      /API key rejected.*missing, invalid or revoked.*Check the key/,
    );
    expect(screen.getByRole("link", { name: "Check key" })).toHaveAttribute("href", expect.stringMatching("^/connect"));
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

describe("several connections", () => {
  /** The client of each render, and how often what is below was mounted. */
  function watchClients() {
    const seen: unknown[] = [];
    let mounts = 0;
    function Watch() {
      seen.push(useApi());
      useEffect(() => {
        mounts += 1;
      }, []);
      return null;
    }
    render(
      <ConnectionProvider>
        <Watch />
      </ConnectionProvider>,
    );
    return { seen, last: () => seen.at(-1), mounts: () => mounts };
  }

  it("each have one client as long as they are open, also when switched away from and back", async () => {
    const first = await connect({ ...server, key: "sandbox-key" });
    const { last } = watchClients();
    const ofFirst = last();
    const second = await act(() => connect({ ...server, key: "sandbox-key-2" }));
    expect(last()).not.toBe(ofFirst);
    act(() => switchConnection(first.id));
    expect(last()).toBe(ofFirst);
    act(() => void forgetConnectionKey(first));
    act(() => switchConnection(second.id));
    const again = await act(() => connect({ ...server, key: "sandbox-key" }));
    expect(again.accountId).toBe(first.accountId);
    expect(last()).not.toBe(ofFirst);
  });

  it("that is renamed goes on with what it does", async () => {
    const { id } = await connect({ ...server, key: "sandbox-key" });
    const { last, mounts } = watchClients();
    const before = last();
    act(() => renameConnection(id, "North"));
    expect([last() === before, mounts()]).toEqual([true, 1]);
  });

  it("answer requests of the one that is not current, with its own key", async () => {
    const first = await connect({ ...server, key: "sandbox-key" });
    const { last } = watchClients();
    const ofFirst = last() as ReturnType<typeof useApi>;
    await act(() => connect({ ...server, key: "sandbox-key-2" }));
    await ofFirst.submit({ model: "lumen-2", payload: { prompt: "a lamp" } });
    expect((await ofFirst.listJobs({})).jobs).toHaveLength(1);
    const ofSecond = last() as ReturnType<typeof useApi>;
    expect((await ofSecond.listJobs({})).jobs).toHaveLength(0);
    act(() => void forgetConnectionKey(first));
    await expect(ofFirst.listJobs({})).rejects.toMatchObject({ status: 401 });
  });
});

// What is asked of the host and which address follows: relay.test.ts.
it("an element waits for the host's word on its storage, and all of that storage are drawn with it", async () => {
  const host = fakeHost({ mode: "typed" });
  onTestFinished(leaveHost);
  const FILE = "https://cdn.example.com/file.png";
  const Shown = ({ url }: { url: string }) => <p>{useStorageAddress(url) ?? "not yet"}</p>;
  render(
    <>
      <Shown url={FILE} />
      <Shown url={`${FILE}?2`} />
    </>,
  );
  expect(screen.getAllByText("not yet")).toHaveLength(2);
  expect(await screen.findByText(relayAddress("media", FILE))).toBeVisible();
  expect(screen.getByText(relayAddress("media", `${FILE}?2`))).toBeVisible();
  expect(host.allowances).toHaveLength(1);
});
