import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { codeSample, requestBody, type SampleLanguage } from "#schema-form/code-samples.ts";

/** How many payloads each language sends: 102 together. A longer run sets CODE_SAMPLE_RUNS=1000. */
const RUNS = Number(process.env.CODE_SAMPLE_RUNS ?? 34);
const AT_ONCE = 4;

const COMMANDS: Record<SampleLanguage, { program: string; needs: string[]; file: string }> = {
  curl: { program: "bash", needs: ["bash", "curl", "jq"], file: "sample.sh" },
  typescript: { program: process.execPath, needs: [process.execPath], file: "sample.mjs" },
  python: { program: "python3", needs: ["python3"], file: "sample.py" },
};

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Every body that reached the sandbox over HTTP, byte for byte, by its path. */
const received = new Map<string, string[]>();
let server: Server;
let queueBaseUrl = "";
let nowMs = Date.UTC(2026, 0, 1);

async function answer(sandbox: ReturnType<typeof createSandbox>, incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const path = incoming.url ?? "/";
  if (incoming.method === "POST") received.set(path, [...(received.get(path) ?? []), body]);
  // Time passes between requests, so that nothing here waits for it.
  nowMs += 10 * 60_000;
  const headers = {
    "content-type": incoming.headers["content-type"] ?? "",
    authorization: incoming.headers.authorization ?? "",
  };
  const address = `http://${incoming.headers.host}${path}`;
  const method = incoming.method ?? "GET";
  const response = await sandbox.fetch(
    new Request(address, { method, headers, ...(method === "POST" ? { body } : {}) }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

beforeAll(async () => {
  const makeMedia = () =>
    Promise.resolve({ bytes: new Uint8Array([1, 2, 3]), contentType: "image/png", extension: "png" });
  const sandbox = createSandbox({ now: () => nowMs, makeMedia, openingBalanceMicroUsd: 1e12 });
  server = createServer((incoming, outgoing) => void answer(sandbox, incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  queueBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox/api/v1/queue`;
});
afterAll(() => void server.close());

function run(
  language: SampleLanguage,
  model: string,
  payload: Record<string, unknown>,
): Promise<{ output: string; folder: string }> {
  const { program, file } = COMMANDS[language];
  const folder = mkdtempSync(join(tmpdir(), "safelight-sample-"));
  writeFileSync(join(folder, file), codeSample(language, { queueBaseUrl, model, payload }));
  const env = { ...process.env, API_KEY: "sandbox-key", LC_ALL: "C", PYTHONIOENCODING: "utf-8" };
  return new Promise((resolve, reject) => {
    execFile(program, [file], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${language}: ${stderr || error.message}\n${stdout}\n${JSON.stringify(payload)}`));
      else resolve({ output: stdout, folder });
    });
  });
}

const DOLLAR = "$";
const NASTY = [
  `it's "quoted" \`and\` $(whoami) ${DOLLAR}{HOME} \\ \\n %s !! #{x}`,
  "'; rm -rf / #",
  "</script><!-- ",
  '"""',
  "'''\\",
  "line one\nline two\r\n\ttabbed",
  "\u0000\u0007\u007f\u2028\u2029\ufeff\u202e\u200b",
  "émoji 🦊 日本語 \ud83d",
  `${DOLLAR}{\`nested\`}`,
  "$'\\x41'",
  "-n -e --help",
  "@/etc/passwd",
  "EOF",
  "\\u0041 \\x41 \\",
];
const prompts = fc
  .oneof(
    fc.constantFrom(...NASTY),
    fc.string({ unit: "binary", minLength: 1, maxLength: 200 }),
    fc.string({ minLength: 1, maxLength: 80 }),
  )
  .filter((text) => text.trim() !== "");

describe.each(Object.keys(COMMANDS) as SampleLanguage[])("the %s sample", (language) => {
  const missing = COMMANDS[language].needs.filter((program) => !isInstalled(program));

  it.runIf(missing.length === 0)(
    `really runs: ${RUNS} payloads arrive byte for byte, estimate and submit once each`,
    { timeout: 900_000 },
    async () => {
      const payloads = [...NASTY, ...fc.sample(prompts, RUNS)]
        .slice(0, RUNS)
        .map((prompt, at) => ({ prompt: `${prompt} ${language} ${at}`, seed: at + 1 }));
      received.clear();
      let next = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (next < payloads.length) {
            const payload = payloads[next] ?? {};
            next += 1;
            const { output } = await run(language, "lumen-2", payload);
            expect(output).toContain("Saved: result-1.png");
          }
        }),
      );
      const expected = payloads.map((payload) => requestBody({ model: "lumen-2", payload })).sort();
      const base = new URL(queueBaseUrl).pathname;
      expect([...(received.get(`${base}/apikey/requests/estimate`) ?? [])].sort()).toEqual(expected);
      expect([...(received.get(`${base}/apikey/requests`) ?? [])].sort()).toEqual(expected);
    },
  );

  it.runIf(missing.length === 0)("polls a queued job to its end and saves the file", { timeout: 60_000 }, async () => {
    const { output, folder } = await run(language, "halide-video", { prompt: "a slow tide" });
    expect(output).toMatch(/Price: \$[\d.]+\nJob: \S+\nStatus: success\nSaved: result-1\.\w+\n/);
    expect([...readFileSync(join(folder, output.trim().split("Saved: ").at(-1) ?? ""))]).toEqual([1, 2, 3]);
  });

  it.runIf(missing.length > 0)(`is not run here: ${missing.join(", ")} is not installed`, () => {
    expect(missing).not.toEqual([]);
  });

  it("holds no key and hides no character", () => {
    const text = codeSample(language, {
      queueBaseUrl: "https://q.example/api/v1/queue",
      model: "m",
      payload: { prompt: NASTY.join("") },
    });
    expect(text).toContain("API_KEY");
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029]|[^\P{Cc}\n]/u);
  });
});
