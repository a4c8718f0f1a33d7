import { request } from "node:http";
import { createSecureServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { makeCertificate } from "../setup/make-certificate.ts";

export interface CuttingH2Proxy {
  url: string;
  /** How many submits arrived, repeats included. */
  submits(): number;
  close(): void;
}

/**
 * The host behind HTTP/2 over TLS. Once the host has answered a submit, the whole connection is destroyed instead: the
 * job exists and the browser does not know. With a body of text the browser sends the POST again by itself.
 */
export async function startCuttingH2Proxy(target: string): Promise<CuttingH2Proxy> {
  const sessions = new Set<ServerHttp2Session>();
  let submits = 0;
  const server = createSecureServer(await makeCertificate(), (incoming, outgoing) => {
    const isSubmit = incoming.method === "POST" && incoming.url.endsWith("/apikey/requests");
    if (isSubmit) submits += 1;
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !name.startsWith(":")));
    const forwarded = request(target + incoming.url, { method: incoming.method, headers }, (answer) => {
      if (isSubmit) {
        incoming.stream.session?.destroy();
        answer.resume();
        return;
      }
      const { connection: _c, "keep-alive": _k, "transfer-encoding": _t, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.stream.close());
    incoming.pipe(forwarded);
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submits: () => submits,
    close: () => {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}
