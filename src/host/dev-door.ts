import { getRequestListener } from "@hono/node-server";
import type { Plugin } from "vite";
import { readHostSettings } from "./host-settings.ts";
import type { sandboxDoor } from "./sandbox-door.ts";

type Check = typeof import("./check-personalities.ts");

/** The sandbox on the dev server's own origin. Vite loads it, so that a change to it takes effect at once. */
export function devDoor(): Plugin {
  return {
    name: "sandbox-dev-door",
    apply: "serve",
    async configureServer(server) {
      const settings = readHostSettings(process.env);
      const { checkPersonalities } = (await server.ssrLoadModule("/src/host/check-personalities.ts")) as Check;
      await checkPersonalities(settings.sandboxPersonalities);
      let loaded: { module: unknown; door: ReturnType<typeof sandboxDoor> } | undefined;
      const listener = getRequestListener(async (request, connection) => {
        const module = (await server.ssrLoadModule("/src/host/sandbox-door.ts")) as { sandboxDoor: typeof sandboxDoor };
        if (loaded?.module !== module) loaded = { module, door: module.sandboxDoor(settings) };
        return loaded.door(request, connection);
      });
      server.middlewares.use((request, response, next) => {
        if (request.url?.startsWith("/sandbox/")) void listener(request, response);
        else next();
      });
    },
  };
}
