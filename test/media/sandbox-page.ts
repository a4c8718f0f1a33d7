import { afterEach, beforeEach } from "vitest";
import { disconnect, openSandbox } from "#connection/connection-store.ts";
import { giveLayout } from "../setup/give-layout.ts";
import { freshDatabase } from "../storage/fresh-database.ts";
import { openSandboxMedia } from "./sandbox-media.ts";

type Sandbox = ReturnType<typeof openSandboxMedia>;

/**
 * For each test of a file: an empty browser, connected to a sandbox of its own, in which elements have a size. `prepare`
 * runs before the page connects. Gives the sandbox of the running test.
 */
export function openSandboxPage(prepare?: (sandbox: Sandbox) => Promise<void>): () => Sandbox {
  let sandbox: Sandbox;
  let takeLayout: () => void;
  beforeEach(async () => {
    localStorage.clear();
    sessionStorage.clear();
    freshDatabase();
    takeLayout = giveLayout({ height: 5000 });
    sandbox = openSandboxMedia();
    await prepare?.(sandbox);
    await openSandbox();
  });
  afterEach(() => {
    disconnect();
    sandbox.close();
    takeLayout();
  });
  return () => sandbox;
}
