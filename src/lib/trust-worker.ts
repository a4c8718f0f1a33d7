import { claimStart, type WorkerPolicy } from "./start-handover.ts";

interface Page {
  trustedTypes?: { createPolicy(name: string, rules: WorkerPolicy): WorkerPolicy };
}

/** A page can make a policy of one name once. */
let ownPolicy: WorkerPolicy | undefined;

/**
 * The URL of one of Safelight's own workers, in the form that a page under `require-trusted-types-for 'script'`
 * wants it (.github/SECURITY.md). Throws for any other URL, and where another script took the policy first.
 */
export function trustWorker(address: string): string {
  ownPolicy ??=
    claimStart().workers ??
    (globalThis as Page).trustedTypes?.createPolicy("app-worker", { createScriptURL: ownWorker });
  return ownPolicy?.createScriptURL(address) ?? ownWorker(address);
}

/** The build names the file of a worker after its module, which ends in `-worker`. */
const OWN_WORKER =
  /^\/assets\/[\w.-]+-worker-[\w-]{8}\.js$|^\/src\/[\w./-]+-worker\.ts$|^\/(sandbox|offline)-worker\.js$/;

/**
 * Accepts the same workers as `public/start.js`: files of the build, those of a dev server, the sandbox of a plain file
 * host and the page without a network.
 */
function ownWorker(address: string): string {
  const { origin, pathname, href } = new URL(address, location.href);
  const isWorker = OWN_WORKER.test(pathname);
  if (origin !== location.origin || !href.startsWith("http") || !isWorker) {
    throw new TypeError("This worker isn’t one of Safelight’s own.");
  }
  return href;
}
