import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

/**
 * Answers one path.
 * @typedef {(
 *   params: URLSearchParams,
 *   request: import("node:http").IncomingMessage,
 *   response: import("node:http").ServerResponse,
 * ) => void} Route
 */

/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

/**
 * Serves a folder of built pages on loopback. `routes` answers further paths.
 * @param {string} folder
 * @param {Record<string, Route>} routes
 */
export async function serveFolder(folder, routes = {}) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bench");
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (route) {
      route(searchParams, request, response);
      return;
    }
    const file = join(folder, pathname);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
