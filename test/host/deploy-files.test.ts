import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { readHostSettings } from "#host/host-settings.ts";
import { answerHeaders } from "#host/security-headers.ts";
import { startServer } from "#host/start-server.ts";
import { makeCertificate } from "../setup/make-certificate.ts";

const read = (name: string) => readFileSync(new URL(`../../.deploy/${name}`, import.meta.url), "utf8");

/** The code with which the image's check of health ends. */
async function check(environment: Record<string, string>): Promise<number> {
  const file = new URL("../../.deploy/healthcheck.mjs", import.meta.url).pathname;
  const [code] = await once(spawn(process.execPath, [file], { env: environment, stdio: "ignore" }), "close");
  return code;
}

it.each([
  ["over http", "127.0.0.1", false, 200, 0],
  ["over TLS", "127.0.0.1", true, 200, 0],
  ["on every address", "0.0.0.0", false, 200, 0],
  ["that is not well", "127.0.0.1", false, 503, 1],
])("the image's check of health follows the settings of a host %s", async (_, HOST, isTls, status, code) => {
  const tls = isTls ? await makeCertificate() : undefined;
  const answer = (request: Request) =>
    new Response("", { status: new URL(request.url).pathname === "/healthz" ? status : 404 });
  const server = await startServer(answer, { host: "127.0.0.1", port: 0, tls });
  onTestFinished(() => server.close(0));
  const files = isTls ? { SAFELIGHT_TLS_KEY: "key.pem", SAFELIGHT_TLS_CERT: "cert.pem" } : {};
  expect(await check({ HOST, PORT: new URL(server.url).port, ...files })).toBe(code);
});

it("the image's check of health fails where nobody answers", async () => {
  const server = await startServer(() => new Response(), { host: "127.0.0.1", port: 0 });
  const { port } = new URL(server.url);
  await server.close(0);
  expect(await check({ PORT: port })).toBe(1);
});

it.each(["nginx.conf.template", "Caddyfile"])("the page of %s may do what that of the server may", (file) => {
  const { "Permissions-Policy": policy } = answerHeaders(readHostSettings({}));
  expect(policy).toContain("storage-access=()");
  expect(read(file)).toContain(`Permissions-Policy "${policy}"`);
});

it("the image is built from one exact version of Node, and asks for its health by that check", () => {
  const images = read("Dockerfile").match(/^FROM \S+/gm) ?? [];
  // An operator may give the same image by its digest.
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^FROM \$\{NODE_IMAGE\}$/);
  expect(read("Dockerfile")).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/m);
  expect(read("Dockerfile")).toContain('CMD ["node", "healthcheck.mjs"]');
});

it("the image gets what a build does not hold, and nothing of what it does", () => {
  const steps = read("Dockerfile").split("\n");
  const omits = steps.findIndex((step) => /^RUN npm ci .*--omit=dev/.test(step));
  expect(omits).toBeGreaterThan(steps.indexOf("RUN npm run build"));
  const copied = steps.filter((step) => step.startsWith("COPY --from=build") && step.includes("node_modules"));
  expect(copied).toEqual(["COPY --from=build /studio/node_modules ./node_modules"]);
});

it("CI tests the oldest Node that package.json allows, and the one of the image", () => {
  const [, version, major] = /^ARG NODE_IMAGE=node:((\d+)\.\d+\.\d+)-/m.exec(read("Dockerfile")) ?? [];
  const { engines } = JSON.parse(read("../package.json"));
  const [, tested = ""] = /^ +node: (\[.*\])$/m.exec(read("../.github/workflows/ci.yml")) ?? [];
  expect(JSON.parse(tested)).toEqual([`${engines.node.replace(">=", "")}.0`, major]);
  expect(read("../.nvmrc").trim(), version).toBe(major);
});

it("actions of the workflows are pinned by a commit, with the tag beside it; one that is not says why", () => {
  const uses = ["ci.yml", "long.yml"].flatMap(
    (name) => read(`../.github/workflows/${name}`).match(/(?<=uses: ).*/g) ?? [],
  );
  expect(uses.length).toBeGreaterThan(4);
  for (const use of uses) expect(use).toMatch(/@([0-9a-f]{40} # v\d+\.\d+\.\d+|v\d+ # by its tag: .+)$/);
});

it("a composition trusts no proxy that is not named, and may have its secrets in files", () => {
  const composition = read("compose.yaml");
  expect(composition).toMatch(/SAFELIGHT_TRUSTED_PROXIES: \$\{SAFELIGHT_TRUSTED_PROXIES:-\}$/m);
  for (const name of ["ACCESS", "SESSION_SECRET", "REDIS_URL"]) {
    expect(composition).toContain(`SAFELIGHT_${name}_FILE: \${SAFELIGHT_${name}_FILE:-}`);
  }
});

it("a composition gives the host longer to end than the longest submit takes", () => {
  const [, seconds] = /^\s*stop_grace_period: (\d+)s$/m.exec(read("compose.yaml")) ?? [];
  const main = readFileSync(new URL("../../src/host/main.ts", import.meta.url), "utf8");
  const [, ms = ""] = /LONGEST_SUBMIT_MS = ([\d_]+)/.exec(main) ?? [];
  expect(Number(seconds) * 1000).toBeGreaterThan(Number(ms.replaceAll("_", "")));
});
