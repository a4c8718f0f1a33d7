// Where several files share a worker, each begins with what Node has, in whatever order they come.
import { vi } from "vitest";

// What the file before has forgotten.
vi.useRealTimers();
vi.unstubAllGlobals();

// Node 20 denies an address with a letter such as ü once this was called a few thousand times, and no browser does. The host
// has a way of its own (`lib/parse-url.ts`).
function canParse(url: string | URL, base?: string | URL): boolean {
  try {
    return new URL(url, base).href !== "";
  } catch {
    return false;
  }
}
Object.defineProperty(URL, "canParse", { value: canParse, writable: true, configurable: true });

// The server of the host puts classes of its own into the place of these two when it starts.
const NATIVE = Symbol.for("the Request and Response of Node");
const known = globalThis as { [NATIVE]?: { Request: typeof Request; Response: typeof Response } };
known[NATIVE] ??= { Request, Response };
for (const [name, value] of Object.entries(known[NATIVE])) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
