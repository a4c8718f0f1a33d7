import type { MicroUsd } from "#lib/money.ts";
import type { KeyEntry } from "./authenticate.ts";
import type { Fault } from "./faults.ts";
import type { MediaEncoders } from "./media/media-encoders.ts";
import type { MediaMaker } from "./media-maker.ts";
import type { Speed } from "./sandbox-clock.ts";
import type { RateLimits } from "./settings.ts";

export interface SandboxOptions {
  /** The same seed, clock and requests give the same ids, times and media. Default 1. */
  seed?: number;
  /** The real clock in milliseconds. Default `Date.now`, looked up at each call so that fake timers count. */
  now?: () => number;
  /** How fast sandbox time runs. Default 1. */
  speed?: Speed;
  /** Origin of the links in answers, such as `http://127.0.0.1:4173`. Default: the origin of each request. */
  origin?: string;
  /** Encoders of the platform. Without them media answers 503. */
  media?: MediaEncoders;
  /** Replaces painting and encoding as a whole, for tests that look at what is asked for. */
  makeMedia?: MediaMaker;
  /** Every organisation's balance at the start, in micro-USD. Default 1,000 dollars. */
  openingBalanceMicroUsd?: MicroUsd;
  /** Number of finished jobs that `sandbox-key` has from before; up to 100,000 cost next to nothing. Default 0. */
  history?: number;
  /** Names from `personalities.ts`. */
  personalities?: readonly string[];
  faults?: readonly Fault[];
  rateLimits?: Partial<RateLimits>;
  /** Pace of text answers, 1 to 2,000. Default: the pace of each model. */
  tokensPerSecond?: number;
  /** More keys than `SANDBOX_KEYS`. */
  keys?: Readonly<Record<string, KeyEntry>>;
  /** Waits real milliseconds; only slow answers do. */
  wait?: (ms: number) => Promise<void>;
}
