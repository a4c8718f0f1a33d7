import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../setup/free-port.ts";
import { makeCertificate } from "../setup/make-certificate.ts";

const PATH = `${process.env.PATH}:/usr/sbin`;
const isThere = (program: string, option: string) => spawnSync(program, [option], { env: { PATH } }).status === 0;

/** Whether this machine has them to start; without them the tests that need one are skipped. */
export const hasNginx = isThere("nginx", "-v");
export const hasCaddy = isThere("caddy", "version");

export const NO_NGINX = "there is no nginx here (Debian: apt-get install nginx)";
export const NO_CADDY = "there is no caddy here (Debian: apt-get install caddy)";

/** The text of a file of `.deploy/`. */
export const readDeployFile = (name: string) => readFileSync(new URL(`../../.deploy/${name}`, import.meta.url), "utf8");

interface WebServer {
  url: string;
  /** The certificate of an https address. */
  ca?: string;
}

/** nginx with a shipped template and these values in it, until the test is over. It listens at a free port of loopback. */
export async function startNginx(template: string, values: Record<string, string>): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), "safelight-nginx-"));
  const port = await freePort();
  const { key, cert } = await makeCertificate();
  writeFileSync(join(folder, "key.pem"), key);
  writeFileSync(join(folder, "cert.pem"), cert);
  const all = { STUDIO_LISTEN: `127.0.0.1:${port}`, STUDIO_NAME: "localhost", STUDIO_TLS: folder, ...values };
  const filled = Object.entries(all).reduce(
    (text, [name, value]) => text.replaceAll(`\${${name}}`, value),
    readDeployFile(template),
  );
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; pid ${join(folder, "pid")}; error_log stderr notice; events {}
     http { access_log off; ${places} ${filled} }`,
  );
  const started = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], { env: { PATH } });
  await untilPrinted(started, folder, "start worker process ");
  const isTls = filled.includes(" ssl ");
  return { url: `${isTls ? "https" : "http"}://localhost:${port}`, ...(isTls ? { ca: cert } : {}) };
}

/** Caddy with a shipped file and these values in its environment, until the test is over. It speaks plain http on loopback. */
export async function startCaddy(file: string, values: Record<string, string>): Promise<WebServer> {
  const folder = mkdtempSync(join(tmpdir(), "safelight-caddy-"));
  const url = `http://localhost:${await freePort()}`;
  writeFileSync(join(folder, "Caddyfile"), readDeployFile(file));
  const env = { PATH, HOME: folder, STUDIO_ADDRESS: url, ...values };
  const options = ["run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  await untilPrinted(spawn("caddy", options, { env, cwd: folder }), folder, "serving initial configuration");
  return { url };
}

/** A folder with the files of a page that was built. */
export function makeStudioFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), "safelight-files-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<title>The page</title>");
  writeFileSync(join(folder, "404.html"), "<title>Not found</title>");
  return folder;
}

async function untilPrinted(started: ChildProcess, folder: string, words: string): Promise<void> {
  onTestFinished(async () => {
    if (started.exitCode === null) {
      started.kill("SIGTERM");
      await once(started, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    started.stderr?.on("data", (chunk) => {
      printed += chunk;
      if (printed.includes(words)) resolve();
    });
    started.once("error", reject);
    started.once("exit", () => reject(new Error(`The web server ended:\n${printed}`)));
  });
}
