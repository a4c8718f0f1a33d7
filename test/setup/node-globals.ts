// A context of the vmThreads pool has only what jsdom brings. These browsers have as well, and Node's are the real ones.
import { webcrypto } from "node:crypto";
import * as streams from "node:stream/web";

for (const [name, value] of Object.entries({ ...streams, crypto: webcrypto, CryptoKey: webcrypto.CryptoKey })) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
