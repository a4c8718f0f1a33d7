import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostSettings } from "../host-settings.ts";
import type { AttemptStore } from "./attempt-store.ts";
import { createLevelStore } from "./level-store.ts";
import { createRedisStore } from "./redis-store.ts";

/**
 * The store that the settings name. It opens its folder or its connection only when it is first needed.
 *
 * An attempt belongs to a page of one origin, and the port is part of an origin: each port has its own folder. No page
 * comes back to a port that was taken at random (0), so the attempts of that one are in a temporary folder.
 */
export function createAttemptStore({
  port,
  dataFolder,
  redisUrl,
}: Pick<HostSettings, "port" | "dataFolder" | "redisUrl">): AttemptStore {
  if (redisUrl !== undefined) return createRedisStore({ url: redisUrl });
  if (port !== 0) return createLevelStore({ folder: () => join(dataFolder, `attempts-${port}`) });
  return createTemporaryStore();
}

function createTemporaryStore(): AttemptStore {
  let path: string | undefined;
  const remove = () => {
    if (path !== undefined) rmSync(path, { recursive: true, force: true });
    path = undefined;
  };
  const store = createLevelStore({
    folder: () => {
      if (path === undefined) process.once("exit", remove);
      path ??= mkdtempSync(join(tmpdir(), "safelight-attempts-"));
      return path;
    },
  });
  return {
    ...store,
    async close() {
      await store.close();
      remove();
      process.off("exit", remove);
    },
  };
}
