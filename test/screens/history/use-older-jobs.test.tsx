import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { JobListParams } from "#api/types.ts";
import { PAGE_JOBS, useOlderJobs } from "#screens/history/use-older-jobs.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";

let service: ReturnType<typeof openSandboxMedia>;
vi.mock("#connection/connection-provider.tsx", () => ({ useApi: () => service.api }));
afterEach(() => service.close());

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
);

async function open(params: JobListParams, reachSeconds = Number.POSITIVE_INFINITY) {
  const head = await service.api.listJobs({ ...params, limit: PAGE_JOBS });
  const { result } = renderHook(({ reach }) => useOlderJobs({ params, head, reachSeconds: reach, isSearched: false }), {
    wrapper,
    initialProps: { reach: reachSeconds },
  });
  const readAll = async () => {
    while (result.current.hasMore) {
      const before = result.current.jobs.length;
      act(() => result.current.readMore());
      await waitFor(() => expect(result.current.isReading).toBe(false));
      if (result.current.hasMore) expect(result.current.jobs.length).toBeGreaterThan(before);
    }
    return new Set([...head.jobs, ...result.current.jobs].map(({ requestId }) => requestId));
  };
  return { head, result, readAll };
}

// (spec 4.1)
it.each([[[]], [["untimed-records"]], [["list-by-cursor", "untimed-records"]], [["list-with-has-more"]]])(
  "older jobs are read under the same filters to the end of the list: %j",
  async (quirks) => {
    service = openSandboxMedia({ history: 450, quirks });
    const { result, readAll } = await open({ status: ["success"] });
    const ids = await readAll();
    expect(ids.size).toBe((await service.api.listJobs({ status: ["success"], limit: 1000 })).jobs.length);
    expect(result.current.jobs.every(({ status }) => status === "success")).toBe(true);
  },
);

it("begin where the index ends", async () => {
  service = openSandboxMedia({ history: 450 });
  const all = (await service.api.listJobs({ limit: 1000 })).jobs;
  const reach = all[300]?.createdAtSeconds ?? 0;
  const { result, readAll } = await open({}, reach);
  await readAll();
  expect(result.current.jobs[0]?.createdAtSeconds).toBeLessThan(reach);
  // A page repeats the last job of the one before.
  expect(new Set(result.current.jobs.map(({ requestId }) => requestId)).size).toBe(149);
});

it("are none where the index holds everything", async () => {
  service = openSandboxMedia({ history: 450 });
  const { result } = await open({}, Number.NEGATIVE_INFINITY);
  expect(result.current.hasMore).toBe(false);
});
