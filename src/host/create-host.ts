import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import type { HostSettings } from "./host-settings.ts";
import { type RelayOptions, relayRoutes } from "./relay/relay-routes.ts";
import { sandboxDoor } from "./sandbox-door.ts";
import { studioFiles } from "./studio-files.ts";

type Connection = HttpBindings | Http2Bindings;

/** The whole host as one `fetch`: health, the sandbox, the relay, the studio. */
export function createHost(settings: HostSettings, distFolder: string, relayOptions: RelayOptions = {}) {
  const host = new Hono<{ Bindings: Connection }>();
  const sandbox = sandboxDoor(settings);
  host.get("/healthz", (c) => c.text("ok", 200, { "Cache-Control": "no-store" }));
  host.all("/sandbox/*", (c) => sandbox(c.req.raw, c.env));
  host.route("/", relayRoutes(settings, relayOptions));
  host.route("/", studioFiles(distFolder, settings));
  host.onError((error, c) => {
    // An error's message may quote an address or a key: only its kind is told.
    process.stderr.write(`The host failed on a request: ${error.name}\n`);
    return c.text("The host failed on this request.", 500);
  });
  return {
    async fetch(request: Request, connection: Connection): Promise<Response> {
      const answer = await host.fetch(request, connection);
      // Hono copies what answers a HEAD, and the copy no longer says that the relay has sent its answer itself.
      return connection.outgoing.headersSent ? RESPONSE_ALREADY_SENT : answer;
    },
  };
}
