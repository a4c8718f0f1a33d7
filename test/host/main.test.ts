import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { makeCertificate } from "../setup/make-certificate.ts";
import { gate } from "./gate.ts";
import { hostProgram } from "./host-program.ts";
import { ask, startUpstream } from "./relay/relay-world.ts";
import { send } from "./send.ts";

let main: string;
beforeAll(async () => {
  const program = await hostProgram();
  main = program.path;
  return program.remove;
});

interface Started {
  child: ChildProcess;
  url: string;
  /** What it prints when it is ready. */
  firstLines: string;
  /** What it prints as an error, and the code with which it ends. */
  ended: Promise<{ code: number | null; complaint: string }>;
}

/** Starts the host as a process. `url` is empty for one that ended instead. */
async function start(environment: Record<string, string>): Promise<Started> {
  const env = { PATH: process.env.PATH, HOME: tmpdir(), PORT: "0", ...environment };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "pipe"] });
  const complaint = text(child.stderr);
  const ended = once(child, "close").then(async ([code]) => ({ code, complaint: await complaint }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const ready = once(child.stdout, "data").then(([lines]) => String(lines));
  const firstLines = await Promise.race([ready, ended.then(() => "")]);
  return { child, url: /at (\S+)/.exec(firstLines)?.[1] ?? "", firstLines, ended };
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "safelight-main-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe("a host that cannot start", () => {
  const file = (name: string, content: string) => {
    const path = join(folder(), name);
    writeFileSync(path, content);
    return path;
  };

  it.each<[string, () => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    ["a setting is wrong", () => ({ PORT: "many" }), /^PORT is “many”\. It must be a whole number from 0 to 65535\.$/],
    [
      "other machines can reach it",
      () => ({ HOST: "0.0.0.0" }),
      /^HOST is 0\.0\.0\.0, which other machines can reach\. Set SAFELIGHT_PUBLIC_ORIGIN .*\.$/,
    ],
    [
      "a public origin is set without access",
      () => ({ SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com" }),
      /^SAFELIGHT_PUBLIC_ORIGIN is https:\/\/studio\.example\.com, so .*\. Set SAFELIGHT_ACCESS .*\.$/,
    ],
    [
      "a proxy is named without access",
      () => ({ SAFELIGHT_TRUSTED_PROXIES: "10.0.0.1" }),
      /^SAFELIGHT_TRUSTED_PROXIES is set, so .*\. Set SAFELIGHT_ACCESS .*\.$/,
    ],
    [
      "a header is named without a proxy",
      () => ({ SAFELIGHT_ACCESS: "header:X-Remote-User" }),
      /^SAFELIGHT_ACCESS names a header, so SAFELIGHT_TRUSTED_PROXIES must be set to .*\.$/,
    ],
    [
      "its name is one over plain http",
      () => ({ SAFELIGHT_PUBLIC_ORIGIN: "http://studio.lan:4619", SAFELIGHT_ACCESS: "password:eight-words-or-so" }),
      /^SAFELIGHT_PUBLIC_ORIGIN is http:\/\/studio\.lan:4619, and over plain http .* set SAFELIGHT_INSECURE_HTTP to yes\.$/,
    ],
    [
      "its password is one of the first that are tried",
      () => ({ SAFELIGHT_ACCESS: "password:password" }),
      /^The password in SAFELIGHT_ACCESS can be guessed\. [^.]*\.$/,
    ],
    [
      "its secret is no secret",
      () => ({ SAFELIGHT_SESSION_SECRET: "changeme".repeat(4) }),
      /^SAFELIGHT_SESSION_SECRET can be guessed\. (?!.*changeme).*$/,
    ],
    [
      "its proxies are the internet",
      () => ({ SAFELIGHT_ACCESS: "header:X-User", SAFELIGHT_TRUSTED_PROXIES: "0.0.0.0/1 128.0.0.0/1" }),
      /^SAFELIGHT_TRUSTED_PROXIES contains 0\.0\.0\.0\/1 128\.0\.0\.0\/1, so much of the internet .*\.$/,
    ],
    [
      "a setting stands in a file that is not there",
      () => ({ SAFELIGHT_ACCESS_FILE: "/nowhere/access" }),
      /^SAFELIGHT_ACCESS_FILE is \/nowhere\/access, and that file cannot be read \(ENOENT\)\.$/,
    ],
    [
      "a quirk is unknown",
      () => ({ SAFELIGHT_SANDBOX_QUIRKS: "grumpy" }),
      /^SAFELIGHT_SANDBOX_QUIRKS contains “grumpy”, .*\.$/,
    ],
    [
      "a file of TLS is missing",
      () => ({ SAFELIGHT_TLS_KEY: "/nowhere/key.pem", SAFELIGHT_TLS_CERT: "/nowhere/cert.pem" }),
      /^SAFELIGHT_TLS_KEY is \/nowhere\/key\.pem, and that file cannot be read \(ENOENT\)\.$/,
    ],
    [
      "the files of TLS hold something else",
      () => ({ SAFELIGHT_TLS_KEY: file("key.pem", "no key"), SAFELIGHT_TLS_CERT: file("cert.pem", "no certificate") }),
      /^SAFELIGHT_TLS_KEY and SAFELIGHT_TLS_CERT do not name a private key and its certificate, both in PEM form\.$/,
    ],
    [
      "the files of TLS do not go together",
      async () => {
        const [one, other] = await Promise.all([makeCertificate(), makeCertificate()]);
        return { SAFELIGHT_TLS_KEY: file("key.pem", one.key), SAFELIGHT_TLS_CERT: file("cert.pem", other.cert) };
      },
      /^SAFELIGHT_TLS_KEY and SAFELIGHT_TLS_CERT do not name /,
    ],
    [
      "its folder is a file",
      () => ({ PORT: "1024", SAFELIGHT_DATA: file("data", "") }),
      /^The Safelight server cannot write to \S+ \((ENOTDIR|EEXIST)\)\. Set SAFELIGHT_DATA to a folder of its own\.$/,
    ],
    [
      "its port is taken",
      async () => {
        const other = createServer().listen(0, "127.0.0.1");
        await once(other, "listening");
        onTestFinished(() => void other.close());
        const address = other.address();
        const port = typeof address === "object" && address ? address.port : 0;
        return { PORT: String(port), SAFELIGHT_DATA: folder() };
      },
      /^127\.0\.0\.1:\d+ is already in use\. Stop the program that uses it, or set PORT to another port\.$/,
    ],
    [
      "it has no such address",
      () => ({
        HOST: "192.0.2.1",
        SAFELIGHT_PUBLIC_ORIGIN: "https://192.0.2.1",
        SAFELIGHT_ACCESS: "password:a long password",
      }),
      /^This machine has no network interface 192\.0\.2\.1\. Set HOST to an IP that it has\.$/,
    ],
  ])("because %s says so in one sentence", async (_, environment, sentence) => {
    const { code, complaint } = await (await start(await environment())).ended;
    expect(code).toBe(1);
    expect(complaint.replace(/\n$/, "")).toMatch(sentence);
    expect(complaint.trimEnd()).not.toContain("\n");
  });
});

// Node's own way of making folders never ends there.
it.runIf(process.platform === "linux")("ends as well where nothing can be made in its folder", async () => {
  const { code, complaint } = await (await start({ PORT: "1024", SAFELIGHT_DATA: "/proc/safelight" })).ended;
  expect([code, complaint]).toEqual([
    1,
    "The Safelight server cannot write to /proc/safelight (ENOENT). Set SAFELIGHT_DATA to a folder of its own.\n",
  ]);
});

it("says in a line each what an operator should know, after it is ready", async () => {
  const host = await start({
    SAFELIGHT_UPSTREAMS: "https://*.example.com",
    SAFELIGHT_SESSION_SECRET: "Jm0u1q8bq0T3p5eSx2mQ1oGv7tq8vKjYw1c9hZ3rN4dLfXa6",
  });
  expect(host.firstLines).toMatch(
    /^Safelight is ready at \S+\nSAFELIGHT_UPSTREAMS has https:\/\/\*\.example\.com: [^\n]+\.\nSAFELIGHT_SESSION_SECRET is set without [^\n]+\.\n$/,
  );
});

describe("a host that is told to end", () => {
  const KEY = { queueBaseUrl: "", inferenceBaseUrl: "", key: "sk-test-key-0123456789", salt: "0123456789abcdef" };

  /** A service that answers when it is let, and a host with a submit under way to it. */
  async function submitting() {
    const [arrived, let_] = [gate(), gate()];
    const service = await startUpstream(async (incoming, outgoing) => {
      incoming.resume();
      arrived.open();
      await let_.opened;
      outgoing.setHeader("Content-Type", "application/json");
      outgoing.end('{"request_id":"job-1"}');
    });
    onTestFinished(() => service.close());
    const host = await start({ SAFELIGHT_UPSTREAMS: service.origin });
    const base = `${service.origin}/api/v1/queue`;
    const order = JSON.stringify({ ...KEY, queueBaseUrl: base, inferenceBaseUrl: service.origin });
    const page = { Origin: host.url, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
    const opened = await send(host.url, "/session", { headers: page, body: order });
    const session = {
      Cookie: (opened.headers["set-cookie"] ?? []).map((cookie) => cookie.split(";")[0]).join("; "),
      "X-Safelight-Session": JSON.parse(opened.body).ticket,
    };
    const headers = { ...page, ...session, Authorization: "Bearer [key]", "X-Safelight-Intent": "intent-0001" };
    const body = '{"model":"a","payload":{}}';
    const answer = send(host.url, service.via("api", "/api/v1/queue/apikey/requests"), { headers, body });
    answer.catch(() => {});
    await arrived.opened;
    return { host, answer, answerNow: () => let_.open() };
  }

  it("waits for a submit under way, whose page gets its answer, and takes nothing new", async () => {
    const { host, answer, answerNow } = await submitting();
    host.child.kill("SIGTERM");
    // It says that it no longer listens by refusing the connection.
    await expect
      .poll(() =>
        ask(host.url, "/healthz").then(
          () => "answered",
          () => "refused",
        ),
      )
      .toBe("refused");
    answerNow();
    expect(JSON.parse((await answer).body)).toEqual({ request_id: "job-1" });
    expect(await host.ended).toEqual({ code: 0, complaint: "" });
  });

  it("ends in order, without a complaint, while its sandbox paints and other files wait for their turn", async () => {
    const sandbox = { SAFELIGHT_SANDBOX: "open", SAFELIGHT_SANDBOX_HISTORY: "60", SAFELIGHT_SANDBOX_SEED: "1" };
    const host = await start(sandbox);
    const headers = { Authorization: "Bearer sandbox-key" };
    const list = await fetch(`${host.url}/sandbox/api/v1/queue/apikey/requests?limit=60`, { headers });
    const files = await list.text();
    // The thread is there once it has painted something.
    await fetch(/http[^"]+\.(png|jpg)/.exec(files)?.[0] ?? "");
    const addresses = [...files.matchAll(/http[^"]+\.(png|jpg|mp4)/g)].map(([address]) => address);
    expect(addresses.length).toBeGreaterThan(20);
    const asked = addresses.map((address) => fetch(address).catch(() => {}));
    host.child.kill("SIGTERM");
    await Promise.all(asked);
    expect(await host.ended).toEqual({ code: 0, complaint: "" });
  });

  it("ends at once when it is told a second time", async () => {
    const { host } = await submitting();
    host.child.kill("SIGTERM");
    await expect
      .poll(() =>
        ask(host.url, "/healthz").then(
          () => "answered",
          () => "refused",
        ),
      )
      .toBe("refused");
    host.child.kill("SIGTERM");
    expect((await host.ended).code).toBe(1);
  });
});
