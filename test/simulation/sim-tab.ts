import { NoAnswerError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import * as aftercare from "#jobs/submit/aftercare.ts";
import { createSubmissions, type Submissions } from "#jobs/submit/submissions.ts";
import type { Locks, SubmitEffects } from "#jobs/submit/submit-effects.ts";
import type { RowStore } from "#storage/row.ts";
import { StorageError } from "#storage/row.ts";
import type { Random } from "./random.ts";
import type { SimNetwork } from "./sim-network.ts";
import { PRICE, type SimSettings } from "./sim-settings.ts";
import type { VirtualTime } from "./virtual-time.ts";

export const SCOPE = "key";
/** As often as the shell does it while people act, and less often once they rest, for the sake of the machine. */
const RESUME_EVERY_MS = 20_000;
const RESTING_AFTER_MS = 480_000;

/** What the tabs of one virtual browser share. */
export interface SimBrowser {
  time: VirtualTime;
  random: Random;
  rows: RowStore;
  network: SimNetwork;
  settings: SimSettings;
  /** Holders of Web Locks. */
  locks: Map<string, symbol>;
  wallOffsetMs: number;
  /** Called before each effect of any tab, and again before its result is given back: the points at which a tab may die. */
  killPoint?: (tab: SimTab) => void;
  onPost(tab: SimTab, intentId: string, attempt: number): void;
}

export interface SimTab {
  desk: Submissions;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** The page dies: nothing of it ever goes on, and its locks are let go. What it sent is on its way. */
  crash(): void;
  freeze(): void;
  thaw(): void;
}

/** Opens a page in the virtual browser, and does on it what the shell does: take up what earlier pages left. */
export function openTab(browser: SimBrowser, accountId = SCOPE): SimTab {
  const { time, random, rows, network, settings } = browser;
  const identity = Symbol("tab");
  const bootedAtMs = time.nowMs();
  const held: (() => void)[] = [];
  let alive = true;
  let frozen = false;

  /** Goes on in this page: later when it is frozen, never when it is dead. */
  const goOn = (run: () => void) => {
    if (!alive) return;
    browser.killPoint?.(tab);
    if (!alive) return;
    if (frozen) held.push(() => goOn(run));
    else run();
  };
  /** One effect of the page: it happens unless the page is dead, and its result comes back unless it died since. */
  const effect = <T>(act: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!alive) return;
      browser.killPoint?.(tab);
      if (!alive) return;
      act(
        (value) => goOn(() => resolve(value)),
        (error) => goOn(() => reject(error)),
      );
    });
  const stored = <T>(work: () => Promise<T>, isWrite: boolean): Promise<T> =>
    effect((resolve, reject) => {
      if (isWrite && random.chance(settings.storageFault)) return reject(new StorageError("full"));
      work().then(
        random.chance(0.1) ? (value) => time.after(random.between(1, 40), () => resolve(value)) : resolve,
        reject,
      );
    });

  const locks: Locks = {
    tryHold: async (name, work) => {
      const isFree = await effect<boolean>((resolve) => {
        const free = !browser.locks.has(name);
        if (free) browser.locks.set(name, identity);
        resolve(free);
      });
      if (!isFree) return { held: false };
      try {
        return { held: true, result: await work() };
      } finally {
        if (browser.locks.get(name) === identity) browser.locks.delete(name);
      }
    },
  };

  const effectsFor = (show: SubmitEffects["show"]): SubmitEffects => ({
    accountId,
    show,
    locks,
    nowMs: () => time.nowMs() + browser.wallOffsetMs,
    monotonicMs: () => time.nowMs() - bootedAtMs,
    random: () => random.next(),
    newId: () => `intent-${random.whole(0, 2 ** 31).toString(36)}-${random.whole(0, 2 ** 31).toString(36)}`,
    isOnline: () => true,
    isRecordSafe: () => true,
    sleep: (ms, signal) =>
      effect((resolve) => {
        const wake = () => {
          signal?.removeEventListener("abort", wake);
          resolve(undefined);
        };
        time.after(ms, wake);
        signal?.addEventListener("abort", wake);
      }),
    rows: {
      get: (store, key) => stored(() => rows.get(store, key), false),
      all: (store, accountId) => stored(() => rows.all(store, accountId), false),
      edit: (target, decide) => stored(() => rows.edit(target, decide), true),
    },
    api: {
      price: () =>
        effect((resolve, reject) =>
          time.after(random.between(0, 60), () =>
            random.chance(settings.priceFault)
              ? reject(new Error("no price"))
              : resolve(settings.quotedMicroUsd ?? PRICE),
          ),
        ),
      bodyKind: async () => settings.body,
      listJobs: async ({ model_id = "" }) =>
        effect((resolve, reject) =>
          network.list(model_id, (answer) =>
            answer instanceof Error ? reject(answer) : resolve({ jobs: answer, total: undefined }),
          ),
        ),
      submit: (request, options) => {
        const cutAt = options.attemptId.lastIndexOf(".");
        return effect((resolve, reject) => {
          browser.onPost(tab, options.attemptId.slice(0, cutAt), Number(options.attemptId.slice(cutAt + 1)));
          const end = (answer: Job | Error) => (answer instanceof Error ? reject(answer) : resolve(answer));
          network.post(request, options, (answer) => {
            if (settings.resends && answer instanceof NoAnswerError) network.post(request, options, end);
            else end(answer);
          });
        });
      },
    },
  });

  const desk = createSubmissions(effectsFor, async () => aftercare);
  const tab: SimTab = {
    desk,
    isAlive: () => alive,
    isFrozen: () => frozen,
    crash: () => {
      alive = false;
      for (const [name, holder] of browser.locks) if (holder === identity) browser.locks.delete(name);
    },
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      for (const run of held.splice(0)) run();
    },
  };
  const resume = () => {
    if (!alive) return;
    if (!frozen) {
      desk.resume().catch(() => {});
      desk.refresh().catch(() => {});
    }
    time.after(RESUME_EVERY_MS * (time.nowMs() > RESTING_AFTER_MS ? 6 : 1), resume);
  };
  resume();
  return tab;
}
