interface PolicyMaker {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

/**
 * The address of one of the studio's own workers, in the form that a page under `require-trusted-types-for 'script'`
 * wants it (src/host/README.md). Throws for an address that is not the studio's own.
 */
export function trustWorker(address: string): string {
  policy ??= (globalThis as { trustedTypes?: PolicyMaker }).trustedTypes?.createPolicy("app-worker", {
    createScriptURL: ownAddress,
  });
  return policy?.createScriptURL(address) ?? ownAddress(address);
}

let policy: ReturnType<PolicyMaker["createPolicy"]> | undefined;

function ownAddress(address: string): string {
  const { origin, href } = new URL(address, location.href);
  if (origin !== location.origin) throw new TypeError("A worker of another origin is never started.");
  return href;
}
