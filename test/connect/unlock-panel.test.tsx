import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UnlockPanel } from "#connect/unlock-panel.tsx";
import type { KeyHandle } from "#connection/custody/key-holder.ts";
import { createWorkerHolder, type WorkerHolder } from "#connection/custody/worker-holder.ts";
import { type SealedConnection, storeSealed, useSealedConnections } from "#connection/sealed-connections.ts";
import { readJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import { inProcessWorker } from "../connection/custody/in-process-worker.ts";
import { until } from "../setup/until.ts";

const PASSPHRASE = "four words of mine";
const ADDRESSES = { queueBaseUrl: "https://api.example.com/api/v1/queue", inferenceBaseUrl: "https://api.example.com" };
const RIGHT = "four words of mine";
const held = vi.hoisted(() => ({ holder: undefined as WorkerHolder | undefined }));

vi.mock("#connection/custody/worker-holder.ts", async (original) => {
  const actual = await original<typeof import("#connection/custody/worker-holder.ts")>();
  // Each test has a worker of its own; who holds it is read once.
  const workerHolder = new Proxy(actual.workerHolder, {
    get: (before, member: keyof WorkerHolder) => (held.holder ?? before)[member],
  });
  return { ...actual, workerHolder };
});

// The real sealing takes its time on purpose (`sealed-key.test.ts`); here only whether it opens is of interest.
vi.mock("#connection/custody/sealed-key.ts", () => ({
  sealKey: async (content: object, passphrase: string) => JSON.stringify({ content, passphrase }),
  openSealed: async (sealed: string, passphrase: string) => {
    const opened = JSON.parse(sealed) as { content: object; passphrase: string };
    return opened.passphrase === passphrase ? opened.content : undefined;
  },
}));

/** The panel of the first key that is kept, as Connect shows it. */
function Panel({ onOpened }: { onOpened: () => void }) {
  const [kept] = useSealedConnections();
  return kept ? <UnlockPanel sealed={kept} onOpened={onOpened} /> : <p>Nothing is kept</p>;
}

const stored = () => (readJson(KEYS.sealedKeys) as SealedConnection[] | undefined)?.[0];
const passphrase = () => screen.getByLabelText("Passphrase");
const unlock = () => screen.getByRole("button", { name: "Unlock" });

let key: KeyHandle;
beforeEach(async () => {
  localStorage.clear();
  held.holder = createWorkerHolder(() => inProcessWorker(() => new Promise(() => {})));
  const keep = { passphrase: PASSPHRASE, name: "Team A" };
  key = await held.holder.hold({ ...ADDRESSES, key: "sk-canary-0123456789abcdef", salt: "salt", keep });
  storeSealed({ accountId: key.accountId, name: "Team A", ...ADDRESSES }, key.sealed ?? "");
});
afterEach(() => vi.useRealTimers());

async function visit() {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval", "performance"] });
  const onOpened = vi.fn();
  render(<Panel onOpened={onOpened} />);
  const user = userEvent.setup({ delay: null });
  const tryWith = async (text: string) => {
    await user.clear(passphrase());
    await user.type(passphrase(), text);
    await user.click(unlock());
  };
  return { user, onOpened, tryWith };
}

// K15.
describe("a key that is kept on this device", () => {
  it("opens with its passphrase, and the wrong tries are forgotten", async () => {
    const { onOpened, tryWith } = await visit();
    await tryWith("something else entirely");
    expect(await screen.findByText("Wrong passphrase.")).toBeVisible();
    expect(passphrase()).toHaveValue("");
    expect(stored()?.wrongTries).toBe(1);
    await tryWith(RIGHT);
    await until(() => expect(onOpened).toHaveBeenCalled());
    expect(stored()).toMatchObject({ wrongTries: 0, name: "Team A", host: "api.example.com" });
  });

  it("is tried no more for a while after three wrong passphrases, also with the right one", async () => {
    const { onOpened, tryWith } = await visit();
    for (const count of [1, 2, 3]) {
      await tryWith(`wrong passphrase ${count}`);
      await until(() => expect(unlock()).not.toHaveAttribute("aria-busy", "true"));
      expect(stored()?.wrongTries).toBe(count);
    }
    expect(screen.getByText(/You can try again in 5 seconds/)).toBeVisible();
    await tryWith(RIGHT);
    expect(onOpened).not.toHaveBeenCalled();
    expect(stored()?.wrongTries).toBe(3);

    await vi.advanceTimersByTimeAsync(5_000);
    await until(() => expect(unlock()).not.toHaveAttribute("aria-disabled"));
    await tryWith(RIGHT);
    await until(() => expect(onOpened).toHaveBeenCalled());
  });

  it("waits in the Worker as well, whatever is stored", async () => {
    const { onOpened, tryWith } = await visit();
    for (const count of [1, 2, 3]) {
      storeSealed({ accountId: key.accountId, name: "Team A", ...ADDRESSES }, key.sealed ?? "");
      await tryWith(`wrong passphrase ${count}`);
      await until(() => expect(unlock()).not.toHaveAttribute("aria-busy", "true"));
    }
    storeSealed({ accountId: key.accountId, name: "Team A", ...ADDRESSES }, key.sealed ?? "");
    await tryWith(RIGHT);
    expect(await screen.findByText(/Too soon\. You can try again in \d seconds/)).toBeVisible();
    expect(onOpened).not.toHaveBeenCalled();
  });

  it("counts a try before it is made, so that a page that is closed meanwhile has tried", async () => {
    held.holder = createWorkerHolder(() => inProcessWorker(() => new Promise(() => {})));
    const { tryWith } = await visit();
    vi.spyOn(held.holder, "unlock").mockImplementation(() => {
      expect(stored()?.wrongTries).toBe(1);
      return new Promise(() => {});
    });
    await tryWith("wrong passphrase");
    await until(() => expect(held.holder?.unlock).toHaveBeenCalled());
  });

  it("is forgotten for good", async () => {
    const { user } = await visit();
    await user.click(screen.getByRole("button", { name: "Remove key" }));
    expect(await screen.findByText("Nothing is kept")).toBeVisible();
    expect(localStorage.getItem(KEYS.sealedKeys.name)).toBeNull();
  });
});
