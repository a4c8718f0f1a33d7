import { act, renderHook, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Job } from "#api/types.ts";
import { useApi } from "#connection/client.ts";
import { ConnectionProvider } from "#connection/connection-provider.tsx";
import { disconnect, getConnection, openSandbox } from "#connection/connection-store.ts";
import { isRecord } from "#lib/read.ts";
import { ledgerId } from "#runs/ledger/ledger.ts";
import { getPollControl } from "#runs/poll/poll-control.ts";
import { useJob } from "#runs/poll/use-jobs.ts";
import { openRows } from "#storage/database.ts";
import { newRecord, trackedKey, trackedRows } from "#storage/job-records.ts";
import { saveOne } from "#storage/typed-rows.ts";
import { everyActIsKnown } from "../app/acts-on-screen.ts";
import { openSandboxMedia } from "../media/sandbox-media.ts";
import { withKey } from "../setup/with-key.ts";
import { visitStudio } from "../visit-studio.tsx";

let sandbox: ReturnType<typeof openSandboxMedia>;
beforeEach(async () => {
  localStorage.clear();
  sandbox = openSandboxMedia();
  await openSandbox();
});
afterEach(() => {
  disconnect();
  sandbox.close();
});

const accountId = () => getConnection()?.accountId ?? "";
const deletes = () => sandbox.sandbox.inspect().requests.filter(({ route }) => route === "delete-media");

describe("a job by its id", () => {
  // spec 4.1
  it("shows status, parameters, price and media of any job of the key", async () => {
    const job = await sandbox.imageJob({ prompt: "A lamp on a table", seed: 7 });
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByRole("heading", { name: "A lamp on a table" })).toBeVisible();
    expect(screen.getByText("Done")).toBeVisible();
    expect(screen.getByRole("img", { name: "A lamp on a table" })).toHaveAttribute("src", job.media[0]?.url);
    const parameters = screen.getByRole("region", { name: "Settings" });
    expect(within(parameters).getByText("seed").nextSibling).toHaveTextContent("7");
    expect(screen.getByRole("button", { name: "Download" })).toBeEnabled();
    // This browser did not submit it, and the record tells no price (spec 2): the payload is estimated anew.
    expect(await screen.findByText(/^≈ \$0\.\d+, estimated at today’s price$/)).toBeVisible();
    await everyActIsKnown();
  });

  // spec 3
  it("shows any status except the three final ones as running", async () => {
    const job = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } });
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByRole("timer", { name: "Elapsed" })).toBeVisible();
    expect(screen.getByText("Queued")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Download" })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Delete files" })).not.toBeInTheDocument();
  });

  it("imports the job of another client with one press", async () => {
    const job = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } });
    const { user } = visitStudio(`/jobs/${job.requestId}`);
    await user.click(await screen.findByRole("button", { name: "Track job" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Track job" })).not.toBeInTheDocument());
    const rows = await openRows();
    expect(await rows.get("jobs", trackedKey(accountId(), job.requestId))).toMatchObject({
      body: { origin: "adopted" },
    });
    // No record has a price: what stands in the ledger is today's estimate, and says so.
    await waitFor(async () => {
      const line = await rows.get("ledger", ledgerId.charge(accountId(), job.requestId));
      expect(line).toMatchObject({ body: { evidence: "brought-in", isEstimated: true, amountMicroUsd: 210_000 } });
    });
  });

  // spec 3
  it("says why a job failed, and that its charge was refunded", async () => {
    const job = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "fail:moderation" } });
    sandbox.pass(600);
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByText("The safety filter stopped this generation.")).toBeVisible();
    expect(screen.queryByText(/gave no reason/)).not.toBeInTheDocument();
    expect(screen.getByText("Refunded in full.")).toBeVisible();
  });

  // No request can name this id.
  it("with an id that is none leads to History", async () => {
    visitStudio("/jobs/%2E%2E");
    expect(await screen.findByText("Job not found")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to History" })).toHaveAttribute("href", "/history");
  });

  // spec 4.1 rule 1
  it("shows no job of another user, and leads to History", async () => {
    const { createApi } = await import("#api/create-api.ts");
    const { queueBaseUrl, inferenceBaseUrl } = sandbox;
    const other = createApi(withKey({ queueBaseUrl, inferenceBaseUrl, key: "sandbox-key-2" }));
    const job = await other.submit({ model: "lumen-2", payload: { prompt: "Not yours" } });
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByText("Job not found")).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to History" })).toHaveAttribute("href", "/history");
  });
});

describe("a job whose end another tab has read", () => {
  /** Its row, without the files, which came inline. */
  const ended = async (job: Job) =>
    saveOne(trackedRows, accountId(), trackedKey(accountId(), job.requestId), {
      ...newRecord({ ...job, origin: "answered", submittedAtMs: 1, status: "success" }),
      media: [],
      lacksOutcome: true,
    });

  it("is not said to have no files while its record is on its way", async () => {
    const job = await sandbox.imageJob({ prompt: "A lamp" });
    await ended(job);
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const answer = sandbox.sandbox.fetch;
    sandbox.sandbox.fetch = async (request) => {
      if (request.url.endsWith(`/requests/${job.requestId}`)) await held;
      return answer(request);
    };
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByText("Done")).toBeVisible();
    expect(screen.queryByText("The job finished but returned no files")).not.toBeInTheDocument();
    letGo();
    expect(await screen.findByRole("img", { name: "A lamp" })).toBeVisible();
  });

  it("is said to be unknown to the service where that no longer has it, and not to run on", async () => {
    const requestId = "0b6b4b6e-0000-4000-8000-000000000000";
    const known = { requestId, model: "lumen-2", origin: "answered", submittedAtMs: 1, priceMicroUsd: 35_000 } as const;
    const row = newRecord({ ...known, payload: { prompt: "A lamp" }, status: "gone" });
    await saveOne(trackedRows, accountId(), trackedKey(accountId(), requestId), row);
    visitStudio(`/jobs/${requestId}`);
    expect(
      await screen.findByText("The service doesn’t say whether this job was refunded. Assume you were charged $0.035."),
    ).toBeVisible();
    expect(screen.queryByRole("timer", { name: "Elapsed" })).not.toBeInTheDocument();
    expect(screen.getAllByText("Charged $0.035 · refund unknown")[0]).toBeVisible();
    expect(document.body).not.toHaveTextContent("Not charged");
  });

  it("that cannot be read is never said to have cost nothing", async () => {
    const job = await sandbox.imageJob({ prompt: "A lamp" });
    await ended(job);
    sandbox.sandbox.configure({ faults: [{ endpoint: "job", status: 500 }] });
    visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByRole("alert")).toHaveTextContent(/Service error/);
    expect(document.body).not.toHaveTextContent(/charged/i);
    expect(document.body).not.toHaveTextContent("The job finished but returned no files");
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("is asked for by a tab that does not poll it", async () => {
    const { requestId } = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "A lamp" } });
    const { result } = renderHook(() => ({ api: useApi(), ...useJob(requestId) }), { wrapper: ConnectionProvider });
    act(() => getPollControl(result.current.api).setPolled(() => false));
    await waitFor(() => expect(result.current.job?.status).toBe("queued"));
    sandbox.pass(600);
    await act(() => ended(result.current.job as Job));
    await waitFor(() => expect(result.current.job?.media).toHaveLength(1));
    expect(result.current.isAwaitingFiles).toBe(false);
  });
});

describe("a record in other words", () => {
  /** Opens a job whose record has these fields in place of its own. */
  async function openWith(fields: object): Promise<void> {
    const { requestId } = await sandbox.api.submit({ model: "halide-video", payload: { prompt: "A tide" } });
    const answer = sandbox.sandbox.fetch;
    sandbox.sandbox.fetch = async (request) => {
      const response = await answer(request);
      if (request.method !== "GET" || !request.url.endsWith(`/requests/${requestId}`)) return response;
      const body: unknown = await response.json();
      return Response.json({ ...(isRecord(body) ? body : {}), ...fields }, { headers: response.headers });
    };
    visitStudio(`/jobs/${requestId}`);
  }

  it("links to the whole answer where the service gave no reason, and opens it", async () => {
    await openWith({ status: "FAILED", region: "north-7" });
    expect(await screen.findByText(/The service gave no reason\./)).toBeVisible();
    const record = screen.getByText(/north-7/);
    expect(record).not.toBeVisible();
    screen.getByRole("link", { name: "View raw response" }).click();
    await waitFor(() => expect(record.closest("details")).toHaveAttribute("open"));
  });

  it("of an end that is no failure has its reason, and promises no refund", async () => {
    await openWith({ status: "TIMED_OUT", message: "No worker took it" });
    expect(await screen.findByText("No worker took it")).toBeVisible();
    expect(screen.queryByText(/gave no reason/)).not.toBeInTheDocument();
    expect(screen.getAllByText("Timed out").length).toBeGreaterThan(0);
    expect(screen.getByText("The service doesn’t say whether this job was refunded.")).toBeVisible();
    expect(document.body).not.toHaveTextContent(/refunded in full/i);
  });

  it("of a job that runs has its status as words, and stands below as it came", async () => {
    await openWith({ status: "WaitingForWorker" });
    expect(await screen.findByRole("timer", { name: "Elapsed" })).toBeVisible();
    expect(screen.getByText("Waiting for worker")).toBeVisible();
    expect(screen.queryByText("WaitingForWorker")).not.toBeInTheDocument();
  });
});

// Spec 4.1.
describe("deleting media", () => {
  it("asks first, says what is deleted and why it failed, and leaves the record", async () => {
    const job = await sandbox.imageJob();
    const { user } = visitStudio(`/jobs/${job.requestId}`);
    await user.click(await screen.findByRole("button", { name: "Delete files" }));
    const dialog = await screen.findByRole("alertdialog", { name: "Delete files of this job?" });
    for (const words of [/1 generated file/, /uploaded to the service/, /its charge/, /5 minutes/]) {
      expect(dialog).toHaveTextContent(words);
    }
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(deletes()).toHaveLength(0);

    // A refusal leaves the dialog open for a retry.
    await user.click(screen.getByRole("button", { name: "Delete files" }));
    sandbox.sandbox.configure({ faults: [{ endpoint: "delete-media", status: 403, times: 1 }] });
    await user.click(await screen.findByRole("button", { name: "Delete permanently" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(/Remove the pool from the model ID/);
    expect(screen.getByRole("alert")).not.toHaveTextContent(/charged/);
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
    expect(deletes()).toMatchObject([{ status: 403 }, { status: 200 }]);
    expect((await screen.findAllByText("Files deleted")).length).toBeGreaterThan(0);
    expect(screen.queryByRole("img")).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Download" })).not.toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Settings" })).toBeVisible();
    expect(sandbox.sandbox.inspect().jobs).toMatchObject([{ isMediaDeleted: true }]);
  });
});

describe("a result", () => {
  it("of several files is a grid, and is run again from its page with its price", async () => {
    const job = await sandbox.imageJob({ prompt: "A boat", n: 2 });
    const { user, router } = visitStudio(`/jobs/${job.requestId}`);
    expect(await screen.findByRole("button", { name: "View full size: A boat, 2 of 2" })).toBeVisible();
    const again = await screen.findByRole("button", { name: /^Run again/ });
    await waitFor(() => expect(again).toHaveTextContent(/\$\d/));
    await user.click(again);
    await waitFor(() => expect(router.state.location.pathname).toBe("/create/lumen-2"));
    await waitFor(() => expect(sandbox.sandbox.inspect().jobs).toHaveLength(2));
  });

  it("that has expired says so, and offers the same run once more", async () => {
    const job = await sandbox.imageJob({ prompt: "A boat" });
    const then = Date.now() + 61 * 86_400_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => then);
    onTestFinished(() => clock.mockRestore());
    visitStudio(`/jobs/${job.requestId}`);
    const result = await screen.findByRole("region", { name: "Result" });
    expect(await within(result).findByText("Expired")).toBeVisible();
    const again = await within(result).findByRole("button", { name: /^Run again/ });
    await waitFor(() => expect(again).toHaveTextContent(/\$\d/));
  });
});
