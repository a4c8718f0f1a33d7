import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { createAccessGate, type PasswordGate, type SignInResult } from "#host/access/access-gate.ts";
import { getClientAddress } from "#host/access/peer-address.ts";
import { createTryLimits } from "#host/access/try-limits.ts";
import { readHostSettings } from "#host/host-settings.ts";
import { times } from "../send.ts";
import { PASSWORD, signIn, startTeamHost } from "./access-world.ts";

const ATTACKER = "203.0.113.9";

function openGate(nowMs: () => number = () => 0, maxClients = 10_000) {
  const settings = readHostSettings({
    SAFELIGHT_ACCESS: `password:${PASSWORD}`,
    SAFELIGHT_TRUSTED_PROXIES: "127.0.0.1",
    SAFELIGHT_PUBLIC_ORIGIN: "https://studio.example.com",
  });
  // What unknown browsers wait together is the subject of a file of its own.
  const sleep = async () => {};
  const limits = createTryLimits({ nowMs, maxClients, sleep, report: () => {} });
  const gate = createAccessGate(settings, { nowMs, limits }) as PasswordGate;
  return {
    signIn: (headers: IncomingHttpHeaders, peer: string, password: string) => gate.signIn({ headers, peer }, password),
  };
}
const isIn = (signed: SignInResult) => "setCookies" in signed;

describe("wrong passwords", () => {
  it("bring about a wait that doubles, a minute at most", async () => {
    let nowMs = 0;
    const gate = openGate(() => nowMs);
    const waits: number[] = [];
    for (const _ of times(13, () => 0)) {
      const signed = await gate.signIn({}, ATTACKER, "wrong");
      const waitMs = "waitMs" in signed ? signed.waitMs : 0;
      nowMs += waitMs;
      waits.push(waitMs / 1000);
    }
    expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it("within the wait are not looked at, and do not make it longer", async () => {
    let nowMs = 0;
    const gate = openGate(() => nowMs);
    for (const _ of times(5, () => 0)) await gate.signIn({}, ATTACKER, "wrong");
    for (const _ of times(1000, () => 0)) {
      expect(await gate.signIn({}, ATTACKER, PASSWORD)).toEqual({ waitMs: 1000, isWrong: false });
    }
    nowMs = 1000;
    expect(isIn(await gate.signIn({}, ATTACKER, PASSWORD))).toBe(true);
  });

  it("keep nobody else out, and not the attacker's neighbour who was here before", async () => {
    const gate = openGate();
    const signed = await gate.signIn({}, ATTACKER, PASSWORD);
    const cookie = "setCookies" in signed ? signed.setCookies.map((text) => text.split(";")[0]).join("; ") : "";
    for (const _ of times(100, () => 0)) await gate.signIn({}, ATTACKER, "wrong");
    expect(isIn(await gate.signIn({}, ATTACKER, PASSWORD))).toBe(false);
    expect(isIn(await gate.signIn({}, "198.51.100.7", PASSWORD))).toBe(true);
    expect(isIn(await gate.signIn({ cookie }, ATTACKER, PASSWORD))).toBe(true);
  });

  it("of many addresses take no more memory than so many, and keep nobody out", async () => {
    const gate = openGate(() => 0, 100);
    for (let a = 0; a < 10; a += 1) {
      for (let b = 0; b < 100; b += 1) await gate.signIn({}, `10.${a}.${b}.1`, "wrong");
    }
    expect(isIn(await gate.signIn({}, "198.51.100.7", PASSWORD))).toBe(true);
  });

  it("are counted by the person behind a trusted proxy, not by the proxy", async () => {
    const gate = openGate();
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (const _ of times(20, () => 0)) await gate.signIn(from(ATTACKER), "127.0.0.1", "wrong");
    expect(isIn(await gate.signIn(from(ATTACKER), "127.0.0.1", PASSWORD))).toBe(false);
    expect(isIn(await gate.signIn(from("198.51.100.7"), "127.0.0.1", PASSWORD))).toBe(true);
    // Whoever is no proxy may write there what they like.
    for (const index of times(20, (i) => i)) await gate.signIn(from(`192.0.2.${index}`), "198.51.100.8", "wrong");
    expect(isIn(await gate.signIn(from("192.0.2.99"), "198.51.100.8", PASSWORD))).toBe(false);
  });

  it("from this machine are counted together, whatever X-Forwarded-For says, where no proxy is named", async () => {
    const base = await startTeamHost();
    const forwarded = times(100, (index) => ({ "X-Forwarded-For": `203.0.113.${index}` }));
    const answers = await Promise.all(forwarded.map((headers) => signIn(base, "wrong", headers)));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThan(10);
  });

  it("sent all at once are mostly not looked at, and the answers say how long to wait", async () => {
    const base = await startTeamHost();
    const answers = await Promise.all(times(100, () => signIn(base, "wrong")));
    // While they come in, a wait or two may pass.
    const looked = answers.filter(({ status }) => status === 401).length;
    expect(looked).toBeGreaterThanOrEqual(5);
    expect(looked).toBeLessThan(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(100 - looked);
    expect(refused[0]?.headers["retry-after"]).toMatch(/^[1-9]\d?$/);
    expect(refused[0]?.body).toMatch(/Too many wrong passwords\. Try again in \d+ seconds?\./);
  });
});

it.each([
  ["192.0.2.1", undefined, "192.0.2.1"],
  ["::ffff:192.0.2.1", undefined, "192.0.2.1"],
  ["127.0.0.1", "203.0.113.9", "203.0.113.9"],
  ["127.0.0.1", "1.1.1.1, 203.0.113.9", "203.0.113.9"],
  ["127.0.0.1", "203.0.113.9, 127.0.0.1", "203.0.113.9"],
  ["127.0.0.1", "not an address", "127.0.0.1"],
  ["192.0.2.1", "203.0.113.9", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", undefined, "2001:db8:1:2::/64"],
  ["2001:db8:1::6", undefined, "2001:db8:1:0::/64"],
  [undefined, "203.0.113.9", "unknown"],
])("counts tries from %s with X-Forwarded-For %s as those of %s", (peer, forwarded, client) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  expect(getClientAddress(headers, peer, (address) => address === "127.0.0.1")).toBe(client);
});
