import { NoAnswerError } from "#api/api-error.ts";
import type { Job } from "#api/types.ts";
import type { Locks, SubmitEffects } from "#jobs/submit/effects.ts";
import * as recovery from "#jobs/submit/recovery.ts";
import { createSubmissions, type Submissions } from "#jobs/submit/submissions.ts";
import type { StoreName } from "#storage/keys.ts";
import { type RowStore, SlotTakenError, StorageError, type StoredRow } from "#storage/rows.ts";
import type { SimNetwork } from "./sim-network.ts";
import { type FaultKind, PRICE, type SimSettings } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

/** The rows of a virtual browser: those of the product's memory store, without copies, since ours are never changed. */
export function createSimRows(): RowStore {
  const stores = new Map<StoreName, Map<string, StoredRow>>();
  const of = (name: StoreName) => {
    let rows = stores.get(name);
    if (!rows) {
      rows = new Map();
      stores.set(name, rows);
    }
    return rows;
  };
  return {
    get: async (store, key) => of(store).get(key),
    all: async (store, accountId) =>
      [...of(store).values()].filter((row) => accountId === undefined || row.scope === accountId),
    edit: async (target, decide) => {
      const { changes, result } = decide(
        of(target.store).get(target.key),
        (target.reads ?? []).map(({ store, key }) => of(store).get(key)),
      );
      for (const change of changes) {
        if (change.kind !== "put" || change.row.slot === undefined) continue;
        for (const row of of(change.store).values()) {
          if (row.slot === change.row.slot && row.key !== change.row.key) throw new SlotTakenError(change.row.slot);
        }
      }
      for (const change of changes) {
        if (change.kind === "put") of(change.store).set(change.row.key, change.row);
        else of(change.store).delete(change.key);
      }
      return result;
    },
  };
}

export const ACCOUNT_ID = "key";
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
  /** Counts the faults that happened. */
  note: (fault: FaultKind) => void;
  /** Holders of Web Locks. */
  locks: Map<string, symbol>;
  wallOffsetMs: number;
  /** Called before each effect of any tab, and again before its result is given back: the points at which a tab may die. */
  killPoint?: (tab: SimTab) => void;
  onPost(tab: SimTab, intentId: string, attempt: number): void;
}

export interface SimTab {
  submissions: Submissions;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** The page dies: nothing of it ever goes on, and its locks are let go. What it sent is on its way. */
  crash(): void;
  freeze(): void;
  thaw(): void;
}

/** Opens a page in the virtual browser, and does on it what the shell does: take up what earlier pages left. */
export function openTab(browser: SimBrowser, accountId = ACCOUNT_ID): SimTab {
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
      if (isWrite && random.chance(settings.storageFault)) {
        browser.note("storage-failed");
        return reject(new StorageError("full"));
      }
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
          time.after(random.between(0, 60), () => {
            if (!random.chance(settings.priceFault)) return resolve(settings.quotedMicroUsd ?? PRICE);
            browser.note("price-failed");
            reject(new Error("no price"));
          }),
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

  const submissions = createSubmissions(effectsFor, async () => recovery);
  const tab: SimTab = {
    submissions,
    isAlive: () => alive,
    isFrozen: () => frozen,
    crash: () => {
      browser.note("crash");
      alive = false;
      for (const [name, holder] of browser.locks) if (holder === identity) browser.locks.delete(name);
    },
    freeze: () => {
      browser.note("freeze");
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
      submissions.resume().catch(() => {});
      submissions.refresh().catch(() => {});
    }
    time.after(RESUME_EVERY_MS * (time.nowMs() > RESTING_AFTER_MS ? 6 : 1), resume);
  };
  resume();
  return tab;
}
