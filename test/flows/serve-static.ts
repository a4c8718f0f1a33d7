import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestHost } from "./start-host.ts";

const builtPage = fileURLToPath(new URL("../../dist", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** A file host that knows nothing: the files of a build by their path, and 404.html for anything else. */
export async function serveStatic(dist = builtPage): Promise<TestHost> {
  const server = createServer((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? "/", "http://host");
    const file = join(dist, pathname === "/" ? "index.html" : pathname);
    const found = existsSync(file) && extname(file) in TYPES ? file : join(dist, "404.html");
    outgoing.statusCode = found === file ? 200 : 404;
    outgoing.setHeader("Content-Type", TYPES[extname(found)] ?? "application/octet-stream");
    outgoing.end(readFileSync(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stdout: () => "",
    stderr: () => "",
    stop: () => {
      server.close();
      server.closeAllConnections();
      return Promise.resolve(0);
    },
  };
}
