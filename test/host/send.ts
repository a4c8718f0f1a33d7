import { type ClientRequest, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Order {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

/** Opens a request on a connection of its own, whose body is still to be written. */
export function openRequest(base: string, path: string, { method = "POST", headers = {} }: Order) {
  const { hostname, port } = new URL(base);
  const outgoing: ClientRequest = request({ hostname, port, path, method, headers, agent: false });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.once("error", reject);
    outgoing.once("response", (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      text(incoming).then((body) => resolve({ status, headers, body }), reject);
    });
  });
  answer.catch(() => {});
  return { outgoing, answer };
}

export function send(base: string, path: string, order: Order): Promise<Answer> {
  // Node's client gives a DELETE no length of its own.
  const length = order.body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(order.body)) };
  const { outgoing, answer } = openRequest(base, path, { ...order, headers: { ...order.headers, ...length } });
  outgoing.end(order.body);
  return answer;
}

/** The headers of a request that the studio's own page at this address makes. */
export const fromPageAt = (base: string) => ({ Origin: base, "Sec-Fetch-Site": "same-origin" });

/** Does a work so many times, a few at a time. */
export async function inLanes<T>(count: number, lanes: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await work(index);
    }
  };
  await Promise.all(times(lanes, lane));
  return results;
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
