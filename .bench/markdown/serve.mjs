import { serveFolder } from "../serve-folder.mjs";
import { makeTokens } from "./make-markdown.mjs";

/**
 * Serves the built pages, and `/stream?shape=&rate=&count=` as events at that many tokens a second.
 * @param {string} folder
 */
export const serve = (folder) => serveFolder(folder, { "/stream": stream });

/** @type {Map<string, string[]>} */
const made = new Map();

/** @type {import("../serve-folder.mjs").Route} */
function stream(params, request, response) {
  const count = Number(params.get("count"));
  const rate = Number(params.get("rate"));
  const events = eventsOf(params.get("shape") === "code" ? "code" : "mixed", count);
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

/**
 * @param {"mixed" | "code"} shape
 * @param {number} count
 */
function eventsOf(shape, count) {
  const key = `${shape}${count}`;
  const events = made.get(key) ?? makeTokens(shape, count).map((text) => `data: ${JSON.stringify({ text })}\n\n`);
  made.set(key, events);
  return events;
}
