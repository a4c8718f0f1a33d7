import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

/** Serves a folder of built pages on loopback. `routes` answers further paths: (params, request, response) each. */
export async function serveFolder(folder, routes = {}) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://bench");
    if (Object.hasOwn(routes, pathname)) return routes[pathname](searchParams, request, response);
    const file = join(folder, pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
