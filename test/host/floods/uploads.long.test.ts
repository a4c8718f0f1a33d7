import { beforeAll, expect, it } from "vitest";
import type { Bundle } from "../../setup/bundle-for-node.ts";
import { hostProgram } from "../host-program.ts";
import { fromPageAt, send, times } from "../send.ts";
import { duringHealthChecks, expectLittleMemory, startFloodHost, uploadMegabytes } from "./flood-world.ts";

const UPLOAD_URL = "/sandbox/api/v1/queue/apikey/upload-url";

let program: Bundle;
beforeAll(async () => {
  program = await hostProgram();
  return program.remove;
});

async function signedAddress(base: string): Promise<string> {
  const headers = { ...fromPageAt(base), Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  const { body } = await send(base, UPLOAD_URL, { headers, body: '{"file_type":"mp4"}' });
  const { pathname, search } = new URL(JSON.parse(body).upload_url);
  return pathname + search;
}

it("30 uploads of 50 MB at a time leave memory small and the host awake", async () => {
  const host = await startFloodHost(program.path);
  const addresses = await Promise.all(times(30, () => signedAddress(host.url)));
  const headers = { ...fromPageAt(host.url), "Content-Type": "video/mp4" };
  const uploads = Promise.all(addresses.map((address) => uploadMegabytes(host.url, address, 50, headers)));
  const { result, answers } = await duringHealthChecks(host.url, uploads);
  expect(new Set(result.map(({ outcome }) => outcome))).toEqual(new Set([200]));
  expect(answers).toBeGreaterThan(3);
  expectLittleMemory(host);
});

it.each([
  ["of another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }, 403],
  ["without an origin", {}, 403],
])("200 refused uploads at a time %s are cut and leave memory small", async (_, headers, status) => {
  const host = await startFloodHost(program.path);
  const path = "/relay/upload/https/storage.example.com/file";
  const uploads = Promise.all(times(200, () => uploadMegabytes(host.url, path, 20, headers as Record<string, string>)));
  const { result } = await duringHealthChecks(host.url, uploads);
  expect(result.filter(({ outcome }) => outcome !== status && outcome !== "cut")).toEqual([]);
  expectLittleMemory(host);
});
