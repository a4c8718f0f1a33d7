import "fake-indexeddb/auto";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useStore } from "zustand";
import { RefusedError } from "#api/api-error.ts";
import type { Api } from "#api/create-api.ts";
import { ClientContext } from "#connection/client.ts";
import { createJobIndex, type JobIndex, useIndexReading } from "#history/job-index/job-index.ts";
import { useListing } from "#history/use-listing.ts";
import { newRecord } from "#storage/job-records.ts";
import { openSandboxMedia } from "../../media/sandbox-media.ts";
import { listOf, past } from "../../runs/job-list/list-of.ts";
import { someJob } from "../../setup/some-job.ts";
import { freshDatabase } from "../../storage/fresh-database.ts";

let sandbox: ReturnType<typeof openSandboxMedia>;
beforeEach(freshDatabase);
afterEach(() => {
  vi.restoreAllMocks();
  sandbox.close();
});

/** Reads what an index lacks, as an open History does. */
function openHistory(index: JobIndex, api: Api) {
  return renderOver(api, () => useIndexReading(index, useStore(index.store), true));
}

/** A hook below a connection. */
function renderOver<Result>(api: Api, hook: () => Result) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retryDelay: 1 } } });
  const client = { connection: null, api, queryClient, calls: [] };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <ClientContext value={client}>{children}</ClientContext>
    </QueryClientProvider>
  );
  return { ...renderHook(hook, { wrapper }), queryClient };
}
const isWhole = (index: JobIndex) => waitFor(() => expect(index.store.getState().isWhole).toBe(true));
const ids = (index: JobIndex) => index.store.getState().entries.map(({ requestId }) => requestId);
const never = new Promise<never>(() => undefined);
const withList = (listJobs: (...args: Parameters<Api["listJobs"]>) => ReturnType<Api["listJobs"]>) => ({
  ...sandbox.api,
  listJobs,
});

describe("a search for costs", () => {
  it.each([
    ["cost>0.5", 0],
    ["-cost>0.5", 1],
  ])("%s goes by what a job costs today, in the list and for a download", async (q, place) => {
    sandbox = openSandboxMedia();
    const api = withList(listOf(past(2)).api.listJobs);
    const { jobs } = await api.listJobs({ limit: 2 });
    const index = createJobIndex(`account-costs-${place}`);
    index.noteEstimates(
      jobs.map((job, at) => [newRecord({ ...job, origin: "imported", submittedAtMs: 0 }), at === 0 ? 1_000_000 : 1000]),
    );
    const options = { marks: new Map(), nowMs: Date.now() };
    const { result } = renderOver(api, () => useListing({ q }, index, useStore(index.store), options));
    const found = [jobs[place]?.requestId];
    await waitFor(() => expect(result.current.entries.map(({ requestId }) => requestId)).toEqual(found));
    expect(result.current.keep(jobs).map(({ requestId }) => requestId)).toEqual(found);
  });
});

describe("an open History", () => {
  it("reads all jobs into the index, which is stored and opened after a restart", async () => {
    sandbox = openSandboxMedia({ history: 1300 });
    const index = createJobIndex("account-a");
    const { result } = openHistory(index, sandbox.api);
    await isWhole(index);
    expect(result.current).toMatchObject({ isReading: false, error: undefined });
    expect(index.store.getState().entries).toHaveLength(1300);

    const again = createJobIndex("account-a");
    await waitFor(() => expect(again.store.getState()).toMatchObject({ isOpen: true, isComplete: true }));
    expect(ids(again)).toEqual(ids(index));

    const other = createJobIndex("account-b");
    await waitFor(() => expect(other.store.getState().isOpen).toBe(true));
    expect(other.store.getState().entries).toHaveLength(0);
  });

  it("reads to the end a list that is read by cursors and tells no times", async () => {
    sandbox = openSandboxMedia({ history: 1300, quirks: ["list-by-cursor", "lean-list", "untimed-records"] });
    const page = await sandbox.api.listJobs({ limit: 100 });
    const index = createJobIndex("account-h");
    index.noteHead(page, 100);
    openHistory(index, sandbox.api);
    await isWhole(index);
    expect(index.store.getState().isUntimed).toBe(true);
    expect(index.store.getState().entries).toHaveLength(1300);
  });

  it("includes jobs seen before the index opens", async () => {
    sandbox = openSandboxMedia();
    const index = createJobIndex("account-c");
    index.note([someJob("job-1")]);
    await waitFor(() => expect(index.store.getState().entries).toHaveLength(1));
    expect(index.store.getState().isComplete).toBe(false);
  });

  it("tells why reading ended early, and goes on from there", async () => {
    sandbox = openSandboxMedia({ history: 1300, faults: [{ endpoint: "list", status: 403 }] });
    const index = createJobIndex("account-d");
    const { result } = openHistory(index, sandbox.api);
    await waitFor(() => expect(result.current).toMatchObject({ isReading: false, error: { status: 403 } }));
    sandbox.sandbox.configure({ faults: [] });
    act(() => result.current.read());
    await isWhole(index);
    await waitFor(() => expect(result.current.error).toBeUndefined());
    expect(index.store.getState().entries).toHaveLength(1300);
  });

  it("says that it reads again while the page that failed is asked for once more", async () => {
    sandbox = openSandboxMedia();
    const { api } = listOf(past(3000));
    const answers = ["page", "refused", "never"];
    const listJobs: Api["listJobs"] = (params) => {
      const answer = answers.shift();
      if (answer === "never") return never;
      return answer === "page" ? api.listJobs(params) : Promise.reject(new RefusedError({ status: 403, message: "" }));
    };
    const { result } = openHistory(createJobIndex("account-again"), withList(listJobs));
    await waitFor(() => expect(result.current).toMatchObject({ isReading: false, error: { status: 403 } }));
    act(() => result.current.read());
    await waitFor(() => expect(result.current).toMatchObject({ isReading: true, error: undefined }));
  });

  it("forgets why reading ended once the newest page holds all jobs, and reads what comes later", async () => {
    sandbox = openSandboxMedia();
    const { api, jobs } = listOf(past(31));
    let isRefused = true;
    const listJobs: Api["listJobs"] = (params) =>
      isRefused ? Promise.reject(new RefusedError({ status: 403, message: "" })) : api.listJobs(params);
    const index = createJobIndex("account-forget");
    const { result } = openHistory(index, withList(listJobs));
    await waitFor(() => expect(result.current.error).toMatchObject({ status: 403 }));
    isRefused = false;
    const noteHead = async (limit: number) => {
      const head = await api.listJobs({ limit });
      act(() => index.noteHead(head, limit));
    };
    await noteHead(100);
    await waitFor(() => expect(result.current).toMatchObject({ isReading: false, error: undefined }));
    for (let number = 0; number < 50; number += 1) jobs.push({ id: `new-${number}`, at: 1_700_000_100 + number });
    await noteHead(10);
    await isWhole(index);
    expect(index.store.getState().entries).toHaveLength(81);
  });

  it("asks for nothing more once it is closed", async () => {
    sandbox = openSandboxMedia();
    const { api, calls } = listOf(past(9000));
    const { unmount, queryClient } = openHistory(createJobIndex("account-closed"), withList(api.listJobs));
    await waitFor(() => expect(calls.length).toBeGreaterThan(1));
    unmount();
    // What was under way has ended, and what waited for it has had its turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(queryClient.isFetching()).toBe(0);
  });

  it("waits for a busy service as long as it takes, and tells why", async () => {
    sandbox = openSandboxMedia({ history: 1300, faults: [{ endpoint: "list", status: 503 }] });
    const index = createJobIndex("account-i");
    const { result } = openHistory(index, sandbox.api);
    await waitFor(() => expect(result.current).toMatchObject({ isReading: true, error: { status: 503 } }));
    const asked = () => sandbox.sandbox.inspect().requests.length;
    await waitFor(() => expect(asked()).toBeGreaterThan(8));
    sandbox.sandbox.configure({ faults: [] });
    await isWhole(index);
    await waitFor(() => expect(result.current).toMatchObject({ isReading: false, error: undefined }));
  });

  it("asks nothing more where the newest page is the whole list", async () => {
    sandbox = openSandboxMedia({ history: 40 });
    const page = await sandbox.api.listJobs({ limit: 100 });
    const index = createJobIndex("account-e");
    index.noteHead(page, 100);
    await isWhole(index);
    const asked = sandbox.sandbox.inspect().requests.length;
    const { result } = openHistory(index, sandbox.api);
    await act(async () => result.current.read());
    expect(sandbox.sandbox.inspect().requests).toHaveLength(asked);
  });

  it("stops while nobody sees the page, and goes on afterwards", async () => {
    sandbox = openSandboxMedia({ history: 1300 });
    const index = createJobIndex("account-f");
    let isPending = true;
    let aborted = 0;
    const listJobs: Api["listJobs"] = (params, signal) => {
      if (!isPending) return sandbox.api.listJobs(params, signal);
      signal?.addEventListener("abort", () => void aborted++);
      return never;
    };
    const { result } = openHistory(index, withList(listJobs));
    await waitFor(() => expect(result.current.isReading).toBe(true));
    const sight = vi.spyOn(document, "visibilityState", "get");
    const show = (state: "hidden" | "visible") => {
      sight.mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event("visibilitychange")));
    };
    show("hidden");
    await waitFor(() => expect(aborted).toBe(1));
    expect(index.store.getState().isComplete).toBe(false);
    isPending = false;
    show("visible");
    await isWhole(index);
    expect(result.current.error).toBeUndefined();
  });

  it("asks again for jobs that had no end, and finds what came since", async () => {
    sandbox = openSandboxMedia({ history: 30 });
    const { api } = sandbox;
    const index = createJobIndex("account-g");
    const { requestId } = await api.submit({ model: "halide-video", payload: { prompt: "A fox" } });
    const first = openHistory(index, api);
    await isWhole(index);
    expect(index.get(requestId)?.status).toBe("queued");
    first.unmount();
    sandbox.pass(3600);
    for (let made = 0; made < 3; made += 1) await api.submit({ model: "lumen-2", payload: { prompt: `Hen ${made}` } });
    openHistory(index, api);
    await waitFor(() => expect(index.get(requestId)?.status).toBe("success"));
    expect(index.store.getState().entries).toHaveLength(34);
  });

  it.each([
    ["completely", 2000, true],
    ["in part", 1000, true],
    ["completely, and its records have no times", 2000, false],
    ["in part, and its records have no times", 1000, false],
  ])("finds all that came since an index was read %s", async (_, stored, isTimed) => {
    sandbox = openSandboxMedia();
    const made = (id: string, at: number) => ({ id, at: isTimed ? at : undefined });
    const { api, jobs } = listOf(past(2000).map(({ id, at }) => made(id, at)));
    const list: Api["listJobs"] = (params) => api.listJobs(params);
    let isBroken = stored < 2000;
    let asked = 0;
    const listJobs: Api["listJobs"] = (params) => {
      asked += 1;
      if (isBroken && asked > 1) return Promise.reject(new RefusedError({ status: 500, message: "" }));
      return list(params);
    };
    const before = createJobIndex(`account-${stored}-${isTimed}`);
    const first = openHistory(before, withList(listJobs));
    await waitFor(() => expect(before.store.getState().entries).toHaveLength(stored));
    if (isBroken) await waitFor(() => expect(first.result.current.error).toBeDefined());
    else await isWhole(before);
    first.unmount();
    isBroken = false;
    for (let number = 0; number < 2500; number += 1) jobs.unshift(made(`new-${number}`, 1_700_000_100 + number));

    const index = createJobIndex(`account-${stored}-${isTimed}`);
    await index.opened;
    expect(index.store.getState().entries).toHaveLength(stored);
    openHistory(index, withList(listJobs));
    await waitFor(() => expect(index.store.getState().entries).toHaveLength(4500));
    await isWhole(index);
  });

  it("goes on with what is missing when the newest page comes while another is read, and repeats none", async () => {
    sandbox = openSandboxMedia();
    const { api, jobs } = listOf(past(3000));
    const index = createJobIndex("account-late");
    await index.opened;
    let asked = 0;
    const listJobs: Api["listJobs"] = async (params) => {
      asked += 1;
      const page = await api.listJobs(params);
      if (asked !== 2) return page;
      for (let number = 0; number < 500; number += 1) jobs.push({ id: `new-${number}`, at: 1_700_000_100 + number });
      const head = await api.listJobs({ limit: 100 });
      index.noteHead(head, 100);
      return page;
    };
    openHistory(index, withList(listJobs));
    await isWhole(index);
    expect(index.store.getState().entries).toHaveLength(3500);
  });

  it("shows at once what single records and this browser's rows tell, while older jobs are read", async () => {
    sandbox = openSandboxMedia();
    const index = createJobIndex("account-while");
    index.note([someJob("job-1", { payload: undefined })]);
    const { result } = openHistory(
      index,
      withList(() => never),
    );
    await waitFor(() => expect(result.current.isReading).toBe(true));
    index.noteRead([someJob("job-1", { payload: { prompt: "Prompt 1" } })]);
    expect(index.store.getState().entries[0]?.payload).toEqual({ prompt: "Prompt 1" });
    index.noteOwn([newRecord({ requestId: "job-1", origin: "answered", submittedAtMs: 1, priceMicroUsd: 7 })]);
    expect(index.store.getState().entries[0]?.priceMicroUsd).toBe(7);
  });
});
