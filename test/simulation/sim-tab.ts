import { NoAnswerError } from "#api/api-error.ts";
import { createServiceClock } from "#api/service-clock.ts";
import type { Job } from "#api/types.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import type { Locks, RunIdentity, SubmitEffects } from "#runs/submit/effects.ts";
import { createSubmissions, type Submissions } from "#runs/submit/submissions.ts";
import { StorageError } from "#storage/rows.ts";
import { type Reply, readReply } from "./sim-answers.ts";
import { readAttemptId, type SimNetwork } from "./sim-network.ts";
import type { SimRows } from "./sim-rows.ts";
import type { ListAnswer } from "./sim-service.ts";
import { type FaultKind, PRICE, type SimSettings } from "./sim-settings.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

export const ACCOUNT_ID = "key";
/** As often as the shell does it while people act, and less often once they rest, for the sake of the machine. */
const RESUME_EVERY_MS = 20_000;
const RESTING_AFTER_MS = 480_000;
/** As the client has them. */
const SUBMIT_TIMEOUT_MS = 180_000;
const READ_TIMEOUT_MS = 20_000;

/** What happens in a page, as told to whoever watches. */
export interface TabEvents {
  post(tab: SimTab, intentId: string, attempt: number): void;
  /** The page asks the host to withdraw an attempt. */
  withdraw(intentId: string): void;
  /** The page has heard what became of an attempt. */
  answer(tab: SimTab, intentId: string, reply: Reply): void;
  /** The page asks for the list. */
  lists(tab: SimTab, model: string): void;
  /** The service has answered a list call of the page. */
  listed(tab: SimTab, model: string): void;
  /** The next changes of rows come from this page. */
  writes(tab: SimTab | undefined): void;
  shown(tab: SimTab, run: RunIdentity, state: SubmitState): void;
}

/** What the tabs of one virtual browser share. */
export interface SimBrowser {
  time: VirtualTime;
  random: Random;
  rows: SimRows;
  network: SimNetwork;
  settings: SimSettings;
  /** From then on nothing goes wrong any more. */
  isCalm: () => boolean;
  /** Counts the faults that happened. */
  note: (fault: FaultKind) => void;
  /** Holders of Web Locks. */
  locks: Map<string, symbol>;
  wallOffsetMs: number;
  /** Called before each effect of any tab, and again before its result is given back: the points at which a tab may die. */
  killPoint?: (tab: SimTab) => void;
  on: TabEvents;
}

export interface SimTab {
  submissions: Submissions;
  isAlive(): boolean;
  isFrozen(): boolean;
  /** The page dies: nothing of it ever goes on, and its locks are let go. What it sent is on its way. */
  crash(): void;
  freeze(): void;
  thaw(): void;
  /** The browser tells the page that its database is gone. */
  loseDatabase(): void;
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
  const fails = (probability: number) => !browser.isCalm() && random.chance(probability);
  const stored = <T>(work: () => Promise<T>, isWrite: boolean): Promise<T> =>
    effect((resolve, reject) => {
      if (isWrite && fails(settings.storageFault)) {
        browser.note("storage-failed");
        return reject(new StorageError("full"));
      }
      browser.on.writes(tab);
      const result = work();
      browser.on.writes(undefined);
      result.then(
        random.chance(0.1) ? (value) => time.after(random.between(1, 40), () => resolve(value)) : resolve,
        reject,
      );
    });
  /** A request of the client: it ends within the client's own time limit. */
  const asked = <T>(timeoutMs: number, send: (back: (reply: T | Reply) => void) => void): Promise<T | Reply> =>
    effect((resolve) => {
      send(resolve);
      time.after(timeoutMs, () => resolve("timed-out"));
    });

  const locks: Locks = {
    tryHold: async (name, work) => {
      const isFree = await effect<boolean>((resolve) => {
        const free = !browser.locks.has(name);
        if (free) browser.locks.set(name, identity);
        resolve(free);
      });
      if (!isFree) return { isAcquired: false };
      try {
        return { isAcquired: true, result: await work() };
      } finally {
        if (browser.locks.get(name) === identity) browser.locks.delete(name);
      }
    },
  };

  const monotonicMs = () => time.nowMs() - bootedAtMs;
  const clock = createServiceClock(monotonicMs);

  async function submit(...[request, options]: Parameters<SubmitEffects["api"]["submit"]>): Promise<Job> {
    const { intentId, attempt } = readAttemptId(options.attemptId);
    const post = () => asked<never>(SUBMIT_TIMEOUT_MS, (back) => network.post(request, options, back));
    const startedAtMs = monotonicMs();
    let reply = await effect<Reply>((resolve) => {
      browser.on.post(tab, intentId, attempt);
      network.post(request, options, resolve);
      time.after(SUBMIT_TIMEOUT_MS, () => resolve("timed-out"));
    });
    if (settings.resends && typeof reply === "string") reply = await post();
    browser.on.answer(tab, intentId, reply);
    const job = readReply(reply);
    clock.noteJobs([job], monotonicMs() - startedAtMs);
    return job;
  }

  const effectsFor = (show: SubmitEffects["show"]): SubmitEffects => ({
    accountId,
    show: (run, state) => {
      browser.on.shown(tab, run, state);
      show(run, state);
    },
    locks,
    nowMs: () => time.nowMs() + browser.wallOffsetMs,
    monotonicMs,
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
        if (signal?.aborted) return wake();
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
            if (!fails(settings.priceFault)) return resolve(settings.quotedMicroUsd ?? PRICE);
            browser.note("price-failed");
            reject(new NoAnswerError());
          }),
        ),
      route: async () => {
        if (settings.body !== "relay") return { body: settings.body, memory: undefined };
        const reply = await asked<never>(READ_TIMEOUT_MS, network.about);
        if (typeof reply === "string" || reply.status !== 200 || !isMemoryName(reply.text)) throw new NoAnswerError();
        return { body: "relay", memory: reply.text };
      },
      serviceSeconds: () => (clock.sourcesDisagree() ? undefined : clock.nowSeconds()),
      listJobs: async (params) => {
        browser.on.lists(tab, params.model_id ?? "");
        const answer = await asked<ListAnswer>(READ_TIMEOUT_MS, (back) =>
          network.list(params, (given) => {
            browser.on.listed(tab, params.model_id ?? "");
            back(given);
          }),
        );
        if (typeof answer === "string" || "status" in answer) throw readFailure(answer);
        const { jobs, total, dateSeconds } = answer;
        if (dateSeconds !== undefined) {
          clock.noteAnswer(new Headers({ date: new Date(dateSeconds * 1000).toUTCString() }));
        }
        clock.noteJobs(jobs);
        return { jobs, total };
      },
      getJob: async (requestId) =>
        readReply(await asked<never>(READ_TIMEOUT_MS, (back) => network.job(requestId, back)), requestId),
      submit,
      withdraw: async (_request, { attemptId, memory }) => {
        const { intentId } = readAttemptId(attemptId);
        browser.on.withdraw(intentId);
        const reply = await asked<never>(READ_TIMEOUT_MS, (back) => network.withdraw(attemptId, memory, back));
        browser.on.answer(tab, intentId, reply);
        return readReply(reply);
      },
    },
  });

  const submissions = createSubmissions(effectsFor);
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
    loseDatabase: () => goOn(() => void submissions.restore()),
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

/** Whether the text is the name of a host's memory. A portal may answer with JSON instead. */
const isMemoryName = (text: string) => text !== "" && !text.startsWith("{");

/** The error of a list call without a list. */
function readFailure(reply: Reply): unknown {
  try {
    readReply(reply);
  } catch (error) {
    return error;
  }
  return new NoAnswerError();
}
