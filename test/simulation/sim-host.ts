import type { JobRequest } from "#api/types.ts";
import type { StoredAnswer } from "../../src/host/attempts/attempt-store.ts";
import { RelayRefusal } from "../../src/host/relay/relay-refusal.ts";
import { createSendOnce, type Forwarded, type ForwardSteps } from "../../src/host/relay/send-once.ts";
import type { Reply, WireAnswer } from "./sim-answers.ts";
import type { FaultKind, SimSettings } from "./sim-settings.ts";
import { createSimStore, type HostLife, type SimMemory } from "./sim-store.ts";
import type { Random, VirtualTime } from "./virtual-time.ts";

/** What a page asks a host for. */
export type HostMessage =
  | { kind: "submit"; request: JobRequest; attemptId: string; memory: string | undefined }
  | { kind: "withdraw"; attemptId: string; memory: string | undefined }
  | { kind: "about" };

export interface SimHost {
  isUp(): boolean;
  /** Connections to a host that is down, or dies, break. A host that stands still answers when it goes on. */
  serve(message: HostMessage, back: (reply: Reply) => void): void;
  /** Runs something once the host goes on, or says that it is gone. For what it passes through. */
  pass(run: () => void, isGone: () => void): void;
  crash(): void;
  start(): void;
  pause(): void;
  goOn(): void;
}

/** However long the service takes, the host waits no longer. */
const PATIENCE_MS = [30_000, 90_000, 200_000] as const;
const RENEWS_EVERY_MS = 3_000;

interface Surroundings {
  name: string;
  time: VirtualTime;
  random: Random;
  settings: SimSettings;
  memory: SimMemory;
  /** Every life of every host. */
  lives: Map<string, HostLife>;
  note: (fault: FaultKind) => void;
  /** Carries a submit from the host to the service. Calls back at most once. */
  toService: (request: JobRequest, attemptId: string, back: (reply: Reply) => void) => void;
  /** Called before each effect of the host, and before its result is given back: the points at which it may die. */
  onStep: (host: SimHost) => void;
}

const kept = ({ status, text }: WireAnswer): StoredAnswer => ({ status, headers: {}, body: Buffer.from(text) });
const onWire = ({ status, body }: StoredAnswer): WireAnswer => ({ status, text: body.toString() });

/** A host that runs the product's own rule over a simulated store. It is up at once. */
export function createSimHost(surroundings: Surroundings): SimHost {
  const { name, time, random, settings, memory, lives, note, toService, onStep } = surroundings;
  let starts = 0;
  let current: ReturnType<typeof startLife> | undefined;

  function startLife() {
    starts += 1;
    const startedAtMs = time.nowMs();
    const held: (() => void)[] = [];
    const open = new Set<(reply: Reply) => void>();
    let alive = true;
    let pausedAtMs: number | undefined;
    let pausedMs = 0;
    let resumedAtMs = Number.NEGATIVE_INFINITY;
    let heard = { atMs: startedAtMs, elapsedMs: 0 };

    const proceed = (run: () => void) => {
      if (!alive) return;
      onStep(host);
      if (!alive) return;
      if (pausedAtMs !== undefined) held.push(() => proceed(run));
      else run();
    };
    const elapsedMs = () => {
      const now = pausedAtMs ?? time.nowMs();
      return now - startedAtMs - (settings.pauseStopsClock ? pausedMs : 0);
    };
    const life: HostLife = {
      owner: `${name}-${starts}`,
      isAlive: () => alive,
      heard: () => {
        const isRenewing = alive && pausedAtMs === undefined && time.nowMs() - resumedAtMs > RENEWS_EVERY_MS;
        if (isRenewing && time.nowMs() >= memory.failsUntilMs) life.noteHeard();
        return heard;
      },
      noteHeard: () => {
        heard = { atMs: time.nowMs(), elapsedMs: elapsedMs() };
      },
      elapsedMs,
      effect: (act) =>
        new Promise((resolve, reject) => {
          if (!alive) return;
          onStep(host);
          if (!alive) return;
          act(
            (value) => proceed(() => resolve(value)),
            (error) => proceed(() => reject(error)),
          );
        }),
    };
    lives.set(life.owner, life);
    const store = createSimStore(memory, life, lives, { time, random, note });
    const sendOnce = createSendOnce(store, {
      sleep: (ms) => life.effect((resolve) => time.after(ms, () => resolve(undefined))),
    });

    /** Connects, sends, and waits for the answer. Throws only when nothing was sent. */
    async function forward(
      { request, attemptId }: Extract<HostMessage, { kind: "submit" }>,
      back: (reply: Reply) => void,
      { requireFresh, beforePassingOn }: ForwardSteps,
    ): Promise<Forwarded> {
      await life.effect<void>((resolve, reject) => {
        const isUnreachable = random.chance(settings.postFault * 0.05);
        time.after(random.between(1, 60), () =>
          isUnreachable ? reject(new RelayRefusal(502, "unreachable", "The service cannot be reached.")) : resolve(),
        );
      });
      const reply = await life.effect<Reply>((resolve) => {
        requireFresh();
        toService(request, attemptId, resolve);
        time.after(random.pick(PATIENCE_MS), () => resolve("timed-out"));
      });
      if (typeof reply === "string") return { kind: "lost" };
      if (!reply.isLarge) return { kind: "answer", answer: kept(reply) };
      note("large-answer");
      await beforePassingOn();
      back(reply);
      return { kind: "passed-on" };
    }

    async function answer(message: HostMessage, back: (reply: Reply) => void): Promise<WireAnswer | undefined> {
      // No name: it cannot remember what it sends.
      if (message.kind === "about") return { status: 200, text: await sendOnce.memoryId().catch(() => "") };
      const { attemptId, memory: expected } = message;
      if (message.kind === "withdraw") {
        return { ...onWire(await sendOnce.withdraw(attemptId, expected)), hostReason: "first_answer" };
      }
      const forwardOnce = (steps: ForwardSteps) => forward(message, back, steps);
      const outcome = await sendOnce.send(attemptId, JSON.stringify(message.request), forwardOnce, expected);
      if (outcome.kind !== "answer") return undefined;
      return { ...onWire(outcome.answer), ...(outcome.isRepeat ? { hostReason: "first_answer" } : {}) };
    }

    const serve = (message: HostMessage, back: (reply: Reply) => void) => {
      const end = (reply: Reply) => {
        if (!open.delete(end)) return;
        back(reply);
      };
      open.add(end);
      proceed(() => {
        answer(message, end).then(
          (given) => given && proceed(() => end(given)),
          (error: unknown) => {
            if (!(error instanceof RelayRefusal)) throw error;
            const text = JSON.stringify({ error: { message: error.message, type: `relay_${error.kind}` } });
            proceed(() => end({ status: error.status, text, hostReason: error.kind }));
          },
        );
      });
    };

    return {
      serve,
      pass: (run: () => void) => {
        if (pausedAtMs === undefined) run();
        else held.push(run);
      },
      crash: () => {
        life.heard();
        alive = false;
        for (const end of [...open]) time.after(random.between(1, 20), () => end("broken"));
      },
      pause: () => {
        life.heard();
        pausedAtMs ??= time.nowMs();
      },
      goOn: () => {
        if (pausedAtMs === undefined) return;
        pausedMs += time.nowMs() - pausedAtMs;
        pausedAtMs = undefined;
        resumedAtMs = time.nowMs();
        for (const run of held.splice(0)) run();
      },
    };
  }

  const host: SimHost = {
    isUp: () => current !== undefined,
    serve: (message, back) => {
      if (current) current.serve(message, back);
      else time.after(random.between(1, 20), () => back("broken"));
    },
    pass: (run, isGone) => (current ? current.pass(run) : isGone()),
    crash: () => {
      current?.crash();
      current = undefined;
    },
    start: () => {
      current ??= startLife();
    },
    pause: () => current?.pause(),
    goOn: () => current?.goOn(),
  };
  host.start();
  return host;
}
