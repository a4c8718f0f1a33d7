interface WorkerPolicy {
  createScriptURL(address: string): string;
}

interface Page {
  trustedTypes?: { createPolicy(name: string, rules: WorkerPolicy): WorkerPolicy };
  /** Left by `public/start.js`, which has taken the one name that the content policy allows. It is gone once it is read. */
  safelightWorkers?: WorkerPolicy;
}

let policy: WorkerPolicy | undefined;

/** Takes over the policy for the studio's own workers. Called at the very start, so that no later script can. */
export function claimWorkerPolicy(): void {
  policy ??= (globalThis as Page).safelightWorkers;
}

/**
 * The address of one of the studio's own workers, in the form that a page under `require-trusted-types-for 'script'`
 * wants it (src/host/README.md). Throws for any other address, and where another script took the policy first.
 */
export function trustWorker(address: string): string {
  claimWorkerPolicy();
  policy ??= (globalThis as Page).trustedTypes?.createPolicy("app-worker", { createScriptURL: ownWorker });
  return policy?.createScriptURL(address) ?? ownWorker(address);
}

/** As in `public/start.js`: files of the build, those of a dev server, and the sandbox of a plain file host. */
function ownWorker(address: string): string {
  const { origin, pathname, href } = new URL(address, location.href);
  const isWorker = /^\/(assets|src)\/[\w./-]+$/.test(pathname) || pathname === "/sandbox-worker.js";
  if (origin !== location.origin || !href.startsWith("http") || !isWorker) {
    throw new TypeError("This is none of the studio's own workers.");
  }
  return href;
}
