import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createRefusalLog, LOGGED_REFUSALS } from "#host/relay/relay-refusal.ts";
import { signIn, startTeamHost, visit } from "./access/access-world.ts";
import { send } from "./send.ts";

/** What this process writes. Hoisted, so that no other file's refusals are counted here. */
const written = vi.hoisted((): string[] => []);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("names these refusals, and no others", () => {
  expect(LOGGED_REFUSALS).toEqual([
    "access_required",
    "wrong_password",
    "wait",
    "not_same_origin",
    "not_allowed",
    "private_address",
    "not_a_target",
    "not_a_service_request",
    "malformed",
    "redirect",
    "too_large",
  ]);
});

it("writes one line for a refusal, and counts a flood", () => {
  const lines: string[] = [];
  const note = createRefusalLog((line) => void lines.push(line));
  note("malformed");
  expect(lines).toEqual(["Rejected: malformed\n"]);
  for (let n = 0; n < 100_000; n += 1) note("malformed");
  note("redirect");
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(10_000);
  expect(lines).toEqual([
    "Rejected: malformed\n",
    "Rejected: redirect\n",
    "Rejected: malformed, 100000 more within 10 seconds\n",
  ]);
  note("malformed");
  expect(lines).toHaveLength(4);
});

it("has nothing of a request, over HTTP", async () => {
  // What other tests of this process have noted is over.
  vi.advanceTimersByTime(20_000);
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  const base = await startTeamHost();
  const canary = { "X-Canary": "canary-1", Cookie: "a=canary-2" };
  await visit(base, "/canary-3?canary=4", canary);
  await signIn(base, "canary-5", { ...canary, Origin: base });
  await send(base, "/relay", { method: "GET", headers: { ...canary, Host: "canary-6.example" } });
  await send(base, "/relay", { method: "GET", headers: { Origin: [base, "https://canary-7.example"] } });
  vi.advanceTimersByTime(20_000);
  spy.mockRestore();
  expect(written).toEqual([
    "Rejected: access_required\n",
    "Rejected: wrong_password\n",
    "Rejected: not_same_origin\n",
    "Rejected: malformed\n",
  ]);
});
