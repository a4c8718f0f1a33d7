import type { BodyKind } from "#jobs/submit/submit-state.ts";
import { createRandom } from "./virtual-time.ts";

/** Every job of the simulation costs this, in micro-USD. */
export const PRICE = 140_000;

/** What can go wrong with one POST. The lost reply is there twice: it is the one that matters most. */
export const POST_FAULTS = [
  "lost-request",
  "lost-reply",
  "lost-reply",
  "late-request",
  "hang",
  "hang-unsent",
  "429",
  "502",
  "503",
  "400",
  "404",
  "gateway-after",
  "gateway-before",
  "500-after",
  "unreadable",
] as const;
export type PostFate = (typeof POST_FAULTS)[number] | "none";

/** Everything that can go wrong in a schedule. Each schedule counts what did. */
export const FAULT_KINDS = [
  ...new Set(POST_FAULTS),
  "sent-twice",
  "list-failed",
  "price-failed",
  "storage-failed",
  "crash",
  "freeze",
  "clock-jump",
  "foreign-job",
  "repeated-click",
  "second-tab-click",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** What one schedule does to the studio. All of it follows from the seed. */
export interface SimSettings {
  seed: number;
  body: BodyKind;
  submits: number;
  tabs: number;
  models: number;
  /** What happens to the first POSTs, in order; after them, chance decides. */
  fates?: readonly PostFate[];
  /** Probability that a submit's request or reply goes wrong. */
  postFault: number;
  listFault: number;
  priceFault: number;
  /** What the estimate says instead of the price. */
  quotedMicroUsd?: number;
  storageFault: number;
  /** Longest lag of the job list, in ms: below the two minutes that the studio assumes. */
  mostLagMs: number;
  echoesPayload: boolean;
  /** Probability of another client's job beside each submit. */
  foreign: number;
  crash: number;
  freeze: number;
  /** The browser's clock against the service's, in ms, and how often it jumps. */
  skewMs: number;
  clockJumps: boolean;
  /** A studio that sends again by itself when no answer came, as common clients do. For proving that it would be seen. */
  resends?: boolean;
}

/** A calm world: nothing goes wrong but what a test adds. */
export const CALM: SimSettings = {
  seed: 1,
  body: "relay",
  submits: 0,
  tabs: 1,
  models: 1,
  postFault: 0,
  listFault: 0,
  priceFault: 0,
  storageFault: 0,
  mostLagMs: 0,
  echoesPayload: true,
  foreign: 0,
  crash: 0,
  freeze: 0,
  skewMs: 0,
  clockJumps: false,
};

const DAY_MS = 86_400_000;

/** Draws the settings of a schedule from its seed. */
export function settingsFor(seed: number, body: BodyKind): SimSettings {
  const random = createRandom(seed * 2 + 1);
  return {
    seed,
    body,
    submits: 5,
    tabs: random.whole(1, 4),
    models: random.whole(1, 3),
    postFault: random.pick([0.2, 0.5, 0.9]),
    listFault: random.pick([0, 0.1, 0.4]),
    priceFault: 0.02,
    storageFault: random.pick([0, 0, 0.02]),
    mostLagMs: random.pick([0, 0, 10_000, 60_000, 110_000]),
    echoesPayload: random.chance(0.7),
    foreign: random.pick([0, 0, 0.3]),
    crash: random.pick([0, 0.3, 0.6]),
    freeze: random.pick([0, 0.3]),
    skewMs: random.pick([0, DAY_MS, -DAY_MS]) * random.next(),
    clockJumps: random.chance(0.3),
  };
}
