// A channel of Node's reaches every thread of the process, as no browser's reaches another person's browser.
// So each test file has channels of its own.
const browser = crypto.randomUUID();

globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} of ${browser}`);
  }
};
