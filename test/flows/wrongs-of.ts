// What a page said and wrote about its submits, held against what the service has.
import type { StudioReport } from "./submit-in-page.ts";

const REQUESTS = "/sandbox/api/v1/queue/apikey/requests";
const KEY = { Authorization: "Bearer sandbox-key" };

export interface ServiceJob {
  requestId: string;
  model: string;
  prompt: string;
}

/** The jobs that the service has. */
export async function jobsOf(serviceUrl: string): Promise<ServiceJob[]> {
  const jobs: ServiceJob[] = [];
  for (let total = 1; jobs.length < total; ) {
    const query = `limit=1000&offset=${jobs.length}`;
    const answer = await fetch(`${serviceUrl}${REQUESTS}?${query}`, { headers: KEY });
    const list = (await answer.json()) as {
      requests: { request_id: string; model: string; payload: { prompt?: string } }[];
      total: number;
    };
    total = list.total;
    for (const { request_id, model, payload } of list.requests) {
      jobs.push({ requestId: request_id, model, prompt: payload.prompt ?? "" });
    }
  }
  return jobs;
}

/** What the service charges for a prompt to each model, in micro-USD. */
async function pricesOf(serviceUrl: string, models: Iterable<string>): Promise<Map<string, number>> {
  const prices = new Map<string, number>();
  for (const model of new Set(models)) {
    const answer = await fetch(`${serviceUrl}${REQUESTS}/estimate`, {
      method: "POST",
      headers: { ...KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ model, payload: { prompt: "a lamp" } }),
    });
    prices.set(model, ((await answer.json()) as { price: number }).price);
  }
  return prices;
}

/**
 * Holds everything that the page said and wrote against the jobs of the service: no job twice, none without its line and
 * price, no false sentence. Resolves to what is wrong, in words.
 */
export async function wrongsOf(report: StudioReport, serviceUrl: string): Promise<string[]> {
  const { presses, intents, ledger } = report;
  const jobs = await jobsOf(serviceUrl);
  const prices = await pricesOf(
    serviceUrl,
    jobs.map(({ model }) => model),
  );
  const wrongs: string[] = [];
  const prompts = new Set([...presses.map(({ prompt }) => prompt), ...jobs.map(({ prompt }) => prompt)]);
  for (const prompt of prompts) {
    const made = jobs.filter((job) => job.prompt === prompt);
    const said = presses.filter((press) => press.prompt === prompt);
    const words = `${prompt}: ${made.length} jobs, said ${said.map((press) => press.said).join("; ")}`;
    const accepted = said.filter((press) => press.said.startsWith("accepted"));
    if (made.length > 1) wrongs.push(`doubled: ${words}`);
    if (made.length !== accepted.length) wrongs.push(`false: ${words}`);
    for (const { requestId } of accepted) {
      if (!made.some((job) => job.requestId === requestId)) wrongs.push(`false: ${words}, of another job ${requestId}`);
    }
    for (const { said: sentence, jobsThen } of said) {
      const expected = sentence.startsWith("accepted") ? 1 : 0;
      if (jobsThen !== undefined && jobsThen !== expected) {
        wrongs.push(`false when it was said: ${sentence}, with ${jobsThen} jobs; ${words}`);
      }
    }
    for (const { requestId, model } of made) {
      const lines = ledger.filter((line) => line.requestId === requestId);
      const isCharged = lines.length === 1 && lines[0]?.kind === "charged";
      if (!isCharged) wrongs.push(`lost: ${words}, in the ledger ${lines.map(({ kind }) => kind).join() || "nothing"}`);
      else if (lines[0]?.amountMicroUsd !== prices.get(model)) wrongs.push(`wrong price: ${words}`);
    }
  }
  const LINES = {
    accepted: ["charged"],
    rejected: ["not-charged"],
    absent: ["absent"],
    "not-sent": ["not-charged", ""],
  };
  for (const { prompt, state, requestIds } of intents) {
    const allowed = LINES[state as keyof typeof LINES] ?? [];
    const lines = ledger.filter((line) => line.prompt === prompt).map(({ kind }) => kind as string);
    if (!allowed.some((kind) => kind === "" || lines.includes(kind))) {
      wrongs.push(`ledger: ${prompt} is ${state} and has ${lines.join() || "nothing"}`);
    }
    if ((state === "accepted") !== requestIds.length > 0)
      wrongs.push(`record: ${prompt} is ${state} with ${requestIds}`);
  }
  const known = new Set(jobs.map(({ requestId }) => requestId));
  for (const { kind, requestId, prompt } of ledger) {
    const isOfJob = kind === "charged" || kind === "possible-duplicate" || kind === "refunded";
    if (isOfJob && !known.has(requestId ?? "")) wrongs.push(`ledger: ${prompt} has ${kind} for no job`);
  }
  return wrongs;
}

/** How often each word occurs. */
export function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
