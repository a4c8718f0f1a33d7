import { createServer } from "node:net";

const FIRST = 20_000;
/** Systems give out their own free ports from 32,768 on, so nothing that asks for any port takes one of these. */
const EACH = 1_000;
const WORKERS = 12;

/**
 * A free port for a server that has to come back at the same address after it was ended. Each worker has a range of its
 * own, so no other takes it meanwhile.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? process.env.TEST_PARALLEL_INDEX ?? 0) % WORKERS;
  for (;;) {
    const port = FIRST + worker * EACH + Math.floor(Math.random() * EACH);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
