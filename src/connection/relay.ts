import { useEffect } from "react";
import { create } from "zustand";
import { asOneOf, asRecord, asText, asTexts } from "#lib/read.ts";

/** What the host is asked to fetch. It sends the key along for `api` only. */
type RelayUse = "api" | StorageUse;
/** Signed PUTs, and media in elements and as bytes. */
type StorageUse = "upload" | "media";

/** What the studio's own host says about itself. */
export interface AboutHost {
  /** Where it may go: `configured` by its settings, `typed` what a person typed on Connect, `off` its sandbox only. */
  mode: "configured" | "typed" | "off";
  /** Names its memory of attempts; null where it says none. */
  memory: string | null;
  /** Whether it asked for a password, which `/access` on the host forgets. */
  hasPassword: boolean;
  /** Origins that it may reach for every use. */
  origins: string[];
  /** Origins and patterns such as `https://*.example.com` that it may reach for storage. */
  storage: string[];
}

/** On an answer of the host itself: why it, and not the service, answered. The host lets no service's own through. */
export const HOST_ANSWER = "x-safelight-relay";

/**
 * Who gave out this page: `here` is the studio's own host, `none` a plain file host. Undefined where nobody wrote it,
 * as in a test (`src/host/studio-files.ts`).
 */
export function hostMark(): string | undefined {
  return markElement()?.getAttribute("content") ?? undefined;
}

/** Whether there is a sandbox: a host's settings may leave it out. */
export function hasSandbox(): boolean {
  return markElement()?.getAttribute("data-sandbox") !== "off";
}

const markElement = () => globalThis.document?.querySelector('meta[name="safelight-host"]');

/** Whether the studio's own host served this page. Then every request to a service goes through it, else directly. */
export function isServedByHost(): boolean {
  return hostMark() === "here";
}

/**
 * The address on the studio's own host that stands for `url`, which must be absolute:
 * `https://api.example.com/a?b` becomes `/relay/api/https/api.example.com/a?b`. The studio's own sandbox becomes
 * `/relay/api/sandbox/…`, and its files are at their own address already.
 */
export function relayAddress(use: RelayUse, url: string): string {
  const { origin, protocol, host, pathname, search } = new URL(url, location.href);
  if (use === "api" && isOwnSandbox(url)) return `${location.origin}/relay/api${pathname}${search}`;
  if (use !== "api" && origin === location.origin) return url;
  return `${location.origin}/relay/${use}/${protocol.slice(0, -1)}/${host}${pathname}${search}`;
}

function isOwnSandbox(url: string): boolean {
  const { origin, pathname } = new URL(url, location.href);
  return origin === location.origin && pathname.startsWith("/sandbox/");
}

/** Whether the host has to be asked for a file: not for this origin's own, for `blob:` and for `data:`. */
function isByRelay(url: string): boolean {
  if (!isServedByHost()) return false;
  const { origin, protocol } = new URL(url, location.href);
  return origin !== location.origin && /^https?:$/.test(protocol);
}

interface HostState {
  /** What the host said last; undefined while it has said nothing. */
  about: AboutHost | undefined;
  /** The host refused what it had allowed, so it may be another one since: it is asked about itself again. */
  isStale: boolean;
  /**
   * Storage origins that the host was asked about. `allowed`: it goes there. `answered`: it said no, could not be asked, or is
   * to be asked again before the next request.
   */
  origins: Readonly<Record<string, "allowed" | "answered">>;
}

const NOTHING_KNOWN: HostState = { about: undefined, isStale: false, origins: {} };
export const useHostState = create<HostState>(() => NOTHING_KNOWN);
const aboutNow = () => useHostState.getState().about;

const setOrigin = (origin: string, answer: "allowed" | "answered") =>
  useHostState.setState(({ origins }) => ({ origins: { ...origins, [origin]: answer } }));
const isAllowed = (origin: string) => useHostState.getState().origins[origin] === "allowed";

/** The host is asked again about a storage origin. What is shown from there keeps its address meanwhile. */
function askAgain(url: string): void {
  const { origin } = new URL(url);
  if (isAllowed(origin)) setOrigin(origin, "answered");
}

/** Questions under way, which nobody draws. They resolve with a refusal of the host, or undefined. */
const asking = new Map<string, Promise<Response | undefined>>();

/** Forgets what the host allowed, so that it is asked again. */
export function forgetHost(): void {
  useHostState.setState(NOTHING_KNOWN);
}

/** Asks the host about itself, anew each time. Rejects where no answer comes, or none that can be read. */
export async function aboutHost(): Promise<AboutHost> {
  const answer = await ask("/relay");
  if (!answer.ok)
    throw new TypeError(`The studio's server responded with ${answer.status} to a question about itself.`);
  return readAbout(answer);
}

async function readAbout(answer: Response): Promise<AboutHost> {
  const said = asRecord(await answer.json());
  const about: AboutHost = {
    mode: asOneOf(said.mode, ["configured", "typed"] as const) ?? "off",
    memory: asText(said.memory) ?? null,
    hasPassword: said.access === "password",
    origins: asTexts(said.origins),
    storage: asTexts(said.storage),
  };
  useHostState.setState({ about, isStale: false });
  return about;
}

/** The host answers such a question by itself, at once. */
const ASK_MS = 20_000;

function ask(path: string, init?: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ASK_MS);
  // The cookie of the host's access gate goes along, where it has one.
  const options: RequestInit = { ...init, signal, redirect: "error", credentials: "same-origin", cache: "no-store" };
  return fetch(new URL(path, location.href), options);
}

/**
 * Lets the host know that it may go to the storage where `url` leads. Only in the mode `typed` it needs that, once for
 * each origin. Resolves with the host's refusal, if there is one. Rejects where it gives no answer.
 */
async function open(url: string): Promise<Response | undefined> {
  if (isOwnSandbox(url)) return undefined;
  const { origin } = new URL(url);
  const question = asking.get(origin) ?? askToOpen(origin);
  // Several may wait for the same answer, and each reads it.
  return (await question)?.clone();
}

function askToOpen(origin: string): Promise<Response | undefined> {
  const question = (async () => {
    const { about, isStale } = useHostState.getState();
    if (about === undefined || isStale) {
      const answer = await ask("/relay");
      if (!answer.ok) return answer;
      await readAbout(answer);
    }
    if (aboutNow()?.mode !== "typed" || isAllowed(origin)) return undefined;
    const answer = await ask("/relay/allow", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ origin }),
    });
    if (!answer.ok) return answer;
    setOrigin(origin, "allowed");
    return undefined;
  })();
  asking.set(origin, question);
  return question.finally(() => {
    asking.delete(origin);
    if (!isAllowed(origin)) setOrigin(origin, "answered");
  });
}

/** Sends one request by way of the host. Where a restarted host has forgotten the origin, the host gets it again: nothing was sent. */
async function sendByHost(use: StorageUse, url: string, init: RequestInit): Promise<Response> {
  const address = relayAddress(use, url);
  const refusal = await unlessAborted(open(url), init.signal);
  if (refusal) return refusal;
  const response = await fetch(address, init);
  if (response.headers.get(HOST_ANSWER) !== "not_allowed") return response;
  useHostState.setState({ isStale: true });
  askAgain(url);
  if (aboutNow()?.mode !== "typed" || init.body instanceof ReadableStream) return response;
  response.body?.cancel().catch(() => {});
  return (await unlessAborted(open(url), init.signal)) ?? fetch(address, init);
}

/** Rejects with the signal's reason as soon as it is aborted; the work itself goes on, for others that wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * The `fetch` for a service's storage, without key and cookies: through the studio's own host where that served the page,
 * else directly. Where the host does not go there, its refusal is the answer. Rejects as `fetch` does.
 */
export function storageFetch(use: StorageUse, url: string, init: RequestInit = {}): Promise<Response> {
  const options: RequestInit = { ...init, credentials: "omit", referrerPolicy: "no-referrer" };
  // The cookie of the host's access gate goes along to this host, and no further.
  const own: RequestInit = { ...options, credentials: "same-origin" };
  if (isByRelay(url)) return sendByHost(use, url, own);
  return fetch(url, isServedByHost() ? own : options);
}

/**
 * Has the host allow the storage of `url`, and resolves with the address to load it from or PUT it to. Never rejects:
 * why the host refuses is its answer to the request itself.
 */
export async function openStorage(use: StorageUse, url: string): Promise<string> {
  if (!isByRelay(url)) return url;
  // A restarted host would refuse an upload only after the whole file was sent: so it is asked anew.
  if (use === "upload") askAgain(url);
  await open(url).catch(() => {});
  return storageAddress(use, url) ?? relayAddress(use, url);
}

/**
 * The address of a stored file for an element of the page. The storage's own, where the page talks directly or the
 * settings of the host name that storage; else the one on the host. Undefined until the host has said whether it goes
 * there: `useStorageAddress` asks it.
 */
export function storageAddress(use: StorageUse, url: string): string | undefined {
  if (!isByRelay(url)) return url;
  const { about, origins } = useHostState.getState();
  if (use === "media" && about?.mode === "configured" && isNamed(url, about)) return url;
  const isKnown = origins[new URL(url).origin] !== undefined || (about !== undefined && about.mode !== "typed");
  return isKnown ? relayAddress(use, url) : undefined;
}

/** Whether the settings of the studio's host name the storage of an address. */
export function isNamedStorage(url: string): boolean {
  const about = aboutNow();
  return about !== undefined && URL.canParse(url) && isNamed(url, about);
}

/** `isNamedStorage` for a component: renders again once the host has named it. */
export const useIsNamedStorage = (url: string): boolean => useHostState(() => isNamedStorage(url));

/**
 * Whether the page's content policy has the origin itself: exact ones over https. A plain address may have a meaning on the
 * host's own network alone, and a pattern would let the page show, and so tell, whoever gets a name below it.
 */
function isNamed(url: string, { origins }: AboutHost): boolean {
  const { protocol, origin } = new URL(url);
  return protocol === "https:" && origins.includes(origin);
}

/** `storageAddress` for a component: asks the host where that is needed, and renders again once it has answered. */
export function useStorageAddress(use: StorageUse, url: string | undefined): string | undefined {
  const address = useHostState(() => url && storageAddress(use, url));
  const isUnknown = url !== undefined && address === undefined;
  useEffect(() => {
    // Why it could not be opened is found out by whoever loads the address.
    if (isUnknown) open(url).catch(() => {});
  }, [isUnknown, url]);
  return address;
}
