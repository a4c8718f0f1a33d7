import { describe, expect, it } from "vitest";
import { createApi } from "#api/create-api.ts";
import type { LoggedRequest } from "#api/transport.ts";
import { jobExchanges } from "#results/request-log/job-exchanges.ts";
import { openMemorySandbox } from "../../api/memory-sandbox.ts";

const KEY = "sandbox-key";

/** A client of a fresh sandbox whose finished requests are recorded, as in the studio's connection. */
function openWatched() {
  const calls: LoggedRequest[] = [];
  const { target, pass } = openMemorySandbox({ key: KEY });
  return { calls, pass, api: createApi({ ...target, onCall: (call) => calls.push(call) }) };
}

const paths = (exchanges: ReturnType<typeof jobExchanges>) =>
  exchanges.map(({ request }) => `${request.method} ${new URL(request.url).pathname.split("/apikey")[1]}`);

// Spec 4.1.
describe("the exchanges of a job", () => {
  it("hold its estimate, submit, reads and lists, without those of others", async () => {
    const { api, calls, pass } = openWatched();
    const wanted = { model: "lumen-2", payload: { prompt: "A lamp" } };
    await api.estimate({ model: "lumen-2", payload: { prompt: "A la" } });
    await api.estimate(wanted);
    const job = await api.submit(wanted);
    await api.submit({ model: "lumen-2", payload: { prompt: "Another" } });
    pass(120);
    await api.getJob(job.requestId);
    await api.listJobs({ limit: 5 });
    const exchanges = jobExchanges(calls, job.requestId);
    expect(paths(exchanges)).toEqual([
      "POST /requests/estimate",
      "POST /requests",
      `GET /requests/${job.requestId}`,
      "GET /requests",
    ]);
    expect(exchanges[1]).toMatchObject({
      request: { body: JSON.stringify(wanted), headers: { Authorization: "Bearer [key]" } },
      response: { status: 200 },
    });
    expect(exchanges[1]?.body).toContain(job.requestId);
    expect(JSON.stringify(calls)).not.toContain(KEY);
  });

  it("show reads with the same answer once, with their number", async () => {
    const { api, calls } = openWatched();
    const job = await api.submit({ model: "halide-video", payload: { prompt: "A slow tide" } });
    for (let count = 0; count < 3; count += 1) await api.getJob(job.requestId);
    expect(jobExchanges(calls, job.requestId).map(({ repeatCount }) => repeatCount)).toEqual([undefined, 3]);
  });

  // Spec 7.
  it("hold refusals with their body, and requests without an answer", async () => {
    const { api, calls } = openWatched();
    const job = await api.submit({ model: "halide-video", payload: { prompt: "poll-error:502x1" } });
    await api.getJob(job.requestId).catch(() => {});
    const refused = jobExchanges(calls, job.requestId).at(-1);
    expect(refused?.response?.status).toBe(502);
    expect(refused?.body).toMatch(/error/);
    const lost = { ...calls.at(-1), response: undefined, answer: new Error("No answer.") } as LoggedRequest;
    const silent = jobExchanges([lost], job.requestId)[0];
    expect(silent?.response).toBeUndefined();
    expect(silent?.end?.text).toBe("No answer.");
  });
});
