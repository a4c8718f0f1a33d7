import { isServedByHost } from "./relay.ts";
import {
  budgetOfPage,
  type ShortRequests,
  type TransferBudget,
  type TransferKind,
  type Waiting,
} from "./transfer-budget.ts";

export interface TransferOptions extends Waiting {
  /** Called with true where it has to wait for longer than a moment, and then with false when the wait is over. */
  onWait?: ((isWaiting: boolean) => void) | undefined;
}

/** A free connection is found faster than that. */
const MOMENT_MS = 250;

let isPlain: boolean | undefined;

/**
 * Whether all requests of this page share six connections: it came from the studio's own host over HTTP/1.1, and every
 * request goes there. Over HTTP/2 requests share one connection, and a page of a plain file host talks to others.
 */
function hasFewConnections(): boolean {
  if (!isServedByHost()) return false;
  isPlain ??= isPlainHttp();
  return isPlain;
}

function isPlainHttp(): boolean {
  const [navigation] = performance.getEntriesByType?.("navigation") ?? [];
  const { nextHopProtocol = "" } = (navigation ?? {}) as { nextHopProtocol?: string };
  // Without TLS no browser speaks HTTP/2.
  return nextHopProtocol === "" ? location.protocol === "http:" : nextHopProtocol.startsWith("http/");
}

/** Whether loading an address has to wait for its turn: it is on the studio's own host, and connections are few. */
export function needsTransfer(address: string): boolean {
  if (!hasFewConnections()) return false;
  const { origin, protocol } = new URL(address, location.href);
  return origin === location.origin && protocol !== "blob:";
}

let budget: TransferBudget | undefined;

/**
 * Resolves when a long transfer may begin, with the function to call when it is over. At once where connections are not
 * limited. Rejects with the signal's reason alone.
 */
export async function openTransfer(kind: TransferKind, options: TransferOptions = {}): Promise<() => void> {
  if (!hasFewConnections()) return () => {};
  const { onWait } = options;
  let isTold = false;
  const timer = setTimeout(() => {
    isTold = true;
    onWait?.(true);
  }, MOMENT_MS);
  try {
    budget ??= budgetOfPage(shortRequests);
    return await budget.open(kind, options);
  } catch {
    options.signal?.throwIfAborted();
    // Whatever is wrong with the budget, the transfer is made: it may only have to wait inside the browser.
    return () => {};
  } finally {
    clearTimeout(timer);
    if (isTold) onWait?.(false);
  }
}

let underWay = 0;
/** While short requests are under way: resolves after the last of them. */
let busy: Promise<void> | undefined;
let endBusy = () => {};

const shortRequests: ShortRequests = {
  async whenNone(callback) {
    // Another one that waited may have begun a request.
    while (busy) await busy;
    callback();
  },
};

/** A `fetch` for short requests: they never wait, and no picture begins on the last connection before they are answered. */
export function shortRequest(send: typeof fetch): typeof fetch {
  return async (...request) => {
    underWay += 1;
    busy ??= new Promise((resolve) => {
      endBusy = resolve;
    });
    try {
      return await send(...request);
    } finally {
      underWay -= 1;
      if (underWay === 0) {
        busy = undefined;
        endBusy();
      }
    }
  };
}
