import { changeErrors } from "./json-changes.ts";
import type { Quirk } from "./quirk.ts";

const json = (value: unknown) => ({ body: JSON.stringify(value), contentType: "application/json" });

/** How errors are written. */
export const ERROR_QUIRKS: readonly Quirk[] = [
  {
    name: "error-string",
    explanation: 'Errors are { error: "message" }.',
    response: changeErrors((message) => json({ error: message })),
  },
  {
    name: "error-detail",
    explanation: 'Errors are { detail: "message" }.',
    response: changeErrors((message) => json({ detail: message })),
  },
  {
    name: "error-text",
    explanation: "Errors are plain text.",
    response: changeErrors((message) => ({ body: message, contentType: "text/plain; charset=utf-8" })),
  },
  {
    name: "error-html",
    explanation: "Errors are a proxy’s web page.",
    response: changeErrors(() => ({
      body: "<html><body><h1>Bad Gateway</h1></body></html>",
      contentType: "text/html",
    })),
  },
  {
    name: "busy-submit",
    explanation: "Every submit returns 503 as plain text while reading works. No job, no charge.",
    request(url, _, method) {
      if (method !== "POST" || !/\/requests$/.test(url.pathname)) return undefined;
      return new Response("Upstream capacity temporarily exhausted", { status: 503 });
    },
  },
  {
    name: "page-for-unknown",
    explanation: "An unknown path returns 200 and a web page.",
    response: (response, { route }) => {
      if (route !== undefined || response.status !== 404) return response;
      const page = "<!doctype html><html><head><title>Welcome</title></head><body><div id=root></div></body></html>";
      const headers = new Headers(response.headers);
      headers.set("content-type", "text/html; charset=utf-8");
      return new Response(page, { headers });
    },
  },
  {
    name: "unknown-405",
    explanation: "An unknown path returns 405, as do swapped URLs.",
    response: async (response, { route }) => {
      if (route !== undefined || response.status !== 404) return response;
      const { headers } = response;
      return new Response(await response.text(), { status: 405, headers });
    },
  },
  {
    name: "messages-x-api-key-only",
    explanation: "The messages endpoint accepts the key only as x-api-key. A bearer token returns 401.",
    request(url, headers, method) {
      const isMeant = method === "POST" && /\/v1\/messages$/.test(url.pathname) && headers.get("x-api-key") === null;
      if (!isMeant) return undefined;
      const error = { message: "Missing API key. Send the header x-api-key.", type: "authentication_error" };
      return Response.json({ error }, { status: 401 });
    },
  },
];
