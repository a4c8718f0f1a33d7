import "../setup/page-stand-in.ts";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type Connection,
  connect,
  findConnection,
  forgetConnectionKey,
  loadConnections,
  openFileOrigin,
} from "#connection/connection-store.ts";
import {
  aboutHost,
  forgetHost,
  localHold,
  noteConnected,
  openStorage,
  openUpload,
  relayAddress,
  storageAddress,
  storageFetch,
  useHostState,
} from "#connection/relay.ts";
import { safeMediaUrl } from "#media/fetch-media.ts";
import { serveAnswers } from "../api/answer-server.ts";
import { fakeHost, leaveHost } from "./fake-host.ts";

const API = "https://api.example.com/api/v1/queue/apikey/models";
const SERVICE = { queueBaseUrl: "https://api.example.com/api/v1/queue", inferenceBaseUrl: "https://api.example.com" };
const FILE = "https://cdn.example.com/file.png";

afterEach(leaveHost);

describe("the host's address of a service's address", () => {
  it.each([
    ["api", API, "/relay/api/https/api.example.com/api/v1/queue/apikey/models"],
    ["api", "https://api.example.com:8443/a%2Fb?x=1&y=%20", "/relay/api/https/api.example.com:8443/a%2Fb?x=1&y=%20"],
    ["api", "http://[::1]:9/", "/relay/api/http/[::1]:9/"],
    ["api", "/sandbox/api/v1/queue/apikey/models?a=1", "/relay/api/sandbox/api/v1/queue/apikey/models?a=1"],
    ["upload", FILE, "/relay/upload/https/cdn.example.com/file.png"],
    ["media", `${FILE}?signature=a%2Fb`, "/relay/media/https/cdn.example.com/file.png?signature=a%2Fb"],
  ] as const)("for %s of %s is %s", (use, url, path) => {
    expect(relayAddress(use, url)).toBe(`${location.origin}${path}`);
  });

  it.each(["upload", "media"] as const)("for %s of the studio's own sandbox is that file's own", (use) => {
    const url = `${location.origin}/sandbox/storage/file.png`;
    expect(relayAddress(use, url)).toBe(url);
  });
});

describe("a page that no host of its own served", () => {
  beforeEach(forgetHost);

  it("reads stored files directly, without key and cookie", async () => {
    const { url, seen } = await serveAnswers((_request, response) => response.end("bytes"));
    expect(await (await storageFetch(`${url}/file.png`)).text()).toBe("bytes");
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.headers.cookie).toBeUndefined();
  });

  it("gives elements and uploads the storage's own address", async () => {
    expect(storageAddress(FILE)).toBe(FILE);
    expect(await openUpload(FILE)).toEqual({ uploadUrl: FILE });
  });
});

describe("a page that its host served", () => {
  const read = (init?: RequestInit) => storageFetch(FILE, init);

  it("tells a host on this machine once which storage is meant", async () => {
    const host = fakeHost({ mode: "typed" });
    await Promise.all([read(), read()]);
    await read();
    expect(host.allowances).toEqual([{ origin: "https://cdn.example.com" }]);
    expect(host.relayed).toHaveLength(3);
  });

  it("tells it again after a restart, and sends what was not sent", async () => {
    const host = fakeHost({ mode: "typed" });
    await read();
    host.restart();
    const answers = await Promise.all([read(), read()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(host.relayed).toHaveLength(3);
  });

  it.each([
    ["the place", { mode: "typed" as const, refuses: "https://cdn.example.com" }, "not_allowed"],
    ["the page", { mode: "typed" as const, knowsPage: false }, "not_same_origin"],
    ["a place that its settings do not name", { mode: "configured" as const }, "not_allowed"],
  ])("gives each caller the host's words when it refuses %s", async (_, settings, kind) => {
    const host = fakeHost(settings);
    const answers = await Promise.all([read(), read()]);
    for (const answer of answers) {
      expect(answer.headers.get("x-safelight-relay")).toBe(kind);
      expect(await answer.json()).toEqual({ error: { message: "Said so", type: `relay_${kind}` } });
    }
    expect(host.relayed).toEqual([]);
  });

  it("rejects when the host gives no answer, and asks again the next time", async () => {
    const host = fakeHost({ mode: "typed" });
    host.goDown();
    await expect(read()).rejects.toThrow(TypeError);
    host.restart();
    expect((await read()).status).toBe(200);
  });

  it("does not hold a request that is aborted while the host is asked", async () => {
    const host = fakeHost({ mode: "typed" });
    const leaving = new AbortController();
    const answer = read({ signal: leaving.signal });
    leaving.abort(new Error("left"));
    await expect(answer).rejects.toThrow("left");
    expect((await read()).status).toBe(200);
    expect(host.relayed).toHaveLength(1);
  });

  it("says about itself what holds now", async () => {
    const host = fakeHost({ mode: "configured", memory: "first", storage: ["https://*.cdn.example.com"] });
    expect(await aboutHost()).toMatchObject({ mode: "configured", memory: "first", origins: [] });
    host.memory = "second";
    expect(await aboutHost()).toMatchObject({ memory: "second", storage: ["https://*.cdn.example.com"] });
  });
});

describe("stored files on a page that its host served", () => {
  it("are read through the host without a key", async () => {
    const host = fakeHost({ mode: "typed" });
    const answer = await storageFetch(FILE, { headers: { Range: "bytes=0-0" } });
    expect(answer.status).toBe(200);
    expect(host.allowances).toEqual([{ origin: "https://cdn.example.com" }]);
    // To this host alone, whose access gate may have a cookie.
    expect(host.inits[0]).toMatchObject({ credentials: "same-origin", referrerPolicy: "no-referrer" });
  });

  it("of the sandbox are read at their own address", async () => {
    const host = fakeHost({ mode: "typed" });
    await storageFetch(`${location.origin}/sandbox/storage/file.png`);
    expect(host.requests).toEqual(["GET /sandbox/storage/file.png"]);
  });

  it("are stored through the host with the page's half of the session", async () => {
    fakeHost({ mode: "typed" });
    const { id } = await connect({ ...SERVICE, key: "sandbox-key" });
    onTestFinished(() => void forgetConnectionKey(findConnection(id) as Connection));
    const ticket = useHostState.getState().connected?.ticket;
    expect(ticket).toMatch(/^ticket-/);
    expect(await openUpload(FILE)).toEqual({
      uploadUrl: `${location.origin}/relay/upload/https/cdn.example.com/file.png`,
      headers: { "X-Safelight-Session": ticket },
    });
  });

  it("are asked for anew with each upload, so that a restarted host knows the place", async () => {
    const host = fakeHost({ mode: "typed" });
    await openUpload(FILE);
    host.restart();
    await openUpload(FILE);
    expect(host.allowances).toHaveLength(2);
  });
});

describe("a file at an address of this computer", () => {
  const LOCAL = "http://127.0.0.1:9000/shutdown?confirm=yes";
  const connectTo = async (address: string) => {
    const { id } = await connect({ queueBaseUrl: address, inferenceBaseUrl: address, key: "sandbox-key" });
    onTestFinished(() => void forgetConnectionKey(findConnection(id) as Connection));
  };

  it.each(["https://api.example.com", "/sandbox/api/v1/queue"])(
    "is never asked for where the service is %s",
    async (address) => {
      const host = fakeHost({ mode: "typed" });
      await connectTo(address);
      host.requests.length = 0;
      await expect(storageFetch(LOCAL)).rejects.toThrow("service does not run there alone");
      await expect(openUpload(LOCAL)).rejects.toMatchObject({ origin: "http://127.0.0.1:9000", mayOpen: false });
      expect([storageAddress(LOCAL), await openStorage(LOCAL), localHold(LOCAL)]).toEqual([
        undefined,
        undefined,
        "refused",
      ]);
      expect(host.requests.filter((request) => request !== "GET /relay")).toEqual([]);
    },
  );

  it("waits for a press that names it where the service is on this computer too, and is then open for good", async () => {
    const host = fakeHost({ mode: "typed" });
    await connectTo("http://127.0.0.1:8000");
    await expect(storageFetch(LOCAL)).rejects.toThrow("until you allow it");
    await expect(openUpload(LOCAL)).rejects.toMatchObject({ mayOpen: true });
    expect([storageAddress(LOCAL), localHold(LOCAL)]).toEqual([undefined, "closed"]);
    expect(host.allowances).toEqual([]);
    openFileOrigin("http://127.0.0.1:9000");
    expect((await storageFetch(LOCAL)).status).toBe(200);
    expect(host.allowances).toEqual([{ origin: "http://127.0.0.1:9000" }]);
    expect(loadConnections().connections.at(-1)?.connection.fileOrigins).toEqual(["http://127.0.0.1:9000"]);
    // By another name it is another address.
    expect(localHold("http://localhost:9000/a.png")).toBe("closed");
    await connectTo("https://api.example.com");
    expect(localHold(LOCAL)).toBe("refused");
  });

  it("is open where it is the service's own, or the host's settings name what may be reached", async () => {
    fakeHost({ mode: "configured", origins: ["http://127.0.0.1:9000"] });
    await connectTo("http://127.0.0.1:8000");
    expect(localHold("http://127.0.0.1:8000/a.png")).toBeUndefined();
    expect((await storageFetch(LOCAL)).status).toBe(200);
  });

  it("waits on a page without a host as well", async () => {
    forgetHost();
    noteConnected(undefined, ["https://api.example.com"]);
    onTestFinished(() => noteConnected(undefined, []));
    const { url, seen } = await serveAnswers((_request, response) => response.end("bytes"));
    await expect(storageFetch(`${url}/file.png`)).rejects.toThrow("does not run there alone");
    await expect(openUpload(`${url}/file.png`)).rejects.toMatchObject({ mayOpen: false });
    expect(seen).toEqual([]);
  });

  it.each(["/relay/media/http/127.0.0.1:8000/shutdown", "/session", "/sandbox/../relay/media/http/localhost/a.png"])(
    "is one of the host itself, which would ask in another connection's name (%s)",
    async (path) => {
      const host = fakeHost({ mode: "typed" });
      await connectTo("http://127.0.0.1:8000");
      await connectTo("https://api.example.com");
      host.requests.length = 0;
      for (const url of [path, `${location.origin}${path}`]) {
        await expect(storageFetch(url)).rejects.toThrow("that is the Safelight server itself");
        await expect(openUpload(url)).rejects.toMatchObject({ mayOpen: false });
        expect([storageAddress(url), await openStorage(url), safeMediaUrl(url)]).toEqual([
          undefined,
          undefined,
          undefined,
        ]);
      }
      expect(host.requests.filter((request) => request !== "GET /relay")).toEqual([]);
    },
  );

  it.each([
    ["was not asked about for it", {}],
    ["is allowed to it", { "http://127.0.0.1:9000": "allowed" }],
  ] as const)(
    "is asked about for the connection that asks, although another one is current by then and it %s",
    async (_, origins) => {
      fakeHost({ mode: "typed" });
      await connectTo("http://127.0.0.1:8000");
      openFileOrigin("http://127.0.0.1:9000");
      const first = useHostState.getState().connected?.ticket;
      forgetHost();
      const answer = vi.mocked(fetch).getMockImplementation() as typeof fetch;
      vi.mocked(fetch).mockImplementationOnce((...about) => {
        noteConnected("ticket-of-another", ["http://127.0.0.1:8001"]);
        useHostState.setState({ origins });
        return answer(...about);
      });
      await storageFetch(LOCAL);
      const question = vi.mocked(fetch).mock.calls.find(([url]) => String(url).endsWith("/relay/allow"));
      expect(new Headers(question?.[1]?.headers).get("X-Safelight-Session")).toBe(first);
      // What the host allowed to the one it has not allowed to the other.
      expect(useHostState.getState().origins).toEqual(origins);
    },
  );

  it("is asked about for each connection, also while the question of another one is under way", async () => {
    fakeHost({ mode: "typed" });
    await connectTo("http://127.0.0.1:8000");
    openFileOrigin("http://127.0.0.1:9000");
    const first = useHostState.getState().connected?.ticket;
    forgetHost();
    const answer = vi.mocked(fetch).getMockImplementation() as typeof fetch;
    let second: Promise<unknown> | undefined;
    vi.mocked(fetch).mockImplementationOnce((...about) => {
      noteConnected("ticket-of-another", ["http://127.0.0.1:8001"], ["http://127.0.0.1:9000"]);
      second = storageFetch(LOCAL);
      return answer(...about);
    });
    await storageFetch(LOCAL);
    await second;
    const questions = vi.mocked(fetch).mock.calls.filter(([url]) => String(url).endsWith("/relay/allow"));
    const asked = questions.map(([, init]) => new Headers(init?.headers).get("X-Safelight-Session"));
    expect(asked.toSorted()).toEqual([first, "ticket-of-another"].toSorted());
  });

  it.each([
    "localhost",
    "localhost.",
    "127.9.9.9",
    "[::1]",
    "a.localhost",
    "0.0.0.0",
    "[::]",
    "[::ffff:127.0.0.1]",
    "localhost.localdomain",
    "ip6-localhost",
  ])("is one by the name %s", async (name) => {
    fakeHost({ mode: "typed" });
    await connectTo("https://api.example.com");
    expect([localHold(`http://${name}:9000/`), localHold(`https://${name}/`)]).toEqual(["refused", "refused"]);
    expect(localHold("https://127.example.com/a.png")).toBeUndefined();
  });
});

describe("the address of a stored file for an element", () => {
  const relayed = (url: string) => relayAddress("media", url);
  const loaded = async (url: string) => [await openStorage(url), storageAddress(url)];

  it("is the storage's own where the settings name its origin", async () => {
    fakeHost({ mode: "configured", origins: ["https://cdn.example.com"] });
    expect(storageAddress(FILE)).toBeUndefined();
    expect(await loaded(FILE)).toEqual([FILE, FILE]);
  });

  it.each([
    ["http://10.0.0.5", "http://10.0.0.5/file.png"],
    ["https://*.example.com", FILE],
    ["https://cdn.example.com", "https://cdn.example.com:8443/file.png"],
    ["https://cdn.example.com", "https://other.example.com/file.png"],
  ])("is the host's where the settings name %s and the file is %s", async (entry, url) => {
    fakeHost({ mode: "configured", origins: [entry], storage: [entry] });
    expect(await loaded(url)).toEqual([relayed(url), relayed(url)]);
  });

  it("is known once a host on this machine has allowed the storage, for all its files", async () => {
    const host = fakeHost({ mode: "typed" });
    const heard = vi.fn();
    onTestFinished(useHostState.subscribe(heard));
    expect([storageAddress(FILE), storageAddress(`${FILE}?2`)]).toEqual([undefined, undefined]);
    await openStorage(FILE);
    expect([FILE, `${FILE}?2`].map((url) => storageAddress(url))).toEqual([FILE, `${FILE}?2`].map(relayed));
    expect(heard).toHaveBeenCalled();
    expect(host.allowances).toHaveLength(1);
  });

  it.each(["refuses", "is down"])("is the host's even when it %s, for the element to find out", async (what) => {
    const host = fakeHost({ mode: "typed", refuses: "https://cdn.example.com" });
    if (what === "is down") host.goDown();
    expect(await loaded(FILE)).toEqual([relayed(FILE), relayed(FILE)]);
  });

  it.each(["blob:x", "data:image/png;base64,AA", "/sandbox/storage/file.png"])("is %s itself", (url) => {
    fakeHost({ mode: "typed" });
    expect(storageAddress(url)).toBe(url);
  });
});

it("a host that is asked about itself and does not speak of itself is no host", async () => {
  fakeHost({ mode: "configured" });
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>")));
  await expect(aboutHost()).rejects.toThrow();
});
