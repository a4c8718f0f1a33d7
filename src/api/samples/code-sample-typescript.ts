import { quoteTypeScript } from "./quote-code.ts";

/**
 * The flow as TypeScript without types that need writing, so that Node runs it as it is. `queue` is the queue's
 * address, `body` the JSON of a submit. Never throws.
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

async function read(response = new Response()) {
  const text = await response.text();
  if (!response.ok) throw new Error(\`\${response.status} \${text}\`);
  return JSON.parse(text);
}

// 1. What it will cost. Nothing is charged.
const estimate = await read(await fetch(\`\${queue}/apikey/requests/estimate\`, { method: "POST", headers, body }));
console.log(\`Price: $\${estimate.price / 1_000_000}\`);

// 2. Submit once. This charges. Do not repeat it when no answer comes: look at your job list first.
let job = await read(await fetch(\`\${queue}/apikey/requests\`, { method: "POST", headers, body }));
const id = job.request_id;
console.log(\`Job: \${id}\`);

// 3. Ask every 5 to 10 seconds. After a failed read wait longer each time, with jitter.
const isFinal = (status = "") => ["success", "failed", "cancelled"].includes(status);
let failures = 0;
while (!isFinal(job.status) || (job.status === "success" && !job.outcome)) {
  try {
    job = await read(await fetch(\`\${queue}/apikey/requests/\${encodeURIComponent(id)}\`, { headers }));
    failures = 0;
    if (!isFinal(job.status)) await wait(5000 + Math.random() * 5000);
  } catch (error) {
    failures += 1;
    if (failures > 8) throw new Error(\`Still no answer. The job goes on: \${id}\`, { cause: error });
    await wait(Math.random() * 1000 * 2 ** failures);
  }
}
console.log(\`Status: \${job.status}\`);
if (job.status !== "success") throw new Error("The charge is refunded.");

// 4. Download. The files are public: the key stays here.
let n = 0;
for (const { url } of job.outcome.media_urls ?? []) {
  n += 1;
  const extension = new URL(url).pathname.match(/\\.([A-Za-z0-9]{1,5})$/)?.[1] ?? "bin";
  const file = await fetch(url);
  if (!file.ok) throw new Error(\`\${file.status} for \${url}\`);
  await writeFile(\`result-\${n}.\${extension}\`, new Uint8Array(await file.arrayBuffer()));
  console.log(\`Saved: result-\${n}.\${extension}\`);
}
`;
}
