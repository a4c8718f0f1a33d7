import { serveKeys } from "./key-service.ts";

// The Worker of `worker-holder.ts`. Nothing else runs in it.
serveKeys({
  postMessage: (message, transfer) => globalThis.postMessage(message, { transfer }),
  addEventListener: (type, listener) => globalThis.addEventListener(type, listener),
});
