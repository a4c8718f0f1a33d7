// A key that nobody else has, looked for after a story in every place where a browser keeps or shows something.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { BrowserContext, CDPSession, Download, Page } from "@playwright/test";

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

export interface CanaryWatch {
  /** Where the key is, as sentences. Everything that the story has opened must still be open. */
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
  const look = (place: string, text: string) => {
    if (holds(text)) found.add(place);
  };

  const follow = (page: Page) => {
    const session = swapKey(context, page, key);
    session.catch(() => {});
    sessions.set(page, session);
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
    // Where the key is given away, once.
    if (pathname !== "/session") look(`the body of a request: ${pathname}`, request.postData() ?? "");
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
      // First, since whatever looks inside the page brings the key with it.
      for (const [, opening] of heap ? pages.slice(0, 1) : []) {
        await timed("heap", async () => {
          const session = await opening.catch(() => undefined);
          const places = session ? await inTime(findInHeap(session, spellings)) : [];
          for (const place of places) found.add(`the heap: ${place}`);
        });
      }
      for (const [page] of pages) {
        await timed("page", async () => {
          for (const place of await inTime(findInPage(page, spellings))) found.add(place);
        });
      }
      await timed("cookies", async () => {
        look("a cookie", JSON.stringify(await context.cookies()));
      });
      await timed("downloads", async () => {
        for (const download of downloads) {
          const path = await download.path().catch(() => undefined);
          look(`the name of a download`, download.suggestedFilename());
          if (path) look(`a download: ${download.suggestedFilename()}`, (await readFile(path)).toString("latin1"));
        }
      });
      return [...found];
    },
  };
}

/** A page that a story has stopped answers nothing. */
function inTime(places: Promise<string[]>): Promise<string[]> {
  return Promise.race([places.catch(() => []), setTimeout(20_000, [], { ref: false })]);
}

/** Puts the key where the page gives `sandbox-key` away. Only these requests are held up: all others keep their cache. */
async function swapKey(context: BrowserContext, page: Page, key: string): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  session.on("Fetch.requestPaused", ({ requestId, request }) => {
    const body = request.postData?.replace(`"key":"${KNOWN_KEY}"`, `"key":"${key}"`);
    const postData = body === undefined ? {} : { postData: Buffer.from(body).toString("base64") };
    session.send("Fetch.continueRequest", { requestId, ...postData }).catch(() => {});
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/session", requestStage: "Request" }] });
  return session;
}

/** Texts of the page's heap that hold the key, after everything unused was collected. */
async function findInHeap(session: CDPSession, spellings: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const around = 120;
  let rest = "";
  session.on("HeapProfiler.addHeapSnapshotChunk", ({ chunk }) => {
    const text = rest + chunk;
    for (const spelling of spellings) {
      const at = text.indexOf(spelling);
      if (at >= 0) found.push(text.slice(Math.max(0, at - around), at + spelling.length + around));
    }
    rest = text.slice(-400);
  });
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  await session.send("HeapProfiler.disable");
  return [...new Set(found)];
}

function findInPage(page: Page, spellings: string[]): Promise<string[]> {
  return page
    .evaluate(placesInPage, spellings)
    .catch((error: Error) =>
      /closed|destroyed|navigat|sandboxed/i.test(error.message) ? [] : [`not looked for: ${error.message}`],
    );
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
    if (value instanceof Blob) return value.size < 4e6 ? value.text() : "";
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
    if (typeof value !== "object" || value === null || depth > 20) return "";
    const parts = value instanceof Map || value instanceof Set ? [...value] : Object.entries(value).flat();
    return (await Promise.all(parts.map((part) => texts(part, depth + 1)))).join("\n");
  };
  /** In some stories a storage is refused, or not there. */
  const attempt = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch {
      return undefined;
    }
  };
  const areas = { localStorage: () => localStorage, sessionStorage: () => sessionStorage };
  for (const [name, area] of Object.entries(areas)) {
    try {
      for (const [key, value] of Object.entries(area())) look(`${name}: ${key}`, key + value);
    } catch {
      // Refused in this story.
    }
  }
  look("the address", location.href);
  look("the history", JSON.stringify(history.state));
  look("document.cookie", document.cookie);
  look("the document", document.documentElement.outerHTML);
  for (const input of document.querySelectorAll("input, textarea"))
    look("an input", (input as { value?: string }).value ?? "");
  for (const { name = "" } of (await attempt(() => indexedDB.databases())) ?? []) {
    const database = await new Promise<IDBDatabase | undefined>((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => resolve(undefined);
      opening.onblocked = () => resolve(undefined);
    });
    for (const store of database?.objectStoreNames ?? []) {
      const rows = await new Promise<unknown[]>((resolve) => {
        const reading = database?.transaction(store).objectStore(store).getAll();
        if (!reading) return resolve([]);
        reading.onsuccess = () => resolve(reading.result);
        reading.onerror = () => resolve([]);
      });
      look(`IndexedDB: ${name}, ${store}`, await texts(rows));
    }
    database?.close();
  }
  for (const name of (await attempt(() => caches.keys())) ?? []) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const answer = await cache.match(request);
      look(`a cache: ${request.url}`, request.url + ((await answer?.text()) ?? ""));
    }
  }
  return found;
}
