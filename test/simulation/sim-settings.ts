import type { BodyKind } from "#runs/rules/intent.ts";
import type { WireAnswer } from "./sim-answers.ts";
import { createRandom } from "./virtual-time.ts";

/** Every job of the simulation costs this, in micro-USD. */
export const PRICE = 140_000;

/** How submits travel: through one host, through two that share one Redis, or without a host. */
export const WAYS = ["relay", "two-hosts", "stream", "plain"] as const;
export type SimWay = (typeof WAYS)[number];

/** What can go wrong on a leg of a request's way: page to host, host to service, page to service. */
export const LEG_FAULTS = [
  "lost-request",
  "lost-reply",
  "lost-reply",
  "late-request",
  "hang",
  "hang-unsent",
  "unreadable",
  "gateway-before",
  "gateway-after",
  "gateway-after",
  "gateway-late",
] as const;
/** The service's own refusals. No job is made. */
export const OWN_NOES = ["429", "502", "503", "400", "404", "401"] as const;
export type PostFate = (typeof LEG_FAULTS)[number] | (typeof OWN_NOES)[number] | "none";

/** Everything that can go wrong in a schedule. Each schedule counts what did. */
export const FAULT_KINDS = [
  ...new Set(LEG_FAULTS),
  ...OWN_NOES,
  "sent-twice",
  "list-failed",
  "replicas-differ",
  "price-failed",
  "storage-failed",
  "database-lost",
  "crash",
  "freeze",
  "clock-jump",
  "foreign-job",
  "foreign-twin",
  "repeated-click",
  "second-tab-click",
  "wake-burst",
  "retry-cancelled",
  "older-row",
  "newer-row",
  "host-crash",
  "host-pause",
  "store-failed",
  "memory-lost",
  "large-answer",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Faults that only a page behind a host can meet. */
export const HOST_FAULTS: ReadonlySet<FaultKind> = new Set([
  "host-crash",
  "host-pause",
  "store-failed",
  "memory-lost",
  "large-answer",
]);

export type ListOrder = "newest-first" | "oldest-first" | "arbitrary";

/** What one schedule does to the studio. All of it follows from the seed. */
export interface SimSettings {
  seed: number;
  body: BodyKind;
  /** With body `relay`: how many hosts answer, over one Redis where there are two. */
  hosts: 1 | 2;
  submits: number;
  tabs: number;
  models: number;
  /** What happens to the first POSTs on the leg that ends at the service, in order; after them, chance decides. */
  fates?: readonly PostFate[];
  /** The same for the leg from the page to the host. */
  pageFates?: readonly PostFate[];
  /** What stands on the way of a submit answers with one of these, where it speaks. Default: `GATEWAY_ANSWERS`. */
  gatewayAnswers?: readonly WireAnswer[];
  /** Probability that a leg of a submit goes wrong. */
  postFault: number;
  listFault: number;
  priceFault: number;
  /** What the estimate says instead of the price. */
  quotedMicroUsd?: number;
  storageFault: number;
  /** The browser deletes the database under its pages once. */
  losesDatabase: boolean;
  /** Longest lag of the job list, in ms: below the two minutes that the studio assumes. */
  mostLagMs: number;
  /** Servers that answer list calls, each with a lag of its own. */
  replicas: number;
  listOrder: ListOrder;
  /** Jobs that the account had of each model before the schedule began. */
  olderJobs: number;
  echoesPayload: boolean;
  /** Probability of another client's job beside each submit. */
  foreign: number;
  crash: number;
  freeze: number;
  /** The browser's clock against the service's, in ms, and how often it jumps. */
  skewMs: number;
  clockJumps: boolean;
  /** The `Date` of answers against the service's `created_at`, in seconds; undefined where the page cannot read it. */
  dateOffsetSeconds: number | undefined;
  /** Rows of the last released version are in the database. */
  olderRows: boolean;
  /** Probability, for each submit, that a page of a newer version writes a row of its own. */
  newerRows: number;
  /** Probability that a host dies at any one step of it. */
  hostCrash: number;
  /** Probability, for each submit, that a host stands still for a while. */
  hostPause: number;
  /** A host that stood still has a monotonic clock that stood still, too. */
  pauseStopsClock: boolean;
  /** Probability, for each submit, that the hosts' memory fails for a while. */
  storeFault: number;
  /** The hosts' memory is wiped once. */
  losesMemory: boolean;
  /** Probability that an answer is too large for the hosts' memory. */
  largeAnswer: number;
  /** A studio that sends again by itself when no answer came, as common clients do. For proving that it would be seen. */
  resends?: boolean;
}

/** A calm world: nothing goes wrong but what a test adds. */
export const CALM: SimSettings = {
  seed: 1,
  body: "relay",
  hosts: 1,
  submits: 0,
  tabs: 1,
  models: 1,
  postFault: 0,
  listFault: 0,
  priceFault: 0,
  storageFault: 0,
  losesDatabase: false,
  mostLagMs: 0,
  replicas: 1,
  listOrder: "newest-first",
  olderJobs: 0,
  echoesPayload: true,
  foreign: 0,
  crash: 0,
  freeze: 0,
  skewMs: 0,
  clockJumps: false,
  dateOffsetSeconds: 0,
  olderRows: false,
  newerRows: 0,
  hostCrash: 0,
  hostPause: 0,
  pauseStopsClock: false,
  storeFault: 0,
  losesMemory: false,
  largeAnswer: 0,
};

const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;

/** Draws the settings of a schedule from its seed. */
export function settingsFor(seed: number, way: SimWay): SimSettings {
  const random = createRandom(seed * 2 + 1);
  const isRelay = way === "relay" || way === "two-hosts";
  const losesDatabase = random.chance(0.1);
  const sometimes = <T>(probability: number, value: T, otherwise: T) =>
    random.chance(probability) ? value : otherwise;
  return {
    seed,
    body: isRelay ? "relay" : way,
    hosts: way === "two-hosts" ? 2 : 1,
    submits: 5,
    tabs: random.whole(1, 4),
    models: random.whole(1, 3),
    // Two legs: each fails less often.
    postFault: random.pick([0.2, 0.5, 0.9]) * (isRelay ? 0.6 : 1),
    listFault: random.pick([0, 0.1, 0.4]),
    priceFault: 0.02,
    storageFault: random.pick([0, 0, 0.02]),
    losesDatabase,
    mostLagMs: random.pick([0, 0, 10_000, 60_000, 110_000]),
    replicas: random.pick([1, 2]),
    listOrder: random.pick(["newest-first", "oldest-first", "arbitrary"]),
    olderJobs: sometimes(0.1, random.pick([150, 250, 700, 1300]), 0),
    echoesPayload: random.chance(0.7),
    foreign: random.pick([0, 0, 0.3]),
    crash: losesDatabase ? 0 : random.pick([0, 0.3, 0.6]),
    freeze: random.pick([0, 0.3]),
    skewMs: random.pick([0, 3 * DAY_MS, -3 * DAY_MS]) * random.next(),
    clockJumps: random.chance(0.3),
    dateOffsetSeconds: random.pick([
      0,
      0,
      undefined,
      Math.round(random.between(-DAY_SECONDS, DAY_SECONDS)),
      Math.round(random.between(-600, 600)),
    ]),
    olderRows: random.chance(0.2),
    newerRows: random.pick([0, 0, 0, 0.3]),
    hostCrash: isRelay ? random.pick([0, 0.01, 0.04]) : 0,
    hostPause: isRelay ? random.pick([0, 0.3]) : 0,
    pauseStopsClock: random.chance(0.5),
    storeFault: isRelay ? random.pick([0, 0, 0.2]) : 0,
    losesMemory: isRelay && random.chance(0.15),
    largeAnswer: isRelay ? 0.1 : 0,
  };
}
