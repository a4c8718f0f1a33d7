import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { currentClient } from "#connection/client.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { openStudio } from "./open-studio.tsx";

beforeEach(() => {
  freshDatabase();
  localStorage.clear();
});

/** The studio on Spend, which asks the service for nothing that another screen shows. */
async function openElsewhere() {
  const { router } = await openStudio("/spend");
  await screen.findByRole("heading", { level: 1, name: "Spend" });
  const { api, calls, queryClient } = currentClient(router.options.context.clients);
  const settled = () => waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await settled();
  return { router, api, calls, queryClient, settled };
}

test.each([
  { to: "/create/$modelId", params: { modelId: "lumen-2" } },
  { to: "/batch" },
  { to: "/batch/$batchId", params: { batchId: "gone" } },
  { to: "/prices/$modelId", params: { modelId: "lumen-2" } },
  { to: "/prices/$modelId", params: { modelId: "not-listed" } },
  { to: "/history" },
  { to: "/history", search: { q: "status:failed a lamp", type: "image", view: "table" } },
  { to: "/playground" },
] as const)("nothing is asked ahead but what the screen itself asks, and each once: $to", async (place) => {
  const { router, calls, queryClient, settled } = await openElsewhere();
  const before = new Set(queryClient.getQueryCache().getAll());
  const asked = () => calls.filter(({ method }) => method === "GET").map(({ url }) => url);
  const askedBefore = asked().length;
  await act(() => router.preloadRoute(place));
  await waitFor(() => expect(asked().length).toBeGreaterThan(askedBefore));
  await settled();
  const ahead = asked().slice(askedBefore);
  const queries = queryClient.getQueryCache().getAll();
  const loaded = queries.filter((query) => !before.has(query));
  expect(loaded.map(({ state }) => state.status)).toEqual(ahead.map(() => "success"));
  await act(() => router.navigate(place));
  await waitFor(() => expect(loaded.filter((query) => !query.isActive())).toEqual([]));
  await settled();
  for (const url of ahead) expect(asked().filter((each) => each === url)).toHaveLength(1);
});

test("a job is asked for ahead, once, and shown without being asked for again", async () => {
  const { router, api, calls, settled } = await openElsewhere();
  const { requestId } = await api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } });
  const asked = () => calls.filter(({ url }) => url.includes(requestId)).length;
  const place = { to: "/jobs/$requestId", params: { requestId } } as const;
  await act(() => router.preloadRoute(place));
  await waitFor(() => expect(asked()).toBe(1));
  await act(() => router.navigate(place));
  expect(await screen.findByRole("heading", { name: "A slow tide" })).toBeVisible();
  await settled();
  expect(asked()).toBe(1);
});

test("what could not be read ahead is asked for again by the screen, which says so", async () => {
  const { router, calls } = await openElsewhere();
  const asked = () => calls.filter(({ url }) => url.includes("no-such-job")).length;
  const place = { to: "/jobs/$requestId", params: { requestId: "no-such-job" } } as const;
  await act(() => router.preloadRoute(place));
  await waitFor(() => expect(asked()).toBe(1));
  await act(() => router.navigate(place));
  expect(await screen.findByText("Job not found")).toBeVisible();
  await waitFor(() => expect(asked()).toBe(2));
});

test("after the service has refused the key nothing is asked ahead", async () => {
  const { router, api, calls, settled } = await openElsewhere();
  const before = calls.length;
  getPollControl(api).polling.setState({ isPaused: true });
  await act(() => router.preloadRoute({ to: "/jobs/$requestId", params: { requestId: "some-job" } }));
  await act(() => router.preloadRoute({ to: "/history" }));
  await act(() => router.preloadRoute({ to: "/playground" }));
  // The code of these screens is asked for by their loaders: it is here by now.
  await Promise.all([import("#job/job-screen.tsx"), import("#history/history-screen.tsx")]);
  await settled();
  expect(calls).toHaveLength(before);
});

test("without a connection nothing is asked ahead", async () => {
  const { router } = await openStudio("/connect", { connected: false });
  await screen.findByRole("heading", { name: "Connect your service" });
  await act(() => router.preloadRoute({ to: "/history" }));
  await act(() => router.preloadRoute({ to: "/playground" }));
  await import("#history/history-screen.tsx");
  await act(async () => {});
  const { calls, queryClient } = currentClient(router.options.context.clients);
  expect([calls, queryClient.getQueryCache().getAll()]).toEqual([[], []]);
});
