import { expect } from "vitest";
import { explainError } from "#api/explain-error.ts";
import { FAILURE_WORDS, MediaError } from "#media/media-failure.ts";
import { DRIVERS, type Driver, type ReadEndpoint } from "./endpoint-drivers.ts";
import { expectedFile, expectedOutcome } from "./expectations.ts";
import { expectedMediaWords, expectedWords } from "./expected-words.ts";
import { isStorage } from "./fault-network.ts";
import { CANARY, type FaultWorld, openFaultWorld } from "./fault-world.ts";
import type { FaultCase } from "./faults.ts";
import type { Outcome } from "./outcomes.ts";

const TEN_MINUTES_MS = 600_000;

/** What each twin gives where nothing goes wrong, by endpoint. */
const healthy = new Map<string, Promise<string[]>>();

async function healthyValues(endpoint: ReadEndpoint): Promise<string[]> {
  const world = openFaultWorld();
  try {
    const driver = await world.time.until(DRIVERS[endpoint](world));
    const values: string[] = [];
    for (const twin of [0, 1]) {
      const outcome = await world.time.until(driver.run({ signal: new AbortController().signal, twin }));
      if (outcome.how !== "done") throw new Error(`${endpoint} does not work without a fault: ${errorOf(outcome)}`);
      values.push(outcome.value);
    }
    return values;
  } finally {
    world.end();
  }
}

/** Plays one form of a fault at one endpoint, in a world of its own, and checks all that must follow. */
export async function playCell(endpoint: ReadEndpoint, faultCase: FaultCase): Promise<void> {
  const values = await (healthy.get(endpoint) ?? healthyValues(endpoint));
  healthy.set(endpoint, Promise.resolve(values));
  const world = openFaultWorld();
  try {
    await playIn(world, endpoint, faultCase, values);
  } finally {
    world.end();
  }
}

async function playIn(
  world: FaultWorld,
  endpoint: ReadEndpoint,
  faultCase: FaultCase,
  values: readonly string[],
): Promise<void> {
  const { time, network } = world;
  const { sort } = faultCase;
  const where = `${endpoint}: ${faultCase.name} ${faultCase.variant}`;
  const driver = await time.until(DRIVERS[endpoint](world));

  armFault(world, endpoint, faultCase);
  const before = network.count(endpoint);
  const outcome = await endure(world, driver, faultCase, values);
  const requests = network.count(endpoint) - before;
  expect({ how: outcome.how, requests }, `${where}: ${errorOf(outcome)}`).toEqual(expectedOutcome(endpoint, faultCase));
  checkWords(driver, endpoint, faultCase, outcome);
  if (outcome.how === "done") {
    expect(outcome.value, where).toBe((endpoint === "media GET" && expectedFile(sort)) || values[0]);
  }

  network.heal();
  network.release();
  const tries: string[] = [];
  while (tries.length < 2 && tries.at(-1) !== "done") {
    tries.push((await time.until(driver.run({ signal: new AbortController().signal, twin: 0 }))).how);
  }
  expect(tries.at(-1), `recovery of ${where}`).toBe("done");

  world.leave();
  await time.pass(1);
  expect(time.timersLeft(), `timers after ${where}`).toBe(0);
  expect(Object.hasOwn(Object.prototype, "polluted"), where).toBe(false);
  checkKey(world);
}

/** Puts a fault in front of the service, for the requests that meet it. */
export function armFault({ network }: FaultWorld, endpoint: string, { sort, meets, fault }: FaultCase): void {
  if (sort === "offline") network.isOnline = false;
  network.arm((asked, isKeyed) => meets === "all" || (meets === "keyed" ? isKeyed : asked === endpoint), fault);
}

/** One try while the fault lasts, with what a person or the browser does in the middle of it. */
async function endure(
  world: FaultWorld,
  driver: Driver,
  { sort }: FaultCase,
  values: readonly string[],
): Promise<Outcome> {
  const { time, network } = world;
  const leaving = new AbortController();
  const leave = () => leaving.abort(new DOMException("The screen was left.", "AbortError"));
  const first = driver.run({ signal: leaving.signal, twin: 0 });
  if (sort === "abort" || sort === "close" || sort === "freeze" || sort === "out of order") await untilHeld(world);
  switch (sort) {
    case "abort":
      leave();
      if (driver.outlivesScreen) network.release();
      return time.until(first);
    case "close":
      world.reload();
      return { how: "stopped" };
    case "freeze":
      await time.freeze(TEN_MINUTES_MS);
      network.release();
      return time.until(first);
    case "out of order": {
      // A screen asks once for one thing: the second request is that of the next screen.
      if (driver.isShared) leave();
      const second = await time.until(
        driver.run({ signal: new AbortController().signal, twin: driver.isShared ? 0 : 1 }),
      );
      expect(second).toEqual({ how: "done", value: values[driver.isShared ? 0 : 1] });
      network.release();
      const late = await time.until(first);
      if (!driver.isShared) return late;
      await time.pass(1);
      return second;
    }
    default:
      return time.until(first);
  }
}

/** Lets time pass until the network holds an answer back. */
export function untilHeld({ time, network }: FaultWorld): Promise<void> {
  return time.until(network.whenHeld());
}

const errorOf = (outcome: Outcome) => ("error" in outcome ? String(outcome.error) : outcome.how);

function checkWords(driver: Driver, endpoint: ReadEndpoint, { sort }: FaultCase, outcome: Outcome): void {
  if (outcome.how !== "failed" && outcome.how !== "early") return;
  const { error } = outcome;
  if (driver.operation === "media") {
    if (!(error instanceof MediaError)) throw error;
    expect(FAILURE_WORDS[error.failure]).toEqual(expectedMediaWords(sort));
    return;
  }
  const { title, body, charged, nextStep, chargedText } = explainError(error, driver.operation);
  expect({ title, body, charged, nextStep }, endpoint).toEqual(expectedWords(endpoint, sort));
  const spoken = {
    no: "Not charged: the service rejected this message.",
    unknown: "You may have been charged.",
    refunded: "",
  };
  // Of what costs nothing, nothing is said of money.
  expect(chargedText).toBe(driver.operation === "text" ? spoken[charged] : "");
}

/** The key goes with the requests of the API, in its one header, and nowhere else. */
export function checkKey({ network }: FaultWorld): void {
  for (const { url, headers, redirect, credentials } of network.sent) {
    const carrying = [...headers].filter(([, value]) => value.includes(CANARY)).map(([name, value]) => [name, value]);
    expect(url).not.toContain(CANARY);
    if (isStorage(url)) {
      expect(carrying, url).toEqual([]);
      continue;
    }
    expect(carrying, url).toEqual([["authorization", `Bearer ${CANARY}`]]);
    expect({ redirect, credentials }, url).toEqual({ redirect: "error", credentials: "omit" });
  }
}
