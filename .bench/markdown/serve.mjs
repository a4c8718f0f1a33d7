import { serveFolder } from "../serve-folder.mjs";
import { makeTokens } from "./make-markdown.mjs";

/** Serves the built pages, and `/stream?shape=&rate=&count=` as events at that many tokens a second. */
export const serve = (folder) => serveFolder(folder, { "/stream": stream });

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
