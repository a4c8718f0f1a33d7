import {
  checkAddress,
  checkKey,
  checkPassphrase,
  isNamedService,
  namedOrigins,
  normalizeAddress,
} from "#connection/check-connection.ts";
import type { Connection } from "#connection/connection.ts";
import { isServedByHost } from "#connection/relay.ts";
import { asRecord, asText } from "#lib/read.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { CandidateAddresses } from "./checks.ts";

/** Under the names of the inputs. The key is in no default, no state and no address: it is read when it is needed. */
interface ConnectValues {
  "api-key": string;
  "queue-address": string;
  "inference-address": string;
  "all-tabs": boolean;
  /** Sends the key as `x-api-key` on the messages endpoint. */
  "api-key-header": boolean;
  keep: boolean;
  passphrase: string;
  "passphrase-again": string;
}

/**
 * The addresses of the connection that ended, else those used last on this device, read back as untrusted text, else those
 * of the service that the build names.
 */
export function loadValues(ended: Connection | undefined): ConnectValues {
  const stored = asRecord(readJson(KEYS.addresses));
  const [named] = isServedByHost() ? [] : namedOrigins();
  const address = (value: unknown, other: string | undefined) => {
    const known = (asText(value) ?? "").slice(0, 500);
    return known !== "" && (named === undefined || isNamedService(known)) ? known : (other ?? "");
  };
  return {
    "api-key": "",
    "queue-address": address(ended?.queueBaseUrl ?? stored.queueBaseUrl, named && `${named}/api/v1/queue`),
    "inference-address": address(ended?.inferenceBaseUrl ?? stored.inferenceBaseUrl, named),
    "all-tabs": ended?.isShared ?? false,
    "api-key-header": (ended?.usesApiKeyHeader ?? stored.usesApiKeyHeader) === true,
    keep: false,
    passphrase: "",
    "passphrase-again": "",
  };
}

export function saveAddresses({ queueBaseUrl, inferenceBaseUrl, usesApiKeyHeader }: Connection): void {
  writeJson(KEYS.addresses, { queueBaseUrl, inferenceBaseUrl, ...(usesApiKeyHeader ? { usesApiKeyHeader } : {}) });
}

/** What the form holds now. The inputs are the only place where key and passphrase are. */
export function readValues(form: HTMLFormElement): ConnectValues {
  const data = new FormData(form);
  const text = (name: keyof ConnectValues) => String(data.get(name) ?? "");
  return {
    "api-key": text("api-key"),
    "queue-address": text("queue-address"),
    "inference-address": text("inference-address"),
    "all-tabs": data.has("all-tabs"),
    "api-key-header": text("api-key-header") === "x-api-key",
    keep: data.has("keep"),
    passphrase: text("passphrase"),
    "passphrase-again": text("passphrase-again"),
  };
}

export type Problems = Partial<Record<keyof ConnectValues, string>>;

/** What is wrong with the values, each as a sentence. One address is enough: the other is looked for. */
export function problemsOf(values: ConnectValues): Problems {
  const [queue, inference] = [values["queue-address"].trim(), values["inference-address"].trim()];
  const found: Record<string, string | undefined> = {
    "api-key": checkKey(values["api-key"]),
    "queue-address": queue === "" && inference !== "" ? undefined : addressProblem(queue),
    "inference-address": inference === "" && queue !== "" ? undefined : addressProblem(inference),
    passphrase: values.keep ? checkPassphrase(values.passphrase) : undefined,
    "passphrase-again":
      values.keep && values["passphrase-again"] !== values.passphrase
        ? "The two passphrases are different."
        : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

/**
 * Where to ask for both halves: at the addresses of the form, and where one of them came from a paste, at its other
 * candidates too. `pasted`: the candidates of the last paste.
 */
export function getCandidates(values: ConnectValues, pasted: CandidateAddresses | undefined): CandidateAddresses {
  const [queue, inference] = [normalizeAddress(values["queue-address"]), normalizeAddress(values["inference-address"])];
  const whole = (address: string) => new URL(address, location.href).href;
  const isUsable = (address: string) => addressProblem(address) === undefined;
  const at = (half: keyof CandidateAddresses, address: string, other: string): readonly string[] => {
    if (address === "") return candidatesFrom([whole(other)])[half];
    if (pasted?.[half].includes(address)) return [...new Set([address, ...pasted[half].filter(isUsable)])];
    return [baseOf(half, address)];
  };
  return { queue: at("queue", queue, inference), inference: at("inference", inference, queue) };
}

/** What is wrong with an address, as a sentence, or undefined. A build for one service takes no other. */
export function addressProblem(text: string): string | undefined {
  const address = normalizeAddress(text);
  const problem = checkAddress(address);
  if (problem !== undefined || isServedByHost() || isNamedService(address)) return problem;
  const hosts = namedOrigins().map((origin) => new URL(origin).host);
  return `This studio was built for ${hosts.join(" and ")}, and it can send requests nowhere else.`;
}

const HOME = "/create";

/**
 * Where to go after connecting: a path of this studio, given by whatever sent the visitor here, or `home`. Anything
 * that would leave this origin, and the connect screen itself, is not followed.
 */
export function safeBack(back: unknown, home = HOME): string {
  if (typeof back !== "string" || !/^\/(?![/\\])/.test(back) || !URL.canParse(back, location.origin)) return home;
  const url = new URL(back, location.origin);
  if (url.origin !== location.origin || url.pathname === "/connect") return home;
  return `${url.pathname}${url.search}${url.hash}`;
}

const QUEUE_PATH = "/api/v1/queue";
const MAX_CANDIDATES = 5;
const TEXT_PATH = /^(.*)\/v1(?:\/(?:chat\/completions|completions|responses|messages|models)(?:\/.*)?)?$/i;

/** An address by what its path says: one of the queue's, one of the text endpoints', or neither. */
interface Sorted {
  kind: "queue" | "inference" | "other";
  origin: string;
  /** Of the base address, without a slash at the end. */
  path: string;
}

/**
 * Where the queue and the text endpoints may be, as far as a person's addresses show: any address of the service will do,
 * with the rest of its path cut off. Where only one half is named, the other is looked for on the same host. Addresses
 * must be absolute; others are left out. All candidates are on hosts that were given.
 */
export function candidatesFrom(addresses: readonly string[]): CandidateAddresses {
  const sorted = addresses.flatMap((address) => sort(address) ?? []);
  const of = (kind: Sorted["kind"]) => sorted.filter((each) => each.kind === kind);
  const [queues, texts, others] = [of("queue"), of("inference"), of("other")];
  const isApi = queues.length + texts.length > 0;
  // Beside an address of the API a bare host of the same domain is meant as the other half, and a page is not meant at all:
  // the key must not go to a site that an example only mentions.
  const bases = others.filter(
    ({ origin, path }) => path === "" && [...queues, ...texts].some((api) => isRelated(api.origin, origin)),
  );
  const free = isApi ? bases : others;
  const queue =
    queues.length > 0 ? queues.flatMap(ownQueue) : [...texts.flatMap(queueBeside), ...free.flatMap(queueBeside)];
  const beside = queues.filter(({ origin }) => texts.every((text) => text.origin === origin));
  const inference = [
    ...texts.flatMap(ownInference),
    ...(texts.length > 0 ? [] : bases.map(({ origin }) => origin)),
    ...beside.flatMap(inferenceBeside),
    ...(isApi ? [] : others.flatMap(inferenceBeside)),
  ];
  return { queue: firstOf(queue), inference: firstOf(inference) };
}

/** The base address behind any address of one half, where its path says so: else the address as it is. */
export function baseOf(half: "queue" | "inference", address: string): string {
  const found = sort(address);
  return found?.kind === half ? `${found.origin}${found.path}` : address;
}

/** Hosts whose names end alike: `api.example.com` and `text.example.com`. */
function isRelated(a: string, b: string): boolean {
  const end = (origin: string) => new URL(origin).hostname.split(".").slice(-2).join(".");
  return end(a) === end(b);
}

function firstOf(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, MAX_CANDIDATES);
}

function sort(address: string): Sorted | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "");
  const queue = /^(.*?)\/apikey(?:\/|$)/i.exec(path)?.[1] ?? /^(.*\/queue)(?:\/|$)/i.exec(path)?.[1];
  if (queue !== undefined) return { kind: "queue", origin, path: queue };
  // A gateway may have a version of its own before the service's.
  const inference = TEXT_PATH.exec(path)?.[1] ?? /^(.*?)\/v1(?:\/|$)/i.exec(path)?.[1];
  if (inference !== undefined) return { kind: "inference", origin, path: inference };
  return { kind: "other", origin, path };
}

function ownQueue({ origin, path }: Sorted): string[] {
  return [`${origin}${path}`, ...(/\/queue$/.test(path) ? [] : [`${origin}${path}${QUEUE_PATH}`])];
}

function queueBeside({ origin, path }: Sorted): string[] {
  const prefix = path.replace(/\/api$/, "");
  return [`${origin}${prefix}${QUEUE_PATH}`, `${origin}${QUEUE_PATH}`];
}

function ownInference({ origin, path }: Sorted): string[] {
  return [`${origin}${path}`, `${origin}${path.replace(/\/api$/, "")}`];
}

function inferenceBeside({ origin, path }: Sorted): string[] {
  const prefix = path.replace(/(\/api)?(\/v1)?\/queue$/, "");
  return [`${origin}${prefix}`, `${origin}${prefix}/api`, origin, `${origin}/api`];
}
