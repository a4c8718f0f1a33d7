import { useEffect } from "react";
import { create } from "zustand";
import type { UploadTarget } from "#api/types.ts";
import { asOneOf, asRecord, asText, asTexts } from "#lib/read.ts";

// Requests by way of the Safelight server, where that served the page: its addresses, and what it allows.

/**
 * What a request through the host is for. The host adds the key only for `api`. `upload`: a PUT to a signed address.
 * `media`: a file for an element or as bytes.
 */
type RelayUse = "api" | "upload" | "media";

/** What the Safelight server says about itself. */
export interface AboutHost {
  /**
   * Where it may send requests: `configured`: to origins in its settings; `typed`: typed on Connect; `off`: nowhere.
   */
  mode: "configured" | "typed" | "off";
  /** The id of its memory of submit attempts; null where it reports none. */
  memory: string | null;
  /** Whether it asked for a password. `/access` on the host signs out. */
  hasPassword: boolean;
  /** Origins that it may reach for every use. */
  origins: string[];
  /** Origins and patterns such as `https://*.example.com` that it may reach for storage. */
  storage: string[];
}

/** The header that says why the host itself answered. The host removes it from the responses of services. */
export const HOST_ANSWER = "x-safelight-relay";

/**
 * Who served this page: `here` is the Safelight server, `none` a plain file host. Undefined where the mark is missing,
 * as in a test. The host writes it (`src/host/studio-files.ts`).
 */
export function hostMark(): string | undefined {
  return markElement()?.getAttribute("content") ?? undefined;
}

/** Whether there is a sandbox. The settings of a host may turn it off. */
export function hasSandbox(): boolean {
  return markElement()?.getAttribute("data-sandbox") !== "off";
}

const markElement = () => globalThis.document?.querySelector('meta[name="safelight-host"]');

/** Whether the Safelight server served this page. If so, requests to a service go through it. */
export function isServedByHost(): boolean {
  return hostMark() === "here";
}

/**
 * The address on the Safelight server that stands for `url`, which must be absolute:
 * `https://api.example.com/a?b` becomes `/relay/api/https/api.example.com/a?b`. Safelight's own sandbox becomes
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

/** Whether a file is loaded through the host: not from this origin, and no `blob:` or `data:` address. */
function goesThroughHost(url: string): boolean {
  if (!isServedByHost()) return false;
  const { origin, protocol } = new URL(url, location.href);
  return origin !== location.origin && /^https?:$/.test(protocol);
}

/** What the current connection says about files. */
interface Connected {
  /** The page's half of the session at the host, where the host has the key. */
  ticket: string | undefined;
  /** Whether the service runs on this computer. */
  isLocal: boolean;
  /** Origins of this computer that files may be at: the service's own, and those that the person opened. */
  localOrigins: readonly string[];
}

interface HostState {
  /** Undefined without a connection. */
  connected: Connected | undefined;
  /** The host's last report about itself; undefined before the first. */
  about: AboutHost | undefined;
  /** The host refused what it had allowed. It may have been restarted, so it is asked about itself again. */
  isStale: boolean;
  /**
   * Storage origins that the host was asked about. `allowed`: it loads from there. `answered`: it refused, could not be
   * asked, or is to be asked again before the next request.
   */
  origins: Readonly<Record<string, "allowed" | "answered">>;
}

const NOTHING_KNOWN: Omit<HostState, "connected"> = { about: undefined, isStale: false, origins: {} };
export const useHostState = create<HostState>(() => ({ ...NOTHING_KNOWN, connected: undefined }));
const getAbout = () => useHostState.getState().about;

const setOrigin = (origin: string, answer: "allowed" | "answered") =>
  useHostState.setState(({ origins }) => ({ origins: { ...origins, [origin]: answer } }));
const isAllowed = (origin: string) => useHostState.getState().origins[origin] === "allowed";

/** Notes the current connection, or that there is none. What the host allowed was for the session before. */
export function noteConnected(
  ticket: string | undefined,
  addresses: readonly string[],
  fileOrigins: readonly string[] = [],
): void {
  // Without an origin of its own an address is Safelight's own sandbox.
  const origins = addresses.flatMap((address) => (URL.canParse(address) ? new URL(address).origin : []));
  const isLocal = origins.length > 0 && origins.every((origin) => isThisComputer(origin));
  const connected = addresses.length > 0 ? { ticket, isLocal, localOrigins: [...origins, ...fileOrigins] } : undefined;
  const { connected: previous } = useHostState.getState();
  useHostState.setState(ticket === previous?.ticket ? { connected } : { connected, origins: {} });
}

/** The names and addresses that lead to this computer. An address of no network does too: `0.0.0.0` and `[::]`. */
const THIS_COMPUTER =
  /^(localhost(\.localdomain)?|ip6-(localhost|loopback)|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(7f..:.+|0:0)\])\.?$/;
const isThisComputer = (url: string) => THIS_COMPUTER.test(new URL(url).hostname);

/**
 * Whether an address is one of the Safelight server that served the page, and of no file: it has files of its sandbox
 * alone. By `/relay/media/…` it would ask in another connection’s name what that connection alone may.
 */
export function isHostAddress(url: string): boolean {
  if (!isServedByHost() || !URL.canParse(url, location.href)) return false;
  const { origin, protocol } = new URL(url, location.href);
  return origin === location.origin && /^https?:$/.test(protocol) && !isOwnSandbox(url);
}

type LocalHold = "closed" | "refused" | "own";

/**
 * Whether a file is at an address of this computer that it may not be loaded from or stored at: a request there may do
 * anything to whatever runs there. `closed`: the service runs here too, and the person may open it. `refused`: the
 * service runs elsewhere, or a part of it. `own`: it is the Safelight server itself. Undefined for any other address.
 */
export function localHold(url: string): LocalHold | undefined {
  const here = globalThis.location?.origin;
  if (!URL.canParse(url, here)) return undefined;
  if (isHostAddress(url)) return "own";
  const { origin, href } = new URL(url, here);
  const { connected } = useHostState.getState();
  // Without a connection no service has named anything.
  if (!connected || origin === here || !isThisComputer(href) || connected.localOrigins.includes(origin))
    return undefined;
  // The settings of a host name what it reaches, and it reaches nothing else.
  if (getAbout()?.mode === "configured") return undefined;
  return connected.isLocal ? "closed" : "refused";
}

/** Whether a press may load an address of which `localHold` says this. */
export const mayBeOpened = (hold: LocalHold | undefined) => hold === undefined || hold === "closed";

/** Why nothing was sent to an address that `localHold` holds. */
export function holdSentence(url: string, hold = localHold(url) ?? "refused"): string {
  return `Safelight does not use ${new URL(url, location.href).origin}, ${WHY_HELD[hold]}.`;
}

/** The service named an address of this computer, and nothing was sent there. */
export class LocalHoldError extends Error {
  readonly origin: string;
  /** Whether the person may open it. */
  readonly mayOpen: boolean;

  constructor(url: string, hold: LocalHold) {
    super(holdSentence(url, hold));
    this.origin = new URL(url, location.href).origin;
    this.mayOpen = mayBeOpened(hold);
  }
}

const WHY_HELD: Record<LocalHold, string> = {
  closed: "which is on this computer, until you allow it",
  refused: "which is on this computer, because the connected service does not run there alone",
  own: "because that is the Safelight server itself",
};

/** `localHold`, once the host has said what its settings name. Does not reject. */
async function askedLocalHold(url: string): Promise<LocalHold | undefined> {
  if (localHold(url) && isServedByHost() && !getAbout()) await aboutHost().catch(() => {});
  return localHold(url);
}

/** Rejects with a `LocalHoldError` for a closed address of this computer. */
async function refuseLocalHold(url: string): Promise<void> {
  const hold = await askedLocalHold(url);
  if (hold) throw new LocalHoldError(url, hold);
}

/** Has the host asked again about a storage origin. Images that are shown from there do not change meanwhile. */
function askAgain(url: string): void {
  const { origin } = new URL(url);
  if (isAllowed(origin)) setOrigin(origin, "answered");
}

/** Questions under way, by session and storage origin. They resolve with the host's refusal, or undefined. */
const asking = new Map<string, Promise<Response | undefined>>();

/** Forgets what the host allowed, so that it is asked again. */
export function forgetHost(): void {
  useHostState.setState(NOTHING_KNOWN);
}

/** Asks the host about itself. Each call sends a request. Rejects where there is no readable answer. */
export async function aboutHost(): Promise<AboutHost> {
  const answer = await ask("/relay");
  if (!answer.ok) throw new TypeError(`The Safelight server responded with ${answer.status}.`);
  return readAbout(answer);
}

async function readAbout(answer: Response): Promise<AboutHost> {
  const raw = asRecord(await answer.json());
  const about: AboutHost = {
    mode: asOneOf(raw.mode, ["configured", "typed"] as const) ?? "off",
    memory: asText(raw.memory) ?? null,
    hasPassword: raw.access === "password",
    origins: asTexts(raw.origins),
    storage: asTexts(raw.storage),
  };
  useHostState.setState({ about, isStale: false });
  return about;
}

/** Generous: the host asks nobody else for these responses. */
const ASK_MS = 20_000;

function ask(path: string, init?: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(ASK_MS);
  // `same-origin` sends the cookie of the host's access gate, where it has one.
  const options: RequestInit = { ...init, signal, redirect: "error", credentials: "same-origin", cache: "no-store" };
  return fetch(new URL(path, location.href), options);
}

/**
 * Asks the host to allow the storage of `url`. It needs to be asked only in the mode `typed`, once for each origin.
 * Resolves with the host's refusal, if there is one. Rejects where the host does not answer.
 */
async function allowStorage(url: string): Promise<Response | undefined> {
  if (isOwnSandbox(url) || localHold(url)) return undefined;
  const { origin } = new URL(url);
  const name = `${getTicket()} ${origin}`;
  const question = asking.get(name) ?? askToAllow(origin).finally(() => asking.delete(name));
  asking.set(name, question);
  // A copy for each caller: a response can be read only once.
  return (await question)?.clone();
}

/** Carries the ticket, which is half of a session. The other half is a cookie, which no script can read. */
export const SESSION_HEADER = "X-Safelight-Session";

const getTicket = () => useHostState.getState().connected?.ticket;

function sessionHeader(): Record<string, string> {
  const ticket = getTicket();
  return ticket === undefined ? {} : { [SESSION_HEADER]: ticket };
}

async function askToAllow(origin: string): Promise<Response | undefined> {
  // For the connection that asks: another one may be the current one by the time that it is sent, or answered.
  const [ticket, ofSession] = [getTicket(), sessionHeader()];
  const isCurrent = () => getTicket() === ticket;
  try {
    const { about, isStale } = useHostState.getState();
    if (about === undefined || isStale) {
      const answer = await ask("/relay");
      if (!answer.ok) return answer;
      await readAbout(answer);
    }
    if (getAbout()?.mode !== "typed" || (isCurrent() && isAllowed(origin))) return undefined;
    const answer = await ask("/relay/allow", {
      method: "POST",
      headers: { "Content-Type": "application/json", ...ofSession },
      body: JSON.stringify({ origin }),
    });
    if (!answer.ok) return answer;
    if (isCurrent()) setOrigin(origin, "allowed");
    return undefined;
  } finally {
    if (isCurrent() && !isAllowed(origin)) setOrigin(origin, "answered");
  }
}

/** Sends a request through the host. A restarted host has forgotten the origin and sends nothing: it is asked again. */
async function sendByHost(url: string, init: RequestInit): Promise<Response> {
  const address = relayAddress("media", url);
  const refusal = await unlessAborted(allowStorage(url), init.signal);
  if (refusal) return refusal;
  const response = await fetch(address, init);
  if (response.headers.get(HOST_ANSWER) !== "not_allowed") return response;
  useHostState.setState({ isStale: true });
  askAgain(url);
  if (getAbout()?.mode !== "typed") return response;
  response.body?.cancel().catch(() => {});
  return (await unlessAborted(allowStorage(url), init.signal)) ?? fetch(address, init);
}

/** Rejects with the signal's reason when it is aborted. The work goes on for other callers. */
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
 * The `fetch` for reading a stored file, without key and cookies: through the Safelight server where that served the
 * page, else directly. If the host does not allow the storage, its refusal is the response. Rejects as `fetch` does, and
 * with a `LocalHoldError`.
 */
export async function storageFetch(url: string, init: RequestInit = {}): Promise<Response> {
  await refuseLocalHold(url);
  const options: RequestInit = { ...init, credentials: "omit", referrerPolicy: "no-referrer" };
  // Sends the cookies to the host only.
  const toHost: RequestInit = { ...options, credentials: "same-origin" };
  if (goesThroughHost(url)) return sendByHost(url, toHost);
  return fetch(url, isServedByHost() ? toHost : options);
}

/**
 * Asks the host to allow the storage of an upload, and resolves with where the PUT goes, and with what. If the host
 * refuses, its response to the PUT says why. Rejects with a `LocalHoldError`.
 */
export async function openUpload(url: string): Promise<Pick<UploadTarget, "uploadUrl" | "headers">> {
  await refuseLocalHold(url);
  if (!goesThroughHost(url)) return { uploadUrl: url };
  // Asked again before each upload: a restarted host would refuse only after the whole file was sent.
  askAgain(url);
  await allowStorage(url).catch(() => {});
  return { uploadUrl: relayAddress("upload", url), headers: sessionHeader() };
}

/**
 * Asks the host to allow the storage of `url`, and resolves with `storageAddress`, so with undefined for a closed address
 * of this computer. Does not reject: if the host refuses, its response to the request itself says why.
 */
export async function openStorage(url: string): Promise<string | undefined> {
  if (await askedLocalHold(url)) return undefined;
  if (goesThroughHost(url)) await allowStorage(url).catch(() => {});
  return storageAddress(url) ?? relayAddress("media", url);
}

/**
 * The address of a stored file for an element of the page: the storage's own where the page may load it directly, else
 * one on the host. Undefined for a closed address of this computer (`localHold`), and until the host was asked whether
 * it allows the storage, which `useStorageAddress` does.
 */
export function storageAddress(url: string): string | undefined {
  if (localHold(url)) return undefined;
  if (!goesThroughHost(url)) return url;
  const { about, origins } = useHostState.getState();
  if (about?.mode === "configured" && isNamed(url, about)) return url;
  const isKnown = origins[new URL(url).origin] !== undefined || (about !== undefined && about.mode !== "typed");
  return isKnown ? relayAddress("media", url) : undefined;
}

/** Whether the Safelight server's settings name the storage of an address. False until it has reported them. */
export function isNamedStorage(url: string): boolean {
  const about = getAbout();
  return about !== undefined && URL.canParse(url) && isNamed(url, about);
}

/**
 * Whether the page's content policy lists the origin. It lists exact https origins only: an http address may be one of
 * the host's own network, and a pattern would let the page send requests to whoever gets a matching name.
 */
function isNamed(url: string, { origins }: AboutHost): boolean {
  const { protocol, origin } = new URL(url);
  return protocol === "https:" && origins.includes(origin);
}

/** `storageAddress` for a component: asks the host where that is needed, and renders again once it has answered. */
export function useStorageAddress(url: string | undefined): string | undefined {
  const address = useHostState(() => url && storageAddress(url));
  const isHeld = useHostState(() => url !== undefined && localHold(url) !== undefined);
  const isUnknown = url !== undefined && address === undefined && !isHeld;
  useEffect(() => {
    // Loading the address then fails, which shows the reason.
    if (isUnknown) allowStorage(url).catch(() => {});
  }, [isUnknown, url]);
  return address;
}
