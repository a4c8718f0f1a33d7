import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  url: string;
  /** How many submits arrived, repeats included. */
  submits(): number;
  /** How many intents lost their first answer. */
  cuts(): number;
  close(): void;
}

/**
 * Stands between browser and host. The first time an intent is answered it destroys the browser's connection instead
 * of passing the answer on: the job exists and the browser does not know. Over HTTP/1.1 the browser then repeats a
 * POST by itself when the connection had served before.
 */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const cut = new Set<string>();
  const sockets = new Set<Socket>();
  let submits = 0;

  const server = createServer((client) => {
    const host = connect(Number(port), hostname);
    for (const socket of [client, host]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        host.destroy();
      });
    }
    let waiting: string | undefined;
    client.on("data", (chunk) => {
      const intent = /^POST \/relay\/[\s\S]*\r\nx-safelight-intent: (\S+)/i.exec(chunk.toString("latin1"))?.[1];
      if (intent) submits += 1;
      waiting = intent ?? waiting;
      host.write(chunk);
    });
    host.on("data", (chunk) => {
      const isFirstAnswer = waiting !== undefined && !cut.has(waiting);
      if (waiting !== undefined) cut.add(waiting);
      waiting = undefined;
      if (isFirstAnswer) client.resetAndDestroy();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submits: () => submits,
    cuts: () => cut.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
