import { describe, expect, it } from "vitest";
import { finishBeforeClosing } from "../../src/host/connections/close-server.ts";
import { startServer } from "../../src/host/start-server.ts";
import { gate } from "./gate.ts";

const loopback = { host: "127.0.0.1", port: 0 };

describe("startServer", () => {
  it("rejects with a clear sentence when the port is in use", async () => {
    const first = await startServer(() => new Response("first"), loopback);
    const port = Number(new URL(first.url).port);
    await expect(startServer(() => new Response("second"), { ...loopback, port })).rejects.toThrow(
      `127.0.0.1:${port} is already in use. Stop the program that uses it, or set PORT to another port.`,
    );
    await first.close();
  });

  it("lets open requests finish on close, and then ends at once", async () => {
    const release = gate();
    const arrival = gate();
    const server = await startServer(async () => {
      arrival.open();
      await release.opened;
      return new Response("finished");
    }, loopback);
    const answer = fetch(server.url);
    await arrival.opened;
    // The connection is persistent: only the end of its answer may close it here.
    const closed = server.close(60_000);
    release.open();
    expect(await (await answer).text()).toBe("finished");
    await closed;
  });

  it("cuts off requests that outlast the grace period", async () => {
    const server = await startServer(
      () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
      loopback,
    );
    const answer = await fetch(server.url);
    await server.close(20);
    await expect(answer.text()).rejects.toThrow();
  });

  it("waits for an answer that is kept beyond the grace period, and cuts off the others", async () => {
    const release = gate();
    const arrivals = [gate(), gate()] as const;
    const server = await startServer(async (request, connection) => {
      const isKept = new URL(request.url).pathname === "/kept";
      if (isKept) finishBeforeClosing(connection);
      arrivals[isKept ? 0 : 1].open();
      await release.opened;
      return new Response("finished");
    }, loopback);
    const [kept, other] = [fetch(`${server.url}/kept`), fetch(server.url)];
    const cut = expect(other).rejects.toThrow();
    await Promise.all(arrivals.map(({ opened }) => opened));
    const closed = server.close(20, new Promise(() => {}));
    await cut;
    release.open();
    expect(await (await kept).text()).toBe("finished");
    await closed;
  });

  it("cuts off an answer that is kept once nothing is waited for any more", async () => {
    const arrival = gate();
    const server = await startServer((_, connection) => {
      finishBeforeClosing(connection);
      arrival.open();
      return new Promise(() => {});
    }, loopback);
    const cut = expect(fetch(server.url)).rejects.toThrow();
    await arrival.opened;
    await server.close(0);
    await cut;
  });

  it("aborts the handler's signal when the client goes away", async () => {
    const abort = gate();
    const arrival = gate();
    const server = await startServer((request) => {
      request.signal.addEventListener("abort", abort.open);
      arrival.open();
      return new Promise(() => {});
    }, loopback);
    const leaving = new AbortController();
    const answer = fetch(server.url, { signal: leaving.signal });
    await arrival.opened;
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await abort.opened;
    await server.close(0);
  });
});
