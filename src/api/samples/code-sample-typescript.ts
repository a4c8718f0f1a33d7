import { quoteTypeScript } from "./quote-code.ts";

/**
 * The flow of `codeSample` as TypeScript without type annotations, so that Node runs it as it is. `queue` is the queue's
 * address, `body` the JSON of a submit.
 */
export function typescriptSample(queue: string, body: string): string {
  return `// Runs on Node 20 and newer. Set API_KEY in the environment first.
import { writeFile } from "node:fs/promises";

const key = process.env.API_KEY;
if (!key) throw new Error("Set API_KEY to your key");
const queue = ${quoteTypeScript(queue)};
const body = ${quoteTypeScript(body)};

const headers = { Authorization: \`Bearer \${key}\`, "Content-Type": "application/json" };
const wait = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));

/** The parsed body of a response. Throws an error with its status, or 0 if there was no response. */
async function call(path = "", body = "") {
  const request = body ? { method: "POST", headers, body } : { headers };
  const response = await fetch(queue + path, request).catch(() => Response.error());
  const text = await response.text().catch(() => "");
  if (response.ok && text) return JSON.parse(text);
  throw Object.assign(new Error(\`\${response.status} \${text}\`), { status: response.ok ? 0 : response.status });
}

/** Repeats a call that fails with one of the statuses, up to 8 times, waiting longer each time, with jitter. */
async function retry(statuses = [0], send = () => call()) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (tries > 8 || !statuses.includes(error.status)) throw error;
      await wait(1000 + Math.random() * 1000 * 2 ** tries);
    }
  }
}
// Too many requests, busy, no response: for requests that cost nothing.
const passing = [429, 502, 503, 0];

// 1. What it will cost. Nothing is charged.
const estimate = await retry(passing, () => call("/apikey/requests/estimate", body));
console.log(\`Price: $\${estimate.price / 1_000_000}\`);

// 2. Submit once. This charges. Only 429 is retried, because then the service accepted nothing.
const submit = async () => {
  const answer = await call("/apikey/requests", body);
  if (!answer.request_id) throw new Error("The response has no job ID.");
  return answer;
};
let job = await retry([429], submit).catch((error) => {
  const isRefused = [400, 401, 402, 403, 404, 405, 406, 410, 413, 415, 422, 429].includes(error.status);
  const unknown = "You may have been charged. Check your job list before you run this again.";
  throw new Error(isRefused ? "Not charged: the service rejected this job." : unknown, { cause: error });
});
const id = job.request_id;
console.log(\`Job: \${id}\`);

// 3. Poll every 5 to 10 seconds until the job has ended. A fast model may have finished in the first response.
const look = () =>
  retry(passing, () => call(\`/apikey/requests/\${encodeURIComponent(id)}\`)).catch((error) => {
    throw new Error(\`The job is still running: \${id}\`, { cause: error });
  });
while (!["success", "failed", "cancelled"].includes(job.status)) {
  await wait(5000 + Math.random() * 5000);
  job = await look();
}
if (job.status === "success" && !job.outcome) job = await look();
console.log(\`Status: \${job.status}\`);
if (job.status === "failed") throw new Error(\`Refunded in full. \${JSON.stringify(job)}\`);
if (job.status === "cancelled") {
  throw new Error("The service does not say whether this job was refunded. Check your balance.");
}

// 4. Download. The files are public, so the key is not sent.
let n = 0;
for (const { url } of job.outcome?.media_urls ?? []) {
  n += 1;
  const extension = new URL(url).pathname.match(/\\.([A-Za-z0-9]{1,5})$/)?.[1] ?? "bin";
  const file = await fetch(url);
  if (!file.ok) throw new Error(\`\${file.status} for \${url}\`);
  await writeFile(\`result-\${n}.\${extension}\`, new Uint8Array(await file.arrayBuffer()));
  console.log(\`Saved: result-\${n}.\${extension}\`);
}
`;
}
