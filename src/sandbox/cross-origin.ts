import type { RouteFamily } from "./authenticate.ts";

/**
 * By default every origin may read the API and the storage, so that the studio works without a relay; personalities take
 * these headers away. Settings are for the sandbox's own page only.
 */
export function allowOrigins(response: Response, family: RouteFamily): Response {
  if (family === "settings" || response.type === "error") return response;
  response.headers.set("Access-Control-Allow-Origin", "*");
  response.headers.set("Access-Control-Expose-Headers", "Content-Length, Content-Range, Content-Type, Date");
  return response;
}

/** Whether a request is a preflight of the browser rather than a call of the method OPTIONS. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

export function preflightResponse(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
      "Access-Control-Allow-Headers": request.headers.get("access-control-request-headers") ?? "*",
      "Access-Control-Max-Age": "600",
    },
  });
}
