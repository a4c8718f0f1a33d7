import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { freePort } from "../../setup/free-port.ts";
import { ask, openSession, startUpstream, type Upstream } from "../relay/relay-world.ts";

/** What a page is told: the job of a good answer, or the host's refusal, or that no answer came. */
export type Told = { job: string } | { refusal: string } | "no answer";

export interface HostProcess {
  submit(intent: string): Promise<Told>;
  withdraw(intent: string): Promise<Told>;
  /** Ends the process at once, whatever it does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a bundled host for an upstream. It takes the same port at each start, as a page knows it. */
export async function startHostProcess(
  path: string,
  service: Service,
  environment: Record<string, string>,
): Promise<HostProcess> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const target = service.upstream.via("api", "/requests");
  let child: ChildProcess | undefined;

  const start = async () => {
    const env = { ...process.env, SAFELIGHT_UPSTREAMS: service.upstream.origin, ...environment, PORT: String(port) };
    const started = spawn(process.execPath, [path], { env, stdio: ["ignore", "pipe", "pipe"] });
    child = started;
    let complaints = "";
    started.stderr.on("data", (chunk) => {
      complaints += chunk;
    });
    await Promise.race([
      once(started.stdout, "data"),
      once(started, "exit").then(() => Promise.reject(new Error(`The host ended: ${complaints}`))),
    ]);
    // A page that has lost its session connects again, with the same key.
    await openSession(base, service.upstream.origin);
  };
  const tell = (method: string, intent: string): Promise<Told> => {
    const headers = { "X-Safelight-Intent": intent };
    return ask(base, target, { method, headers, ...(method === "POST" ? { body: intent } : {}) }).then(
      ({ status, headers, body }) =>
        status === 200 ? { job: body } : { refusal: String(headers["x-safelight-relay"]) },
      () => "no answer",
    );
  };

  await start();
  return {
    submit: (intent) => tell("POST", intent),
    withdraw: (intent) => tell("DELETE", intent),
    start,
    async kill() {
      const killed = child;
      child = undefined;
      if (!killed || killed.exitCode !== null) return;
      killed.kill("SIGKILL");
      await once(killed, "exit");
    },
  };
}

/** Moments of a submit that the service sees. */
export const SEEN = ["connected", "request read", "answered"] as const;
type Seen = (typeof SEEN)[number];

export interface Service {
  upstream: Upstream;
  /** How many jobs were made for an intent. */
  jobsOf(intent: string): number;
  /** Called at each moment of each request. */
  onSeen: (moment: Seen) => void;
  close(): Promise<void>;
}

/** A service that makes a job for each request that arrives whole: the body names the intent. */
export async function startService(): Promise<Service> {
  const jobs = new Map<string, number>();
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    service.onSeen("connected");
    let intent = "";
    for await (const chunk of incoming) intent += chunk;
    const count = (jobs.get(intent) ?? 0) + 1;
    jobs.set(intent, count);
    service.onSeen("request read");
    outgoing.end(`${intent} ${count}`, () => service.onSeen("answered"));
  };
  const upstream = await startUpstream((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const service: Service = {
    upstream,
    jobsOf: (intent) => jobs.get(intent) ?? 0,
    onSeen: () => {},
    close: upstream.close,
  };
  return service;
}
