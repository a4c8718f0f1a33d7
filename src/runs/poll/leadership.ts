import { createStore } from "zustand/vanilla";

/** Whether this tab does the watching for all tabs. `unknown` until the browser has answered. */
export type Role = "unknown" | "leader" | "follower";

const HEARTBEAT_MS = 5_000;
/** A visible tab that got no heartbeat for this long takes the lead: the leader is frozen, or asleep in the background. */
const SILENCE_MS = 20_000;

/** One holder at a time among all tabs. */
export interface LeaderLock {
  /**
   * Waits for the lead, or takes it from whoever holds it. `onLead` is called when it is had, `onLost` when somebody
   * else took it. Returns the way to give it up, or to stop waiting.
   */
  claim(options: { steal: boolean; onLead: () => void; onLost: () => void }): () => void;
}

interface LeadershipEffects {
  lock: LeaderLock;
  nowMs(): number;
  isVisible(): boolean;
  /** Sends the other tabs a heartbeat. */
  beat(): void;
  every(ms: number, run: () => void): () => void;
}

export type Leadership = ReturnType<typeof createLeadership>;

/** Elects the one tab of a browser that polls the service for all of them. */
export function createLeadership(effects: LeadershipEffects) {
  const role = createStore<Role>(() => "unknown");
  let heardAtMs = effects.nowMs();
  let giveUp: (() => void) | undefined;

  const become = (next: Role) => role.setState(next);
  const claim = (steal: boolean) => {
    giveUp?.();
    giveUp = effects.lock.claim({
      steal,
      onLead: () => {
        become("leader");
        effects.beat();
      },
      onLost: () => {
        heardAtMs = effects.nowMs();
        become("follower");
        claim(false);
      },
    });
  };
  const tick = () => {
    if (role.getState() === "leader") return effects.beat();
    if (role.getState() === "unknown") become("follower");
    if (giveUp && effects.isVisible() && effects.nowMs() - heardAtMs > SILENCE_MS) {
      heardAtMs = effects.nowMs();
      claim(true);
    }
  };
  const stopTicking = effects.every(HEARTBEAT_MS, tick);
  claim(false);
  return {
    role,
    /** Another tab's heartbeat arrived. */
    heard: () => {
      heardAtMs = effects.nowMs();
      if (role.getState() === "unknown") become("follower");
    },
    /** The page is about to be frozen or put into the back-forward cache: the lead goes to a tab that can work. */
    pause: () => {
      giveUp?.();
      giveUp = undefined;
      become("follower");
    },
    resume: () => {
      heardAtMs = effects.nowMs();
      if (!giveUp) claim(false);
    },
    stop: () => {
      stopTicking();
      giveUp?.();
      giveUp = undefined;
    },
  };
}
