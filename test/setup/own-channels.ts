// A channel of Node's reaches every thread of the process, as no browser's reaches another person's browser.
// So each test file has channels of its own.
import { BroadcastChannel as NodeChannel } from "node:worker_threads";

const browser = crypto.randomUUID();

globalThis.BroadcastChannel = class extends (NodeChannel as unknown as typeof BroadcastChannel) {
  constructor(name: string) {
    super(`${name} of ${browser}`);
  }
};
