// A key that nobody else has, looked for after a story in every place where a browser keeps or shows something.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { BrowserContext, CDPSession, Download, Page } from "@playwright/test";
import { isLongSuite } from "../setup/cases.ts";

/** What the page sends for the sandbox. Everybody knows it, so finding it would say nothing. */
const KNOWN_KEY = "sandbox-key";

/** A key of 44 characters that every sandbox takes for one of the user of `sandbox-key`. */
export function newCanary(): string {
  return `${KNOWN_KEY}-${randomBytes(16).toString("hex")}`;
}

/** The spellings in which a key is found: as it is, and in Base64 wherever it begins. */
export function spellingsOf(key: string): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.from(" ".repeat(before) + key).toString("base64");
    // Its ends depend on what stands beside it.
    return text.slice(before === 0 ? 0 : 4, -4);
  });
  return [key, ...inBase64];
}

const swaps = new WeakMap<Page, Promise<CDPSession>>();

/** Resolves when the key that a page gives away is swapped: before that, the canary would not be what the studio has. */
export async function swapsKey(page: Page): Promise<void> {
  await swaps.get(page);
}

export interface CanaryWatch {
  /**
   * Where the key is, as sentences, and what could not be searched ("not searched: …"): a check that was not made must
   * not look like one that found nothing. Everything that the story has opened must still be open.
   */
  find(): Promise<string[]>;
  /** How long `find` took, by place, in ms. */
  tookMs: Record<string, number>;
}

/**
 * Watches a context for a key. The pages of a story give away `sandbox-key`, and what arrives at the host is the canary,
 * which from then on only the host may have.
 */
export function watchCanary(context: BrowserContext, key: string, { heap = true } = {}): CanaryWatch {
  const spellings = spellingsOf(key);
  const holds = (text: string) => spellings.some((spelling) => text.includes(spelling));
  const found = new Set<string>();
  const sessions = new Map<Page, Promise<CDPSession>>();
  const downloads: Download[] = [];
  const tookMs: Record<string, number> = {};
  let given = 0;
  let swapped = 0;
  const look = (place: string, text: string) => {
    if (holds(text)) found.add(place);
  };

  let followed = false;
  const follow = (page: Page) => {
    followed = true;
    const session = swapKey(context, page, key, () => swapped++);
    // Told by `find`, where the page is still there.
    session.catch(() => {});
    sessions.set(page, session);
    swaps.set(page, session);
    page.on("close", () => sessions.delete(page));
    page.on("crash", () => sessions.delete(page));
    page.on("download", (download) => downloads.push(download));
  };
  for (const page of context.pages()) follow(page);
  context.on("page", follow);
  context.on("console", (message) => look("the console", message.text()));
  context.on("request", (request) => {
    const { pathname } = new URL(request.url());
    look(`the address of a request: ${pathname}`, request.url());
    look(`a header of a request: ${pathname}`, JSON.stringify(request.headers()));
    const body = request.postData() ?? "";
    // Where the key is given away, once.
    if (pathname !== "/session") look(`the body of a request: ${pathname}`, body);
    else if (body.includes(`"key":"${KNOWN_KEY}"`)) given++;
  });

  async function timed(place: string, work: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    await work();
    tookMs[place] = (tookMs[place] ?? 0) + Math.round(performance.now() - startedAt);
  }

  return {
    tookMs,
    async find() {
      const pages = [...sessions].filter(([page]) => !page.isClosed() && page.url().startsWith("http"));
      if (followed && pages.length === 0) found.add("not searched: no page is open any more");
      if (given > swapped) found.add(`not searched: ${given - swapped} of ${given} keys were given away unmarked`);
      // First, since whatever looks inside the page brings the key with it.
      for (const [page, opening] of heap ? pages.slice(0, 1) : []) {
        await timed("heap", async () => {
          const places = await search(page, "the heap", async () => findInHeap(await opening, spellings));
          for (const place of places) found.add(place);
        });
      }
      for (const [page] of pages) {
        await timed("page", async () => {
          const places = await search(page, "the page", () => page.evaluate(placesInPage, spellings));
          for (const place of places) found.add(place);
        });
      }
      await timed("cookies", async () => {
        look("a cookie", JSON.stringify(await context.cookies()));
      });
      await timed("downloads", async () => {
        for (const download of downloads) {
          const name = download.suggestedFilename();
          look("the name of a download", name);
          const failure = await download.failure();
          if (failure) found.add(`not searched: the download ${name} (${failure})`);
          else look(`a download: ${name}`, (await readFile(await download.path())).toString("latin1"));
        }
      });
      return [...found];
    },
  };
}

/** Ends a search that hangs. The long suite searches every heap; on a slow machine one took more than a minute. */
const LONGEST_MS = isLongSuite ? 300_000 : 60_000;

/** What a search of a page finds, or that it was not made. A page that moves on meanwhile is searched where it stands. */
async function search(page: Page, place: string, look: () => Promise<string[]>): Promise<string[]> {
  const limit = setTimeout(LONGEST_MS, `not searched: ${place}, since ${page.url()} did not answer`, { ref: false });
  for (;;) {
    try {
      const found = await Promise.race([look(), limit]);
      return typeof found === "string" ? [found] : found;
    } catch (error) {
      if (page.isClosed()) return [];
      const { message } = error as Error;
      if (!/context was destroyed|navigat/i.test(message)) return [`not searched: ${place} (${message})`];
      await page.waitForLoadState();
    }
  }
}

/** Puts the key where the page gives `sandbox-key` away. Only these requests are held up: all others keep their cache. */
async function swapKey(context: BrowserContext, page: Page, key: string, onSwapped: () => void): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const body = request.postData?.replace(`"key":"${KNOWN_KEY}"`, `"key":"${key}"`);
    const postData = body === undefined ? {} : { postData: Buffer.from(body).toString("base64") };
    const isSwapped = body !== request.postData;
    // A request whose page went away meanwhile is refused here, and was not sent.
    session
      .send("Fetch.continueRequest", { requestId, ...postData })
      .catch(() => {})
      .then(() => isSwapped && onSwapped());
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/session", requestStage: "Request" }] });
  return session;
}

/** Texts of the page's heap that hold the key, after everything unused was collected. */
async function findInHeap(session: CDPSession, spellings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const around = 120;
  let rest = "";
  let length = 0;
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    const text = rest + chunk;
    length += chunk.length;
    for (const spelling of spellings) {
      const at = text.indexOf(spelling);
      if (at >= 0) found.push(`the heap: ${text.slice(Math.max(0, at - around), at + spelling.length + around)}`);
    }
    rest = text.slice(-400);
  });
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.send("HeapProfiler.disable");
  // A page of the studio has megabytes of it.
  if (length < 100_000) throw new Error(`a snapshot of ${length} characters`);
  return [...new Set(found)];
}

/** Looks through what a page keeps and shows. Runs in the page, since a database may be large. */
export async function placesInPage(spellings: string[]): Promise<string[]> {
  const found: string[] = [];
  const look = (place: string, text: string | null) => {
    if (text !== null && spellings.some((spelling) => text.includes(spelling))) found.push(place);
  };
  /** The texts inside anything that a database holds, however deep. */
  const texts = async (value: unknown, depth = 0): Promise<string> => {
    if (typeof value === "string") return value;
    if (value instanceof Blob) return value.text();
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
    if (typeof value !== "object" || value === null || depth > 20) return "";
    const parts = value instanceof Map || value instanceof Set ? [...value] : Object.entries(value).flat();
    return (await Promise.all(parts.map((part) => texts(part, depth + 1)))).join("\n");
  };
  /** Reads from a place that a story may have broken, which it then says; a place that the browser refuses holds nothing. */
  const attempt = async <T>(place: string, read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "SecurityError")) {
        found.push(`not searched: ${place} (${error})`);
      }
      return undefined;
    }
  };
  const areas = { localStorage: () => localStorage, sessionStorage: () => sessionStorage };
  for (const [name, area] of Object.entries(areas)) {
    for (const [key, value] of Object.entries((await attempt(name, area)) ?? {})) look(`${name}: ${key}`, key + value);
  }
  look("the address", location.href);
  look("the history", JSON.stringify(history.state));
  look("document.cookie", (await attempt("document.cookie", () => document.cookie)) ?? "");
  look("the document", document.documentElement.outerHTML);
  for (const input of document.querySelectorAll("input, textarea"))
    look("an input", (input as { value?: string }).value ?? "");
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = "" } of (await attempt("the list of databases", () => indexedDB.databases())) ?? []) {
    await attempt(`IndexedDB: ${name}`, async () => {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = await done(database.transaction(store).objectStore(store).getAll());
        look(`IndexedDB: ${name}, ${store}`, await texts(rows));
      }
      database.close();
    });
  }
  for (const name of (await attempt("the list of caches", () => caches.keys())) ?? []) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      look(`a cache: ${request.url}`, request.url + ((await answer?.text()) ?? ""));
    }
  }
  return found;
}
