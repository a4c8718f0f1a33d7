import { expect, it } from "vitest";
import {
  duringHealthChecks,
  expectLittleMemory,
  fromPageAt,
  openRequest,
  send,
  startFloodHost,
  times,
} from "./flood-world.ts";

const UPLOAD_URL = "/sandbox/api/v1/queue/apikey/upload-url";
const MEGABYTE = new Uint8Array(1024 * 1024).fill(7);

/** Writes a body of so many megabytes, as fast as the other side takes it. Resolves to the status. */
async function upload(base: string, path: string, megabytes: number, headers: Record<string, string>) {
  const length = { "Content-Length": String(megabytes * MEGABYTE.length) };
  const { outgoing, answer } = openRequest(base, path, { method: "PUT", headers: { ...headers, ...length } });
  const isOver = answer.then(
    () => true,
    () => true,
  );
  for (let sent = 0; sent < megabytes; sent += 1) {
    if (outgoing.destroyed) break;
    const isRoom = outgoing.write(MEGABYTE);
    if (
      !isRoom &&
      (await Promise.race([isOver, new Promise((resolve) => outgoing.once("drain", () => resolve(false)))]))
    )
      break;
  }
  outgoing.end();
  return answer.then(
    ({ status }) => status,
    () => "cut" as const,
  );
}

async function signedAddress(base: string): Promise<string> {
  const headers = { ...fromPageAt(base), Authorization: "Bearer sandbox-key", "Content-Type": "application/json" };
  const { body } = await send(base, UPLOAD_URL, { headers, body: '{"file_type":"mp4"}' });
  const { pathname, search } = new URL(JSON.parse(body).upload_url);
  return pathname + search;
}

it("30 uploads of 50 MB at a time leave memory small and the host awake", async () => {
  const host = await startFloodHost();
  const addresses = await Promise.all(times(30, () => signedAddress(host.url)));
  const headers = { ...fromPageAt(host.url), "Content-Type": "video/mp4" };
  const uploads = Promise.all(addresses.map((address) => upload(host.url, address, 50, headers)));
  const { result, answers } = await duringHealthChecks(host.url, uploads);
  expect(new Set(result)).toEqual(new Set([200]));
  expect(answers).toBeGreaterThan(3);
  await expectLittleMemory(host);
}, 120_000);

it.each([
  ["of another site", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }, 403],
  ["without an origin", {}, 403],
])(
  "200 refused uploads at a time %s are cut and leave memory small",
  async (_, headers, status) => {
    const host = await startFloodHost();
    const path = "/relay/upload/https/storage.example.com/file";
    const uploads = Promise.all(times(200, () => upload(host.url, path, 20, headers as Record<string, string>)));
    const { result } = await duringHealthChecks(host.url, uploads);
    expect(result.filter((outcome) => outcome !== status && outcome !== "cut")).toEqual([]);
    await expectLittleMemory(host);
  },
  120_000,
);
