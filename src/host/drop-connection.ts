import { constants } from "node:http2";
import type { Http2Bindings, HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/** Destroys the connection of a request without an answer: over HTTP/1.1 its socket, over HTTP/2 its stream. */
export function dropConnection({ outgoing }: HttpBindings | Http2Bindings): Response {
  if ("stream" in outgoing) outgoing.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy();
  return RESPONSE_ALREADY_SENT;
}
