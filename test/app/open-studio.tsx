import { onTestFinished } from "vitest";
import { connect, disconnect, openSandbox } from "#connection/connection-store.ts";
import { startSandboxServer } from "../setup/sandbox-server.ts";
import { visitStudio } from "../visit-studio.tsx";

/**
 * The whole studio at an address, over a fresh sandbox, for the length of one test. It is connected before it is opened,
 * to the sandbox or with a key of its own, since the address decides at once whether Connect comes first.
 */
export async function openStudio(path: string, { connected = true, key }: { connected?: boolean; key?: string } = {}) {
  const server = startSandboxServer({ seed: 1 });
  onTestFinished(() => {
    disconnect();
    server.close();
  });
  const { queueBaseUrl, inferenceBaseUrl } = server;
  if (key !== undefined) await connect({ queueBaseUrl, inferenceBaseUrl, key });
  else if (connected) await openSandbox();
  const { user, router, path: where } = visitStudio(path);
  return { user, router, where };
}
