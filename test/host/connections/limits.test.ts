import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { CONNECTION_LIMITS, type ConnectionLimits } from "#host/connections/limit-connections.ts";
import { startServer } from "#host/start-server.ts";
import { makeCertificate } from "../../setup/make-certificate.ts";
import { gate } from "../gate.ts";
import { send, times } from "../send.ts";

/** Of what a test is not about there is enough time. */
const PATIENT: ConnectionLimits = {
  ...CONNECTION_LIMITS,
  headersMs: 60_000,
  keepAliveMs: 60_000,
  maxConnections: 10,
};
/** Heads are Node's own to watch, and its clock cannot be stopped: nothing good may depend on these. */
const HASTY: ConnectionLimits = { ...PATIENT, headersMs: 50, checkEveryMs: 10 };

type Fetch = Parameters<typeof startServer>[0];

async function start(fetch: Fetch, limits = PATIENT, tls?: { key: string; cert: string }): Promise<string> {
  const server = await startServer(fetch, { host: "127.0.0.1", port: 0, tls }, limits);
  onTestFinished(() => server.close(0));
  return server.url;
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Stops the clock of `watchBody` until the test is over; sockets go on. */
function stopTheClock() {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
}
// Before the server is closed, which takes a timer.
afterEach(() => void vi.useRealTimers());

/** Lets time pass, a part of a limit after the other, until this has come. */
async function passTime<T>(coming: Promise<T>): Promise<T> {
  let hasCome = false;
  const come = coming.finally(() => {
    hasCome = true;
  });
  while (!hasCome) {
    vi.advanceTimersByTime(500);
    await setImmediate();
  }
  return come;
}

/** What came until the connection closed, in whatever way it did. */
async function untilClosed(socket: Socket): Promise<string> {
  let came = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    came += chunk;
  });
  await new Promise((resolve) => socket.once("close", resolve));
  return came;
}

const ok: Fetch = () => new Response("ok");
const readAll: Fetch = async (request) => new Response(String((await request.arrayBuffer()).byteLength));

describe("a connection", () => {
  it.each(["", "GET /", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])(
    "on which no whole head comes is closed (%j)",
    async (start_) => {
      const socket = await open(await start(ok, HASTY));
      socket.write(start_);
      expect(await untilClosed(socket)).toMatch(/^(HTTP\/1\.1 408 |$)/);
    },
  );

  it("whose head drips is closed all the same", async () => {
    const socket = await open(await start(ok, HASTY));
    socket.write("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    const drip = setInterval(() => socket.write("x"), 5);
    onTestFinished(() => clearInterval(drip));
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("whose body drips is closed, and the host goes on", async () => {
    stopTheClock();
    const arrival = gate();
    const url = await start((request, connection) => {
      arrival.open();
      return readAll(request, connection);
    });
    const socket = await open(url);
    socket.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n");
    await arrival.opened;
    socket.write("x");
    expect(await passTime(untilClosed(socket))).toMatch(/^HTTP\/1\.1 408 /);
    expect((await send(url, "/", { body: "four" })).body).toBe("4");
  });

  it("on which a refused body goes on is closed after the answer", async () => {
    stopTheClock();
    const socket = await open(await start(() => new Response("no", { status: 403 })));
    socket.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n");
    const answered = once(socket, "data");
    const closed = untilClosed(socket);
    await answered;
    socket.write("x");
    expect(await passTime(closed)).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("over HTTP/2", () => {
  it("a stream whose body stands still is closed, and the others go on", async () => {
    stopTheClock();
    const arrival = gate();
    const tls = await makeCertificate();
    const url = await start(
      (request, connection) => {
        arrival.open();
        return readAll(request, connection);
      },
      PATIENT,
      tls,
    );
    const session = connectHttp2(url, { ca: tls.cert });
    onTestFinished(() => session.close());
    const slow = session.request({ ":method": "POST", ":path": "/" });
    slow.write("x");
    slow.on("error", () => {});
    await arrival.opened;
    await passTime(once(slow, "close"));
    const whole = session.request({ ":method": "POST", ":path": "/" });
    whole.end("four");
    expect(await text(whole)).toBe("4");
  });

  it("clients that speak HTTP/1.1 have the same limits", async () => {
    const tls = await makeCertificate();
    const url = await start(ok, HASTY, tls);
    const { connect: connectTls } = await import("node:tls");
    const { hostname, port } = new URL(url);
    const socket = connectTls({ host: hostname, port: Number(port), ca: tls.cert, ALPNProtocols: ["http/1.1"] });
    socket.on("error", () => {});
    await once(socket, "secureConnect");
    socket.write("GET / HTTP/1.1\r\n");
    expect(await untilClosed(socket)).toMatch(/^(HTTP\/1\.1 408 |$)/);
  });
});

describe("too many connections", () => {
  it("leave room for the next request: the one goes that has been idle for the longest time", async () => {
    const url = await start(ok, PATIENT);
    const idle: Socket[] = [];
    for (const _ of times(10, () => 0)) idle.push(await open(url));
    const closed = once(idle[0] as Socket, "close");
    expect((await send(url, "/", { method: "GET" })).body).toBe("ok");
    await closed;
    expect(idle.slice(1).filter(({ destroyed }) => destroyed)).toEqual([]);
  });

  it("do not end a request that is under way", async () => {
    const arrival = gate();
    const release = gate();
    const url = await start(async (request) => {
      if (request.method === "POST") {
        arrival.open();
        await release.opened;
      }
      return new Response("ok");
    }, PATIENT);
    const answer = send(url, "/", { body: "a submit" });
    await arrival.opened;
    for (const _ of times(50, () => 0)) await open(url);
    expect((await send(url, "/", { method: "GET" })).body).toBe("ok");
    release.open();
    expect((await answer).body).toBe("ok");
  });

  it("that do not read their answers make room for one that does", async () => {
    const url = await start((request) => {
      if (request.method === "GET") return new Response("ok");
      return new Response(new Uint8Array(32 * 1024 * 1024));
    }, PATIENT);
    for (const _ of times(10, () => 0)) {
      const socket = await open(url);
      socket.pause();
      socket.write("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n");
      await once(socket, "readable");
    }
    expect((await send(url, "/", { method: "GET" })).body).toBe("ok");
  });

  it("that all have a request under way turn the newest away", async () => {
    const release = gate();
    const arrivals = gate();
    let arrived = 0;
    const url = await start(async () => {
      arrived += 1;
      if (arrived === 10) arrivals.open();
      await release.opened;
      return new Response("ok");
    }, PATIENT);
    const answers = times(10, () => send(url, "/", { body: "a submit" }));
    await arrivals.opened;
    await expect(send(url, "/", { method: "GET" })).rejects.toThrow();
    release.open();
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(times(10, () => "ok"));
  });
});
