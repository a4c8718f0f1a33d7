import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export interface RedirectingProxy {
  url: string;
  /** How many requests followed the redirect. */
  followed(): number;
  /** From now on submits pass. */
  letPass(): void;
  close(): void;
}

/** The host behind something that answers every submit with 307 and another address. */
export async function startRedirectingProxy(target: string): Promise<RedirectingProxy> {
  let followed = 0;
  let isPassing = false;
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/elsewhere") followed += 1;
    if (!isPassing && incoming.method === "POST" && incoming.url?.endsWith("/apikey/requests")) {
      incoming.resume();
      outgoing.writeHead(307, { Location: "/elsewhere" }).end();
      return;
    }
    const forwarded = request(
      target + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    followed: () => followed,
    letPass: () => {
      isPassing = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
