/** Turns of the event loop to wait: enough for an answer with a file read in it. They take a few milliseconds. */
const TURNS = 100;

/** Leaves the thread to others for a moment: painting blocks it, and a host or a page has more to do. */
export async function yieldThread(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}

/** Resolves in a later turn of the event loop, in Node and in a page, without a timer. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
