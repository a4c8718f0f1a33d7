import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createHost } from "#host/create-host.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { startServer } from "#host/start-server.ts";
import { ask, type RawAnswer } from "../relay/relay-world.ts";
import { KEY, openBrowser, SECRET, startService } from "./session-world.ts";

/** The key as it is, and as it would stand in a dump or an address. */
const SPELLINGS = [KEY, Buffer.from(KEY).toString("base64").slice(0, -4), Buffer.from(KEY).toString("hex")];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

it.each([
  ["in memory", {}],
  ["sealed", { SAFELIGHT_SESSION_SECRET: SECRET }],
])("the key is in no answer, cookie, log line or file, whatever happens (%s)", async (_, environment) => {
  const folder = mkdtempSync(join(tmpdir(), "safelight-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, "write").mockImplementation((chunk) => written.push(String(chunk)) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  const service = await startService();
  const start = async () => {
    const settings = readHostSettings({
      PORT: "4199",
      SAFELIGHT_DATA: folder,
      SAFELIGHT_UPSTREAMS: service.origin,
      ...environment,
    });
    const host = createHost(settings, undefined);
    const server = await startServer(host.fetch, { host: "127.0.0.1", port: 0 });
    return { url: server.url, close: () => server.close(0).then(() => host.close(5000)) };
  };
  let host = await start();
  onTestFinished(() => host.close());
  const browser = openBrowser(service);
  const answers: (RawAnswer | string)[] = [await browser.connect(host)];
  const note = async (answer: Promise<RawAnswer>) => answers.push(await answer.catch((error: Error) => error.message));

  const large = `{"seen":"${KEY}"}`.repeat(10_000);
  const echoes = [JSON.stringify({ error: KEY }), "", large];
  for (const [turn, body] of echoes.entries()) {
    service.behave = (incoming, outgoing) => {
      const headers = { "X-Echo": String(incoming.headers.authorization), Location: `/?key=${KEY}` };
      incoming.resume().on("end", () => outgoing.writeHead(turn === 1 ? 302 : 400, headers).end(body));
    };
    await note(browser.read(host));
    await note(browser.submit(host, `intent-000${turn}`));
    await note(browser.submit(host, `intent-000${turn}`));
  }
  service.behave = (incoming) => incoming.socket.destroy();
  await note(browser.read(host));
  await note(browser.submit(host, "intent-0009"));
  await note(ask(host.url, `/relay/api/http/nowhere.example/${KEY}`, { headers: browser.headers() }));
  await note(ask(host.url, "/session", { method: "POST", headers: { Origin: host.url }, body: `{"key":"${KEY}` }));
  await note(browser.connect(host, `${KEY} with a space`));
  await note(ask(host.url, "/relay", { headers: browser.headers() }));
  await host.close();
  host = await start();
  await note(browser.read(host));
  await note(browser.forget(host));
  await host.close();

  const files = filesBelow(folder);
  expect(files.length).toBeGreaterThan(0);
  const texts = [...files.map((path) => readFileSync(path, "latin1")), JSON.stringify(answers), ...written];
  for (const text of [...texts, ...browser.cookies.values()]) {
    for (const spelling of SPELLINGS) expect(text.includes(spelling)).toBe(false);
  }
  expect(service.seen.some((request) => request.includes(KEY))).toBe(true);
  expect(JSON.stringify(answers)).toContain("[key]");
});
