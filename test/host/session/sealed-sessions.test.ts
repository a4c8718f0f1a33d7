import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { endedInFile } from "#host/session/ended-sessions.ts";
import { hasRedis, NO_REDIS, startRedisServer } from "../attempts/redis-server.ts";
import { gate } from "../gate.ts";
import { ask, FROM_PAGE } from "../relay/relay-world.ts";
import {
  KEY,
  kindOf,
  NO_SESSION,
  openBrowser,
  SECRET,
  type Service,
  startService,
  startSessionHost,
} from "./session-world.ts";

const SEALED = { SAFELIGHT_SESSION_SECRET: SECRET };
const MINUTE = 60_000;

let service: Service;
let browser: ReturnType<typeof openBrowser>;
beforeEach(async () => {
  service = await startService();
  browser = openBrowser(service);
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "safelight-data-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("a sealed session", () => {
  it("outlives a restart, and is shared by hosts with the same secret and other folders", async () => {
    const first = await startSessionHost(service, { ...SEALED, SAFELIGHT_DATA: newFolder() });
    await browser.connect(first);
    await first.close();
    const others = [newFolder(), newFolder()].map((folder) =>
      startSessionHost(service, { ...SEALED, SAFELIGHT_DATA: folder }),
    );
    for (const host of await Promise.all(others)) expect((await browser.read(host)).status).toBe(200);
    expect(service.seen).toEqual(Array(2).fill(`GET /q/apikey/models Bearer ${KEY}`));
  });

  it("is not in its cookie for anybody to read", async () => {
    await browser.connect(await startSessionHost(service, SEALED));
    const [value = ""] = browser.cookies.values();
    for (const part of value.split(".")) {
      const bytes = Buffer.from(part, "base64url").toString("latin1");
      for (const word of [KEY, KEY.slice(0, 8), "127.0.0.1", browser.ticket.slice(23)])
        expect(bytes).not.toContain(word);
    }
  });

  it("opens with no other secret, and with no change of its cookie", async () => {
    const host = await startSessionHost(service, SEALED);
    await browser.connect(host);
    const other = await startSessionHost(service, { SAFELIGHT_SESSION_SECRET: `${SECRET}.` });
    expect(kindOf(await browser.read(other))).toEqual(NO_SESSION);
    const [[name, value] = ["", ""]] = browser.cookies;
    for (let at = 0; at < value.length; at += 7) {
      const changed = `${value.slice(0, at)}${value[at] === "A" ? "B" : "A"}${value.slice(at + 1)}`;
      expect(kindOf(await browser.read(host, browser.headers({ Cookie: `${name}=${changed}` })))).toEqual(NO_SESSION);
    }
    expect(service.seen).toEqual([]);
  });

  it("is known by its own name only", async () => {
    const host = await startSessionHost(service, SEALED);
    await browser.connect(host);
    const [[name, value] = ["", ""]] = browser.cookies;
    const renamed = name.replace(/.{22}$/, "A".repeat(22));
    const ticket = browser.ticket.replace(/^.{22}/, "A".repeat(22));
    const headers = { Cookie: `${renamed}=${value}`, "X-Safelight-Session": ticket };
    expect(kindOf(await browser.read(host, headers))).toEqual(NO_SESSION);
  });

  it("is sealed anew after 5 minutes of use, so that use counts after a restart", async () => {
    let atMs = 0;
    const clock = { nowMs: () => atMs };
    const first = await startSessionHost(service, SEALED, clock);
    await browser.connect(first);
    const before = browser.header();
    atMs = 4 * MINUTE;
    expect((await browser.read(first)).headers["set-cookie"]).toBeUndefined();
    atMs = 700 * MINUTE;
    const answers = [await browser.read(first, browser.headers({ Cookie: before })), await browser.read(first)];
    expect(answers.map(({ headers }) => headers["set-cookie"]?.length)).toEqual([1, undefined]);
    expect(browser.header()).not.toBe(before);
    atMs = 1400 * MINUTE;
    const second = await startSessionHost(service, SEALED, clock);
    expect((await browser.read(second)).status).toBe(200);
    expect(kindOf(await browser.read(second, browser.headers({ Cookie: before })))).toEqual(NO_SESSION);
  });

  it("with a short idle end is sealed anew sooner", async () => {
    let atMs = 0;
    const environment = { ...SEALED, SAFELIGHT_SESSION_IDLE_MINUTES: "1" };
    const host = await startSessionHost(service, environment, { nowMs: () => atMs });
    await browser.connect(host);
    for (let turn = 0; turn < 10; turn += 1) {
      atMs += MINUTE / 2;
      expect((await browser.read(host)).status).toBe(200);
    }
  });

  it("that was forgotten stays so after a restart, also for a copy of its cookie", async () => {
    const environment = { ...SEALED, PORT: "4199", SAFELIGHT_DATA: newFolder() };
    const first = await startSessionHost(service, environment);
    await browser.connect(first);
    const copy = browser.headers();
    expect((await browser.forget(first)).status).toBe(204);
    await first.close();
    const second = await startSessionHost(service, environment);
    expect(kindOf(await browser.read(second, copy))).toEqual(NO_SESSION);
    expect(service.seen).toEqual([]);
  });

  it("that cannot be written down as ended is ended here, and a sentence says the rest", async () => {
    const host = await startSessionHost(service, { ...SEALED, PORT: "4199", SAFELIGHT_DATA: "/dev/null/none" });
    await browser.connect(host);
    const copy = browser.headers();
    const answer = await browser.forget(host);
    expect(kindOf(answer)).toEqual([503, "store_unavailable"]);
    expect(answer.body).toContain("The key was removed from this browser and the Safelight server.");
    expect(browser.cookies.size).toBe(0);
    expect(kindOf(await browser.read(host, copy))).toEqual(NO_SESSION);
  });
});

describe("the file of ended sessions", () => {
  it("forgets what would have ended by itself, and survives a line that was cut", async () => {
    const path = join(newFolder(), "ended");
    writeFileSync(path, "past 1000\nold-1 9000\ncut 90");
    const ended = endedInFile(path, () => 5000);
    expect([await ended.has("past"), await ended.has("old-1"), await ended.has("cut")]).toEqual([false, true, false]);
    await ended.add("new-1", 9000);
    expect(readFileSync(path, "utf8")).toBe("old-1 9000\n.latest 5000\nnew-1 9000\n");
    expect(await endedInFile(path, () => 5000).has("new-1")).toBe(true);
  });

  it("that cannot be read lets no session through", async () => {
    expect(await endedInFile(newFolder()).has("any")).toBe(true);
  });
});

describe.skipIf(!hasRedis)(hasRedis ? "two hosts on one Redis" : `two hosts: ${NO_REDIS}`, () => {
  it("end a session together, and what is under way at the other", async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const environment = { ...SEALED, SAFELIGHT_REDIS_URL: redis.url };
    const [one, other] = [await startSessionHost(service, environment), await startSessionHost(service, environment)];
    await browser.connect(one);
    const copy = browser.headers();
    const [streaming, waiting] = [gate(), gate()];
    service.behave = (incoming, outgoing) => {
      if (incoming.method === "GET") return waiting.open();
      outgoing.writeHead(200, { "Content-Type": "text/event-stream" });
      outgoing.write("data: one\n\n", streaming.open);
    };
    const headers = { ...FROM_PAGE, ...copy };
    const path = `${other.url}${service.via("api", "/v1/completions")}`;
    const stream = await fetch(path, { method: "POST", body: "{}", headers });
    const read = ask(other.url, service.via("api", "/v1/models"), { headers });
    await Promise.all([streaming.opened, waiting.opened]);
    expect((await browser.forget(one)).status).toBe(204);
    await expect(stream.text()).rejects.toThrow();
    expect(kindOf(await read)).toEqual(NO_SESSION);
    expect(kindOf(await browser.read(other, copy))).toEqual(NO_SESSION);
  });

  it("say so where the Redis is gone, and the host that was told ends it", async () => {
    const redis = await startRedisServer();
    onTestFinished(redis.stop);
    const host = await startSessionHost(service, { ...SEALED, SAFELIGHT_REDIS_URL: redis.url });
    await browser.connect(host);
    expect((await browser.read(host)).status).toBe(200);
    await redis.kill();
    const copy = browser.headers();
    expect((await browser.read(host, copy)).status).toBe(200);
    expect(kindOf(await browser.forget(host))).toEqual([503, "store_unavailable"]);
    expect(kindOf(await browser.read(host, copy))).toEqual(NO_SESSION);
  });
});
