import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostSettings } from "../host-settings.ts";
import type { AttemptStore } from "./attempt-store.ts";
import { createLevelStore } from "./level-store.ts";
import { createRedisStore } from "./redis-store.ts";

/**
 * The store that the settings name; nothing is opened yet. A folder for each port, since a page belongs to an address
 * with its port. To a port that was taken at random no page comes back: its folder is a temporary one.
 */
export function openAttemptStore({
  port,
  dataFolder,
  redisUrl,
}: Pick<HostSettings, "port" | "dataFolder" | "redisUrl">): AttemptStore {
  if (redisUrl !== undefined) return createRedisStore({ url: redisUrl });
  if (port !== 0) return createLevelStore({ folder: () => join(dataFolder, `attempts-${port}`) });
  return inTemporaryFolder();
}

function inTemporaryFolder(): AttemptStore {
  let made: string | undefined;
  const remove = () => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    made = undefined;
  };
  const store = createLevelStore({
    folder: () => {
      if (made === undefined) process.once("exit", remove);
      made ??= mkdtempSync(join(tmpdir(), "safelight-attempts-"));
      return made;
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
