import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { makeTokens } from "./make-markdown.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

/** Serves the built pages, and `/stream?shape=&rate=&count=` as events at that many tokens a second. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://bench");
    if (pathname === "/stream") return stream(searchParams, request, response);
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

const made = new Map();

function stream(params, request, response) {
  const shape = params.get("shape");
  const count = Number(params.get("count"));
  const rate = Number(params.get("rate"));
  const key = `${shape}${count}`;
  if (!made.has(key))
    made.set(
      key,
      makeTokens(shape, count).map((text) => `data: ${JSON.stringify({ text })}\n\n`),
    );
  const events = made.get(key);
  response.writeHead(200, { "content-type": "text/event-stream" });
  request.socket.setNoDelay(true);
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(events.length, Math.floor(((performance.now() - start) / 1000) * rate) + 1);
    if (due > sent) response.write(events.slice(sent, due).join(""));
    sent = due;
    if (sent < events.length) return;
    clearInterval(timer);
    response.end();
  }, 4);
  request.on("close", () => clearInterval(timer));
}
