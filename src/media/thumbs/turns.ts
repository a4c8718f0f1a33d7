interface Turn {
  isVisible: () => boolean;
  give: () => void;
}

/** More at once only share the same line. */
const MAX_AT_ONCE = 6;

const waiting: Turn[] = [];
let running = 0;

/**
 * Runs `work` when it has its turn, a few at a time: what is on the screen goes first, then who asked first.
 * @throws what `work` throws, or the signal's reason where it was cancelled while it waited.
 */
export async function inTurn<T>(
  work: () => Promise<T>,
  { signal, isVisible }: { signal: AbortSignal; isVisible: () => boolean },
): Promise<T> {
  signal.throwIfAborted();
  if (running >= MAX_AT_ONCE) await turn(signal, isVisible);
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.find((one) => one.isVisible()) ?? waiting[0];
    if (next) next.give();
    else running -= 1;
  }
}

function turn(signal: AbortSignal, isVisible: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.splice(waiting.indexOf(one), 1);
      signal.removeEventListener("abort", stop);
    };
    const stop = () => {
      leave();
      reject(signal.reason);
    };
    const one: Turn = {
      isVisible,
      give: () => {
        leave();
        resolve();
      },
    };
    waiting.push(one);
    signal.addEventListener("abort", stop, { once: true });
  });
}
