import { environmentManager, type QueryClient } from "@tanstack/react-query";
import { vi } from "vitest";
import { type Api, createApi } from "#api/create-api.ts";
import { createQueryClient } from "#connection/client.ts";
import type { SubmitState } from "#runs/rules/intent.ts";
import { browserEffects, type Locks } from "#runs/submit/effects.ts";
import { createSubmissions, type Submissions } from "#runs/submit/submissions.ts";
import { createSandbox, type Sandbox } from "#sandbox/create-sandbox.ts";
import { createMemoryRows, type RowStore } from "#storage/rows.ts";
import { withKey } from "../setup/with-key.ts";
import { type BrowserTime, startBrowserTime } from "./browser-time.ts";
import { fakeXhr } from "./fake-xhr.ts";
import { createFaultNetwork, type FaultNetwork, INFERENCE, QUEUE } from "./fault-network.ts";

/** Found in no request but those that carry it. */
export const CANARY = "canary-key-of-the-fault-matrix-7e1b";

const PNG = Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10, ...new Array(600).fill(65)]);

/** The page, as the studio makes it for one connection. */
export interface Page {
  api: Api;
  client: QueryClient;
  /** Where text is asked. */
  target: { inferenceBaseUrl: string; fetch: typeof globalThis.fetch };
  submissions: Submissions;
  /** What ends with the page's screens. */
  onLeave: (() => void)[];
}

/** A browser, the network and the service, all in virtual time. */
export interface FaultWorld {
  time: BrowserTime;
  network: FaultNetwork;
  sandbox: Sandbox;
  accountId: string;
  rows: RowStore;
  /** The page that is open. */
  page: Page;
  /** Every state of a submit that was shown, with the number of jobs that the service had then. */
  shown: { model: string; state: SubmitState; jobs: number }[];
  /** The page dies with all that was under way, and is loaded anew. */
  reload(): void;
  /** All screens are left, and nothing may be under way any more. */
  leave(): void;
  end(): void;
}

let worlds = 0;

export function openFaultWorld(): FaultWorld {
  environmentManager.setIsServer(() => false);
  const time = startBrowserTime();
  const sandbox = createSandbox({
    wait: () => Promise.resolve(),
    makeMedia: () => Promise.resolve({ bytes: PNG, contentType: "image/png" }),
    keys: { [CANARY]: { kind: "valid", user: "user-of-the-matrix", organisation: "org-of-the-matrix" } },
  });
  const network = createFaultNetwork(sandbox, time);
  vi.stubGlobal("fetch", network.fetch);
  vi.stubGlobal("XMLHttpRequest", fakeXhr(network));
  worlds += 1;
  const accountId = `account-${worlds}`;
  const rows = createMemoryRows();
  const shown: FaultWorld["shown"] = [];
  let locks = pageLocks();

  function openPage(): Page {
    const target = withKey({ queueBaseUrl: QUEUE, inferenceBaseUrl: INFERENCE, key: CANARY });
    const api = createApi(target);
    const client = createQueryClient();
    const mine = locks;
    const isAlive = network.ofThisPage();
    const submissions = createSubmissions((show) => ({
      ...browserEffects({ api, accountId, queueBaseUrl: QUEUE, queryClient: client, show }),
      rows,
      locks: mine,
      isOnline: () => network.isOnline,
      isRecordSafe: () => true,
      show: (run, state) => {
        if (!isAlive()) return;
        shown.push({ model: run.request.model, state, jobs: sandbox.inspect().jobs.length });
        show(run, state);
      },
    }));
    return { api, client, target, submissions, onLeave: [] };
  }

  function leave(): void {
    for (const end of world.page.onLeave.splice(0)) end();
    world.page.client.clear();
  }

  const world: FaultWorld = {
    time,
    network,
    sandbox,
    accountId,
    rows,
    page: openPage(),
    shown,
    reload() {
      network.killPage();
      time.dropTimers();
      locks = pageLocks();
      world.page = openPage();
    },
    leave,
    end() {
      time.stop();
      vi.unstubAllGlobals();
    },
  };
  return world;
}

/** Locks that go with their page. */
function pageLocks(): Locks {
  const held = new Set<string>();
  return {
    async tryHold(name, work) {
      if (held.has(name)) return { isAcquired: false };
      held.add(name);
      try {
        return { isAcquired: true, result: await work() };
      } finally {
        held.delete(name);
      }
    },
  };
}
