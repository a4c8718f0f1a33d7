import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

// msw's worker hands every request that it sees to the page, with its headers. Those of the worker that holds a key must
// not be among them, so this listener comes first and lets it see requests to the sandbox alone.
const SANDBOX_ONLY = `// Requests to the sandbox alone are for the worker below; all others take their usual way, unseen.
self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (origin !== self.location.origin || !pathname.startsWith("/sandbox/")) event.stopImmediatePropagation();
});
`;

/** The service worker of the sandbox on a plain file host. */
export function sandboxWorkerSource(): string {
  const path = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
  return `${SANDBOX_ONLY}${readFileSync(path, "utf8")}`;
}

/** Writes the worker beside the page as `sandbox-worker.js`: its scope is the whole studio. */
export function sandboxWorker(): Plugin {
  return {
    name: "sandbox-worker",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "sandbox-worker.js", source: sandboxWorkerSource() });
    },
  };
}
