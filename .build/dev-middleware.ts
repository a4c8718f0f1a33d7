import { getRequestListener } from "@hono/node-server";
import type { Plugin } from "vite";
import type { createHost } from "../src/host/create-host.ts";
import { readHostSettings } from "../src/host/host-settings.ts";

type Check = typeof import("../src/host/check-quirks.ts");

/**
 * The host's sandbox, sessions and relay on the dev server's own origin. Vite loads them, so that a change to them takes effect at
 * once. What the sandbox held in memory is lost then.
 */
export function devMiddleware(): Plugin {
  return {
    name: "host-dev-middleware",
    apply: "serve",
    async configureServer(server) {
      const settings = readHostSettings(process.env);
      const { checkQuirks } = (await server.ssrLoadModule("/src/host/check-quirks.ts")) as Check;
      await checkQuirks(settings.sandboxQuirks);
      let loaded: { module: unknown; host: ReturnType<typeof createHost> } | undefined;
      const listener = getRequestListener(async (request, connection) => {
        const module = (await server.ssrLoadModule("/src/host/create-host.ts")) as { createHost: typeof createHost };
        if (loaded?.module !== module) {
          // Its data folder is locked until it is closed.
          const closed = loaded?.host.close();
          loaded = { module, host: module.createHost(settings, undefined) };
          await closed;
        }
        return loaded.host.fetch(request, connection);
      });
      server.middlewares.use((request, response, next) => {
        if (/^\/(sandbox\/|session$|relay($|\/|\?))/.test(request.url ?? "")) void listener(request, response);
        else next();
      });
    },
  };
}
