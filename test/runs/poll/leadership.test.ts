import { describe, expect, test } from "vitest";
import { createLeadership, type LeaderLock, type Leadership, type Role } from "#runs/poll/leadership.ts";
import { createVirtualTime } from "../../simulation/virtual-time.ts";

/** A browser's Web Lock: first come, first served; a steal takes it at once; a dead tab lets it go. */
function createSharedLock() {
  interface Claim {
    onLead: () => void;
    onLost: () => void;
  }
  let holder: Claim | undefined;
  let waiting: Claim[] = [];
  const next = () => {
    holder = waiting.shift();
    holder?.onLead();
  };
  const lock: LeaderLock = {
    claim: ({ steal, onLead, onLost }) => {
      const claim = { onLead, onLost };
      const lost = steal ? holder : undefined;
      if (steal) holder = claim;
      else waiting.push(claim);
      if (steal) onLead();
      else if (!holder) next();
      lost?.onLost();
      return () => {
        waiting = waiting.filter((other) => other !== claim);
        if (holder === claim) next();
      };
    },
  };
  return lock;
}

interface Tab {
  leadership: Leadership;
  role: Role;
  visible: boolean;
  /** A frozen tab runs no timer; a crashed one never does again and its lock is let go. */
  frozen: boolean;
  crash(): void;
}

function createBrowser() {
  const time = createVirtualTime();
  const lock = createSharedLock();
  const tabs: Tab[] = [];
  const open = (visible = true): Tab => {
    let dead = false;
    const tab: Tab = {
      visible,
      frozen: false,
      role: "unknown",
      leadership: undefined as never,
      crash: () => {
        dead = true;
        tab.leadership.stop();
      },
    };
    tab.leadership = createLeadership(
      {
        lock,
        nowMs: () => time.nowMs(),
        isVisible: () => tab.visible,
        beat: () => {
          for (const other of tabs) if (other !== tab && !other.frozen) other.leadership.heard();
        },
        every: (ms, run) => {
          const again = () => {
            if (dead) return;
            if (!tab.frozen) run();
            time.after(ms, again);
          };
          time.after(ms, again);
          return () => {
            dead = true;
          };
        },
      },
      (role) => {
        tab.role = role;
      },
    );
    tabs.push(tab);
    return tab;
  };
  const pass = (seconds: number) => {
    const until = time.nowMs() + seconds * 1000;
    time.after(seconds * 1000, () => {});
    while (time.step(until));
  };
  return {
    open,
    pass,
    leaders: () => tabs.filter((tab) => !tab.frozen && tab.role === "leader"),
  };
}

describe("one tab polls for all", () => {
  test("one of twenty tabs leads", () => {
    const browser = createBrowser();
    for (let count = 0; count < 20; count += 1) browser.open();
    browser.pass(60);
    expect(browser.leaders()).toHaveLength(1);
  });

  // P5
  test("another tab leads within 10 s when the leader crashes", () => {
    const browser = createBrowser();
    const first = browser.open();
    const second = browser.open();
    browser.pass(30);
    first.crash();
    browser.pass(10);
    expect(second.role).toBe("leader");
  });

  // P6
  test("a visible tab takes the lead from a frozen one within 25 s", () => {
    const browser = createBrowser();
    const first = browser.open();
    const second = browser.open();
    browser.pass(30);
    first.frozen = true;
    browser.pass(25);
    expect(second.role).toBe("leader");
    first.frozen = false;
    browser.pass(10);
    expect(first.role).toBe("follower");
  });

  // P6
  test("a hidden tab does not take the lead from a silent leader", () => {
    const browser = createBrowser();
    const first = browser.open();
    const hidden = browser.open(false);
    browser.pass(30);
    first.frozen = true;
    browser.pass(300);
    expect(hidden.role).toBe("follower");
  });

  // P3
  test("a paused page gives up the lead, and asks for it again on resume", () => {
    const browser = createBrowser();
    const first = browser.open();
    const second = browser.open();
    browser.pass(6);
    first.leadership.pause();
    expect(second.role).toBe("leader");
    first.leadership.resume();
    browser.pass(6);
    second.leadership.pause();
    expect(first.role).toBe("leader");
  });

  test("a leader that sends heartbeats keeps the lead for hours", () => {
    const browser = createBrowser();
    const first = browser.open();
    browser.open();
    browser.pass(4 * 3600);
    expect(first.role).toBe("leader");
    expect(browser.leaders()).toHaveLength(1);
  });
});
