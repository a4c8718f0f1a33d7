import { onTestFinished } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { visitStudio } from "../screens/visit-studio.tsx";
import { startSandboxServer } from "../setup/sandbox-server.ts";

/** The whole studio at an address, over a fresh sandbox, for the length of one test. */
export async function openStudio(path: string, { connected = true }: { connected?: boolean } = {}) {
  const server = startSandboxServer({ seed: 1 });
  onTestFinished(() => {
    disconnect();
    server.close();
  });
  if (connected) await openSandbox();
  const { user, router, path: where } = visitStudio(path);
  const { queueBaseUrl, inferenceBaseUrl } = server;
  return { user, router, where, server: { queueBaseUrl, inferenceBaseUrl } };
}
