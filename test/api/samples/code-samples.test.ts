import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { codeSample, requestBody, type SampleLanguage } from "#api/samples/code-samples.ts";
import { createSandbox } from "#sandbox/create-sandbox.ts";
import { cases } from "../../setup/cases.ts";
import fc from "../../setup/fc.ts";

interface Command {
  program: string;
  needs: string[];
  extension: string;
  /** A program of the language that executes every sample file named to it, one after the other, each as it is. */
  runner: string;
  /** How many payloads it sends to the sandbox: the shell starts a dozen programs for each, so fewer there. */
  runs: number;
}

const COMMANDS: Record<SampleLanguage, Command> = {
  curl: {
    program: "bash",
    needs: ["bash", "curl", "jq"],
    extension: "sh",
    runner: 'for file in "$@"; do bash "$file" || { echo "$file" >&2; exit 1; }; done',
    runs: cases(3, 30),
  },
  typescript: {
    program: process.execPath,
    needs: [process.execPath],
    extension: "mjs",
    runner: 'for (const file of process.argv.slice(2)) await import("./" + file);',
    runs: cases(24, 400),
  },
  python: {
    program: "python3",
    needs: ["python3"],
    extension: "py",
    runner:
      "import sys\nfor file in sys.argv[1:]:\n    print(file, file=sys.stderr)\n    exec(compile(open(file, encoding='utf-8').read(), file, 'exec'), {'__name__': '__main__'})",
    runs: cases(24, 400),
  },
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

/** Answers that come before the sandbox's own, by method and the end of the path. */
const scripted = new Map<string, { status: number; body: unknown }[]>();

async function answer(sandbox: ReturnType<typeof createSandbox>, incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString("utf8");
  const path = incoming.url ?? "/";
  if (incoming.method === "POST") received.set(path, [...(received.get(path) ?? []), body]);
  const first = [...scripted]
    .map(([request, answers]) => ({ words: request.split(" "), answers }))
    .find(({ words: [method, end = ""] }) => incoming.method === method && path.endsWith(end))
    ?.answers.shift();
  if (first !== undefined) {
    outgoing.writeHead(first.status).end(JSON.stringify(first.body));
    return;
  }
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

interface RunOptions {
  runner?: string;
  /** What the service answers before the sandbox does. */
  first?: Record<string, { status: number; body: unknown }[]>;
}

/** Writes each payload's sample into a folder of its own making and has the language run them all, in one process. */
async function run(
  language: SampleLanguage,
  model: string,
  payloads: readonly Record<string, unknown>[],
  { runner = COMMANDS[language].runner, first = {} }: RunOptions = {},
) {
  const { program, extension } = COMMANDS[language];
  const folder = mkdtempSync(join(tmpdir(), "safelight-sample-"));
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") process.stderr.write(`The ${language} samples are still in ${folder}.\n`);
    else rmSync(folder, { recursive: true });
  });
  const files = payloads.map((payload, at) => {
    const file = `sample-${at}.${extension}`;
    writeFileSync(join(folder, file), codeSample(language, { queueBaseUrl, model, payload }));
    return file;
  });
  writeFileSync(join(folder, `run.${extension}`), runner);
  scripted.clear();
  for (const [request, answers] of Object.entries(first)) scripted.set(request, [...answers]);
  const env = { ...process.env, API_KEY: "sandbox-key", LC_ALL: "C", PYTHONIOENCODING: "utf-8" };
  const options = { cwd: folder, env, maxBuffer: 1e8 };
  try {
    const { stdout } = await promisify(execFile)(program, [`run.${extension}`, ...files], options);
    return { output: stdout, folder };
  } catch (error) {
    throw new Error(`A ${language} sample in ${folder} failed.`, { cause: error });
  }
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

const somePayloads = (count: number, word: string) =>
  [...NASTY, ...fc.sample(prompts, count)]
    .slice(0, count)
    .map((prompt, at) => ({ prompt: `${prompt} ${word} ${at}`, seed: at + 1 }));

/** Stands in for curl: keeps what it was given to send, and is refused, so that the sample ends after its first request. */
const LISTEN = `curl() { local body; IFS= read -r -d '' body || :; printf '%s\\0' "$body" >>bodies; printf '\\n400'; }
for file in "$@"; do (source "./$file") 2>/dev/null; done
:`;

it.runIf(isInstalled("bash"))("bash hands curl every payload byte for byte", async () => {
  const payloads = somePayloads(cases(24, 400), "bash");
  const { folder } = await run("curl", "lumen-2", payloads, { runner: LISTEN });
  const bodies = readFileSync(join(folder, "bodies"), "utf8").split("\0").slice(0, -1);
  expect(bodies).toEqual(payloads.map((payload) => requestBody({ model: "lumen-2", payload })));
});

/** Runs the samples without their waits. */
const HASTY: Record<SampleLanguage, string> = {
  curl: `sleep() { :; }
for file in "$@"; do (source "./$file") || exit 1; done`,
  typescript: `const { setTimeout: later } = globalThis;
globalThis.setTimeout = (call, ms, ...given) => later(call, given.length > 0 ? ms : 0, ...given);
for (const file of process.argv.slice(2)) await import("./" + file);`,
  python: `import sys, time
time.sleep = lambda seconds: None
for file in sys.argv[1:]:
    exec(compile(open(file, encoding='utf-8').read(), file, 'exec'), {'__name__': '__main__'})`,
};

/** Everything that a sample which must fail says. */
async function failureOf(language: SampleLanguage, first: RunOptions["first"]): Promise<string> {
  try {
    await run(language, "lumen-2", [{ prompt: "a lamp" }], { runner: HASTY[language], ...(first && { first }) });
  } catch (error) {
    const { stdout, stderr } = (error as Error).cause as { stdout: string; stderr: string };
    return stdout + stderr;
  }
  throw new Error("The sample ended well.");
}

describe.each(Object.keys(COMMANDS) as SampleLanguage[])("the %s sample", (language) => {
  const { needs, runs } = COMMANDS[language];
  const missing = needs.filter((program) => !isInstalled(program));

  it.runIf(missing.length === 0)(
    `runs with ${runs} payloads, and sends each unchanged once`,
    { timeout: 120_000 + runs * 10_000 },
    async () => {
      const payloads = somePayloads(runs, language);
      received.clear();
      const { output } = await run(language, "lumen-2", payloads);
      expect(output.match(/^Saved: result-1\.png$/gm)).toHaveLength(runs);
      const expected = payloads.map((payload) => requestBody({ model: "lumen-2", payload }));
      const base = new URL(queueBaseUrl).pathname;
      expect(received.get(`${base}/apikey/requests/estimate`)).toEqual(expected);
      expect(received.get(`${base}/apikey/requests`)).toEqual(expected);
    },
  );

  it.runIf(missing.length === 0)("polls a queued job to its end and saves the file", async () => {
    const { output, folder } = await run(language, "halide-video", [{ prompt: "a slow tide" }], {
      runner: HASTY[language],
    });
    expect(output).toMatch(/Price: \$[\d.]+\nJob: \S+\nStatus: success\nSaved: result-1\.\w+\n/);
    expect([...readFileSync(join(folder, output.trim().split("Saved: ").at(-1) ?? ""))]).toEqual([1, 2, 3]);
  });

  it.runIf(missing.length === 0)("repeats what costs nothing, and a submit after 429 alone", async () => {
    const busy = (status: number) => ({ status, body: { error: { message: "Busy" } } });
    received.clear();
    const { output } = await run(language, "lumen-2", [{ prompt: "a lamp", seed: 7 }], {
      runner: HASTY[language],
      first: { "POST /requests/estimate": [busy(503), busy(502)], "POST /requests": [busy(429)] },
    });
    expect(output).toMatch(/Saved: result-1\.png/);
    const base = new URL(queueBaseUrl).pathname;
    expect(received.get(`${base}/apikey/requests/estimate`)).toHaveLength(3);
    expect(received.get(`${base}/apikey/requests`)).toHaveLength(2);
  });

  it.runIf(missing.length === 0)("does not repeat a submit that may have been charged, and says so", async () => {
    received.clear();
    const words = await failureOf(language, { "POST /requests": [{ status: 502, body: "Bad Gateway" }] });
    expect(words).toMatch(/You may have been charged\./);
    expect(received.get(`${new URL(queueBaseUrl).pathname}/apikey/requests`)).toHaveLength(1);
  });

  it.runIf(missing.length === 0)("says of a refused submit that nothing was charged", async () => {
    const words = await failureOf(language, {
      "POST /requests": [{ status: 400, body: { error: { message: "No" } } }],
    });
    expect(words).toMatch(/Not charged: the service rejected this job\./);
  });

  it.runIf(missing.length === 0)("promises a refund for a failed job, and none for a cancelled one", async () => {
    const ends = (status: string) =>
      failureOf(language, { "POST /requests": [{ status: 200, body: { request_id: "r-1", status } }] });
    expect(await ends("failed")).toMatch(/Refunded in full\./);
    const words = await ends("cancelled");
    expect(words).toMatch(/The service does not say whether this job was refunded\./);
    expect(words).not.toMatch(/Refunded in full\./);
  });

  it.runIf(missing.length === 0)("stops asking when the service no longer knows the job", async () => {
    const words = await failureOf(language, {
      "POST /requests": [{ status: 200, body: { request_id: "r-1", status: "queued" } }],
      "GET /requests/r-1": [{ status: 404, body: { error: { message: "No such job" } } }],
    });
    expect(words).toMatch(/The job is still running: r-1/);
    expect(words.match(/No such job/g)).toHaveLength(1);
  });

  it.runIf(missing.length > 0)(`is not run here: ${missing.join(", ")} is not installed`, () => {
    expect(missing).not.toEqual([]);
  });

  it("holds no key and no invisible character", () => {
    const text = codeSample(language, {
      queueBaseUrl: "https://q.example/api/v1/queue",
      model: "m",
      payload: { prompt: NASTY.join("") },
    });
    expect(text).toContain("API_KEY");
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029]|[^\P{Cc}\n]/u);
  });
});
