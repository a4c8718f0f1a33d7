import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import type { StoredAnswer } from "#host/attempts/attempt-store.ts";
import { RelayRefusal } from "#host/relay/relay-refusal.ts";
import { createSendOnce, type Forward, type SendOnce } from "#host/relay/send-once.ts";
import { gate } from "../gate.ts";
import { type MemoryStore, memoryStore, type SharedMemory, sharedMemory } from "./memory-store.ts";

let memory: SharedMemory;
let store: MemoryStore;
let host: SendOnce;
let forwarded: number;

function startHost(owner: string) {
  const store = memoryStore(memory, owner);
  return { store, host: createSendOnce(store, { sleep: () => setImmediate() }) };
}

beforeEach(() => {
  memory = sharedMemory();
  forwarded = 0;
  ({ store, host } = startHost("host-1"));
});

const job: StoredAnswer = { status: 200, headers: {}, body: Buffer.from("job") };

/** The service answers. */
const answer: Forward = async () => {
  forwarded += 1;
  return { kind: "answer", answer: job };
};

/** No connection: nothing is sent. */
const unreachable: Forward = async () => {
  throw new RelayRefusal(502, "unreachable", "Nothing was sent.");
};

/** The service has the request, and answers once it is let. */
function slow() {
  const arrival = gate();
  const release = gate();
  const forward: Forward = async () => {
    forwarded += 1;
    arrival.open();
    await release.opened;
    return { kind: "answer", answer: job };
  };
  return { arrival, release, forward };
}

const send = (forward: Forward = answer, { by = host, expected = undefined as string | undefined } = {}) =>
  by.send("attempt", "body", forward, expected);
const withdraw = (by = host) => by.withdraw("attempt");
const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof RelayRefusal ? error.kind : error),
  );
/**
 * Lets everything happen that can, short of a gate. There is no I/O and no timer here, so a few turns are enough on any
 * machine.
 */
async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

describe("one host", () => {
  it("gives repeats and questions the first answer", async () => {
    expect(await send()).toEqual({ kind: "answer", answer: job, isRepeat: false });
    expect(await send()).toEqual({ kind: "answer", answer: job, isRepeat: true });
    expect(await withdraw()).toEqual(job);
    expect(forwarded).toBe(1);
  });

  it("never sends what it promised not to send, though the first copy could not be sent", async () => {
    const connecting = gate();
    const first = kindOf(
      send(async (steps) => {
        await connecting.opened;
        return unreachable(steps);
      }),
    );
    await settle();
    const asked = kindOf(withdraw());
    await settle();
    connecting.open();
    expect([await first, await asked]).toEqual(["unreachable", "never_sent"]);
    expect(await kindOf(send())).toBe("never_sent");
    expect(forwarded).toBe(0);
  });

  it("sends anew what could not be sent", async () => {
    expect(await kindOf(send(unreachable))).toBe("unreachable");
    expect(await kindOf(send())).toBe("done");
  });

  it("sends once what it could not write down at first, although it was written", async () => {
    store.failing = { add: "after" };
    expect(await kindOf(send())).toBe("store_unavailable");
    store.failing = {};
    expect(await kindOf(send())).toBe("done");
    expect(await kindOf(send())).toBe("done");
    expect(forwarded).toBe(1);
  });

  it("does not send what it could not write down and was then asked about", async () => {
    store.failing = { add: "after" };
    expect(await kindOf(send())).toBe("store_unavailable");
    store.failing = {};
    expect(await kindOf(withdraw())).toBe("never_sent");
    expect(await kindOf(send())).toBe("never_sent");
    expect(forwarded).toBe(0);
  });

  it("counts as sent what it could not forget", async () => {
    store.failing = { remove: "before" };
    expect(await kindOf(send(unreachable))).toBe("unreachable");
    expect(await kindOf(send())).toBe("outcome_unknown");
    expect(forwarded).toBe(0);
  });

  it("still knows what it sent when the memory is gone or cannot be read", async () => {
    await send();
    store.failing = { add: "before" };
    expect(await kindOf(send())).toBe("outcome_unknown");
    expect(await kindOf(withdraw())).toBe("outcome_unknown");
    store.failing = {};
    memory.name = "memory-2";
    memory.attempts.clear();
    expect(await kindOf(send(answer, { expected: "memory-1" }))).toBe("outcome_unknown");
    expect(forwarded).toBe(1);
  });

  it("gives the answer to the page that it could not write down, and later to a repeat", async () => {
    store.failing = { replace: "before" };
    expect(await kindOf(send())).toBe("done");
    const repeat = send();
    await store.nextCommand("replace");
    store.failing = {};
    expect(await repeat).toEqual({ kind: "answer", answer: job, isRepeat: true });
  });

  it("gives a repeat that came meanwhile the answer, though it can never be written down", async () => {
    const { arrival, release, forward } = slow();
    const first = send(forward);
    await arrival.opened;
    const repeat = send();
    store.failing = { replace: "before" };
    release.open();
    await first;
    expect(await repeat).toEqual({ kind: "answer", answer: job, isRepeat: true });
    expect(forwarded).toBe(1);
  });

  it("says after some tries that an answer is unknown which it cannot write down", async () => {
    store.failing = { replace: "before" };
    expect(await kindOf(send())).toBe("done");
    expect(await kindOf(send())).toBe("outcome_unknown");
    expect(forwarded).toBe(1);
  });

  it("does not send when it stood still before the first byte left", async () => {
    const late: Forward = async ({ requireFresh }) => {
      store.isTrusted = false;
      requireFresh();
      throw new Error("not reached");
    };
    expect(await kindOf(send(late))).toBe("never_sent");
    store.isTrusted = true;
    expect(await kindOf(send())).toBe("never_sent");
    expect(await kindOf(withdraw())).toBe("never_sent");
    expect(forwarded).toBe(0);
  });

  it("tells a repeat at once that an answer is unknown which it passes on", async () => {
    const passing = gate();
    const ended = gate();
    const first = send(async ({ beforePassingOn }) => {
      await beforePassingOn();
      passing.open();
      await ended.opened;
      return { kind: "passed-on" };
    });
    await passing.opened;
    expect(await kindOf(send())).toBe("outcome_unknown");
    expect(await kindOf(withdraw())).toBe("outcome_unknown");
    ended.open();
    expect(await first).toEqual({ kind: "passed-on" });
  });

  it("refuses another request under the same id, also while the first is under way", async () => {
    const { arrival, release, forward } = slow();
    const first = send(forward);
    await arrival.opened;
    expect(await kindOf(host.send("attempt", "other body", answer))).toBe("intent_reused");
    release.open();
    await first;
    expect(await kindOf(host.send("attempt", "other body", answer))).toBe("intent_reused");
  });

  it("sends nothing for another memory than the page knows", async () => {
    expect(await kindOf(send(answer, { expected: "memory-0" }))).toBe("other_memory");
    expect(await kindOf(host.withdraw("attempt", "memory-0"))).toBe("outcome_unknown");
    expect(forwarded).toBe(0);
    expect(memory.attempts.size).toBe(0);
  });

  it("is idle once all that it sent is written down", async () => {
    const { arrival, release, forward } = slow();
    const first = send(forward);
    await arrival.opened;
    let isIdle = false;
    const idle = host.idle().then(() => {
      isIdle = true;
    });
    await settle();
    expect(isIdle).toBe(false);
    release.open();
    await Promise.all([first, idle]);
    expect(memory.attempts.get("attempt")?.state.kind).toBe("answered");
  });
});

describe("two hosts with one memory", () => {
  let other: SendOnce;
  let otherStore: MemoryStore;
  beforeEach(() => {
    ({ store: otherStore, host: other } = startHost("host-2"));
  });

  it("send once, and both give the answer", async () => {
    const both = await Promise.all([send(), send(answer, { by: other })]);
    expect(both.map((outcome) => outcome.kind)).toEqual(["answer", "answer"]);
    expect(forwarded).toBe(1);
  });

  it("wait for the one that sends", async () => {
    const { arrival, release, forward } = slow();
    const first = send(forward);
    await arrival.opened;
    const repeat = send(answer, { by: other });
    const asked = withdraw(other);
    await settle();
    release.open();
    expect([await kindOf(first), await kindOf(repeat), await kindOf(asked)]).toEqual(["done", "done", "done"]);
    expect(forwarded).toBe(1);
  });

  it("say that an answer is unknown once the one that sends is gone", async () => {
    const { arrival, forward } = slow();
    void send(forward);
    await arrival.opened;
    const repeat = kindOf(send(answer, { by: other }));
    await settle();
    memory.alive.delete("host-1");
    expect(await repeat).toBe("outcome_unknown");
    expect(await kindOf(withdraw(other))).toBe("outcome_unknown");
    expect(forwarded).toBe(1);
  });

  it("send from the second what the first could not send", async () => {
    const connecting = gate();
    const first = kindOf(
      send(async (steps) => {
        await connecting.opened;
        return unreachable(steps);
      }),
    );
    await settle();
    const repeat = kindOf(send(answer, { by: other }));
    await settle();
    connecting.open();
    expect([await first, await repeat]).toEqual(["unreachable", "done"]);
    expect(forwarded).toBe(1);
  });

  it("give up on one that does not write what became of it", async () => {
    store.failing = { replace: "before" };
    await send();
    await host.idle();
    expect(await kindOf(send(answer, { by: other }))).toBe("outcome_unknown");
  });

  it("cannot say what became of it while the memory cannot be read", async () => {
    await send();
    otherStore.failing = { add: "before" };
    expect(await kindOf(withdraw(other))).toBe("store_unavailable");
    otherStore.failing = { get: "before" };
    expect(await kindOf(withdraw(other))).toBe("store_unavailable");
  });
});
