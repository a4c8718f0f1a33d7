import { getRequestListener } from "@hono/node-server";
import type { Plugin } from "vite";
import type { sandboxMiddleware } from "../src/host/create-host.ts";
import { readHostSettings } from "../src/host/host-settings.ts";

type Check = typeof import("../src/host/host-settings.ts");

/** The sandbox on the dev server's own origin. Vite loads it, so that a change to it takes effect at once. */
export function devMiddleware(): Plugin {
  return {
    name: "sandbox-dev-middleware",
    apply: "serve",
    async configureServer(server) {
      const settings = readHostSettings(process.env);
      const { checkQuirks } = (await server.ssrLoadModule("/src/host/host-settings.ts")) as Check;
      await checkQuirks(settings.sandboxQuirks);
      let loaded: { module: unknown; middleware: ReturnType<typeof sandboxMiddleware> } | undefined;
      const listener = getRequestListener(async (request, connection) => {
        const module = (await server.ssrLoadModule("/src/host/create-host.ts")) as {
          sandboxMiddleware: typeof sandboxMiddleware;
        };
        if (loaded?.module !== module) loaded = { module, middleware: module.sandboxMiddleware(settings) };
        return loaded.middleware(request, connection);
      });
      server.middlewares.use((request, response, next) => {
        if (request.url?.startsWith("/sandbox/")) void listener(request, response);
        else next();
      });
    },
  };
}
