import { errors } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

const json = (value: unknown) => ({ body: JSON.stringify(value), contentType: "application/json" });

/** How errors are written. */
export const ERROR_QUIRKS: readonly Quirk[] = [
  {
    name: "error-string",
    explanation: 'Errors are { error: "message" }.',
    response: errors((message) => json({ error: message })),
  },
  {
    name: "error-detail",
    explanation: 'Errors are { detail: "message" }.',
    response: errors((message) => json({ detail: message })),
  },
  {
    name: "error-text",
    explanation: "Errors are plain text.",
    response: errors((message) => ({ body: message, contentType: "text/plain; charset=utf-8" })),
  },
  {
    name: "error-html",
    explanation: "Errors are a page of a proxy.",
    response: errors(() => ({ body: "<html><body><h1>Bad Gateway</h1></body></html>", contentType: "text/html" })),
  },
  {
    name: "busy-submit",
    explanation: "Every submit answers 503 as plain text while reading goes on working; no job, no charge.",
    request(url, _, method) {
      if (method !== "POST" || !/\/requests$/.test(url.pathname)) return undefined;
      return new Response("Upstream capacity temporarily exhausted", { status: 503 });
    },
  },
];
