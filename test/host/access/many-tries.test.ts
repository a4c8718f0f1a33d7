import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAccessGate, type PasswordGate } from "#host/access/access-gate.ts";
import { createTryLimits } from "#host/access/try-limits.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { times } from "../send.ts";
import { PASSWORD, signIn, startTeamHost } from "./access-world.ts";

const PROXY = "10.0.0.1";
const settings = readHostSettings({
  SAFELIGHT_ACCESS: `password:${PASSWORD}`,
  SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com",
  SAFELIGHT_TRUSTED_PROXIES: PROXY,
});

/** A gate whose waits a test ends. */
function openGate(maxWaiting = 200) {
  let atMs = 0;
  const lines: string[] = [];
  const waits: { ms: number; end: () => void }[] = [];
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push({ ms, end: resolve });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const report = (line: string) => void lines.push(line);
  const nowMs = () => atMs;
  const limits = createTryLimits({ nowMs, sleep, report, maxWaiting });
  const gate = createAccessGate(settings, { nowMs, limits }) as PasswordGate;
  const tryFrom = (address: string, password: string, cookie = "", gone?: AbortSignal) =>
    gate.signIn({ headers: { "x-forwarded-for": address, cookie }, peer: PROXY }, password, gone);
  return {
    lines,
    waits,
    limits,
    tryFrom,
    passMs(ms: number) {
      atMs += ms;
    },
    /** Wrong tries that are looked at at once, of a new address each. */
    async free() {
      for (let n = 0; n < 30; n += 1) {
        expect(await tryFrom(`192.0.2.${n}`, "wrong")).toMatchObject({ isWrong: true });
      }
    },
  };
}
/** All has happened by then that waits for nothing. */
const settle = async () => {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
};

describe("wrong passwords of ever new addresses", () => {
  it("slow the next tries, by 10 seconds at most", async () => {
    const gate = openGate();
    await gate.free();
    expect(gate.waits).toEqual([]);
    for (let n = 0; n < 170; n += 1) void gate.tryFrom(`198.51.100.${n}`, "wrong");
    await settle();
    expect(gate.waits.map(({ ms }) => ms / 1000)).toEqual(times(170, (n) => Math.min(10, n + 1)));
  });

  it("never keep out whoever knows the password, who waits 10 seconds at most", async () => {
    const gate = openGate();
    await gate.free();
    for (let n = 0; n < 100; n += 1) void gate.tryFrom(`198.51.100.${n}`, "wrong");
    const right = gate.tryFrom("203.0.113.5", PASSWORD);
    await settle();
    expect(gate.waits.at(-1)?.ms).toBe(10_000);
    gate.waits.at(-1)?.end();
    expect(await right).toHaveProperty("setCookies");
  });

  it("do not slow a browser that was signed in before", async () => {
    const gate = openGate();
    const signed = await gate.tryFrom("203.0.113.5", PASSWORD);
    const cookie = "setCookies" in signed ? signed.setCookies.map((text) => text.split(";")[0]).join("; ") : "";
    await gate.free();
    for (let n = 0; n < 300; n += 1) void gate.tryFrom(`198.51.100.${n % 250}`, "wrong");
    await settle();
    const waiting = gate.waits.length;
    expect(await gate.tryFrom("198.51.100.7", PASSWORD, cookie)).toHaveProperty("setCookies");
    expect(await gate.tryFrom("198.51.100.7", "wrong", cookie)).toMatchObject({ isWrong: true });
    expect(gate.waits).toHaveLength(waiting);
  });

  it("take no more memory than so many, and those of one network make room for another's", async () => {
    const gate = openGate(5);
    await gate.free();
    const flood = times(50, (n) => gate.tryFrom(`198.51.${n}.1`, "wrong"));
    await settle();
    // Five wait. The others are asked to come back, and were not looked at.
    expect(gate.waits).toHaveLength(5);
    expect(await Promise.all(flood.slice(5))).toEqual(times(45, () => ({ waitMs: 10_000, isWrong: false })));
    const right = gate.tryFrom("203.0.113.5", PASSWORD);
    await settle();
    expect(gate.waits).toHaveLength(6);
    expect(await flood[4]).toEqual({ waitMs: 10_000, isWrong: false });
    // More of the flood does not take the place.
    for (let n = 0; n < 50; n += 1) void gate.tryFrom(`198.51.${n}.2`, "wrong");
    await settle();
    gate.waits[5]?.end();
    expect(await right).toHaveProperty("setCookies");
  });

  it("sent at once by one client wait, and are not all looked at then", async () => {
    const gate = openGate();
    await gate.free();
    const flood = times(20, () => gate.tryFrom("198.51.100.7", "wrong"));
    await settle();
    for (const { end } of gate.waits) end();
    const looked = (await Promise.all(flood)).filter((signed) => "isWrong" in signed && signed.isWrong);
    expect(looked).toHaveLength(5);
  });

  it("give their place back when the browser leaves, and are not looked at then", async () => {
    const gate = openGate(1);
    await gate.free();
    const leaving = new AbortController();
    const left = gate.tryFrom("198.51.100.7", PASSWORD, "", leaving.signal);
    await settle();
    leaving.abort();
    expect(await left).toMatchObject({ isWrong: false });
    const next = gate.tryFrom("198.51.100.8", PASSWORD);
    await settle();
    gate.waits.at(-1)?.end();
    expect(await next).toHaveProperty("setCookies");
  });

  it("are told in the log, once when it starts and once when it ends", async () => {
    const gate = openGate();
    await gate.free();
    expect(gate.lines).toEqual([]);
    for (let n = 0; n < 20; n += 1) {
      const tried = gate.tryFrom(`198.51.100.${n}`, "wrong");
      await settle();
      gate.waits.at(-1)?.end();
      await tried;
    }
    expect(gate.lines).toEqual([expect.stringContaining("Many wrong passwords")]);
    gate.passMs(20 * 60_000);
    expect(await gate.tryFrom("203.0.113.5", PASSWORD)).toHaveProperty("setCookies");
    expect(gate.lines).toEqual([expect.any(String), expect.stringContaining("few again")]);
  });

  it("do not become few again because the clock goes back", async () => {
    const gate = openGate();
    gate.passMs(100 * 60_000);
    await gate.free();
    gate.passMs(-99 * 60_000);
    void gate.tryFrom("198.51.100.1", "wrong");
    await settle();
    expect(gate.waits).toHaveLength(1);
  });
});

it("counts tries by X-Forwarded-For only as a trusted proxy wrote it", async () => {
  const base = await startTeamHost({ SAFELIGHT_TRUSTED_PROXIES: PROXY });
  const answers = [];
  for (let n = 0; n < 20; n += 1) answers.push(await signIn(base, "wrong", { "X-Forwarded-For": `192.0.2.${n}` }));
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
});
