import {
  checkAddress,
  checkKey,
  checkPassphrase,
  isNamedService,
  namedOrigins,
  normalizeAddress,
} from "#connection/check-connection.ts";
import type { Connection } from "#connection/connection-store.ts";
import { isServedByHost } from "#connection/relay.ts";
import { asRecord, asText } from "#lib/read.ts";
import { findSomeKey, isNamedKey, isPlaceholder, mayBeKey } from "#lib/secret-shape.ts";
import { readJson, writeJson } from "#storage/browser-store.ts";
import { KEYS } from "#storage/keys.ts";
import type { CandidateAddresses, Half } from "./checks.ts";

// What the form of Connect contains: its values, the addresses to try, and what a pasted text tells.

/** The values of the form, by the names of its inputs. Key and passphrase are read from the inputs when needed. */
interface ConnectValues {
  "api-key": string;
  "queue-address": string;
  "inference-address": string;
  "all-tabs": boolean;
  /** Sends the key as `x-api-key` on the messages endpoint. */
  "api-key-header": boolean;
  /** Whether to store the key on this device, encrypted with the passphrase. */
  keep: boolean;
  passphrase: string;
  "passphrase-again": string;
}

/**
 * The first values: the addresses of the connection that ended, else those used last on this device, else those of the
 * service that the build names. Stored addresses are untrusted.
 */
export function loadValues(ended: Connection | undefined): ConnectValues {
  const stored = asRecord(readJson(KEYS.addresses));
  const [namedOrigin] = isServedByHost() ? [] : namedOrigins();
  const address = (value: unknown, fallback: string | undefined) => {
    const stored = (asText(value) ?? "").slice(0, 500);
    return stored !== "" && (namedOrigin === undefined || isNamedService(stored)) ? stored : (fallback ?? "");
  };
  return {
    "api-key": "",
    "queue-address": address(ended?.queueBaseUrl ?? stored.queueBaseUrl, namedOrigin && `${namedOrigin}/api/v1/queue`),
    "inference-address": address(ended?.inferenceBaseUrl ?? stored.inferenceBaseUrl, namedOrigin),
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

/** The current values of the form. */
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

/** What is wrong with the values, as sentences by input. One URL is enough: Safelight looks for the other. */
export function findConnectProblems(values: ConnectValues): Problems {
  const [queue, inference] = [values["queue-address"].trim(), values["inference-address"].trim()];
  const found: Record<string, string | undefined> = {
    "api-key": checkKey(values["api-key"]),
    "queue-address": queue === "" && inference !== "" ? undefined : addressProblem(queue),
    "inference-address": inference === "" && queue !== "" ? undefined : addressProblem(inference),
    passphrase: values.keep ? checkPassphrase(values.passphrase) : undefined,
    "passphrase-again":
      values.keep && values["passphrase-again"] !== values.passphrase ? "The passphrases don’t match." : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

/**
 * The addresses to check for both halves: those of the form, and for one that came from a paste, the other candidates
 * of that paste (`pasted`). An empty address is derived from the other one.
 */
export function getCandidates(values: ConnectValues, pasted: CandidateAddresses | undefined): CandidateAddresses {
  const [queue, inference] = [normalizeAddress(values["queue-address"]), normalizeAddress(values["inference-address"])];
  const absolute = (address: string) => new URL(address, location.href).href;
  const isUsable = (address: string) => addressProblem(address) === undefined;
  const candidatesOf = (half: keyof CandidateAddresses, address: string, other: string): readonly string[] => {
    if (address === "") return candidatesFrom([absolute(other)])[half];
    if (pasted?.[half].includes(address)) return [...new Set([address, ...pasted[half].filter(isUsable)])];
    return [getBaseAddress(half, address)];
  };
  return {
    queue: candidatesOf("queue", queue, inference),
    inference: candidatesOf("inference", inference, queue),
  };
}

/** What is wrong with an address, as a sentence, or undefined. A build for one service refuses all others. */
export function addressProblem(text: string): string | undefined {
  const address = normalizeAddress(text);
  const problem = checkAddress(address);
  if (problem !== undefined || isServedByHost() || isNamedService(address)) return problem;
  const hosts = namedOrigins().map((origin) => new URL(origin).host);
  return `This build of Safelight connects only to ${hosts.join(" and ")}.`;
}

const HOME = "/create";

/**
 * Where to go after connecting: a path of Safelight, given by whatever sent the visitor here, or `home`. Anything
 * that would leave this origin, and the connect screen itself, is not followed.
 */
export function safeBack(back: unknown, home = HOME): string {
  if (typeof back !== "string" || !/^\/(?![/\\])/.test(back) || !URL.canParse(back, location.origin)) return home;
  const url = new URL(back, location.origin);
  if (url.origin !== location.origin || url.pathname === "/connect") return home;
  return `${url.pathname}${url.search}${url.hash}`;
}

const QUEUE_PATH = "/api/v1/queue";
/** Addresses that are tried for one half. */
const MAX_CANDIDATES = 5;
const TEXT_PATH = /^(.*)\/v1(?:\/(?:chat\/completions|completions|responses|messages|models)(?:\/.*)?)?$/i;

/** An address, classified by its path: of the queue, of the text endpoints, or neither. */
interface ClassifiedAddress {
  kind: Half | "other";
  origin: string;
  /** The path of the base address, without a slash at the end. */
  path: string;
}

/**
 * The possible base addresses of both halves, derived from any addresses of a service: the rest of their paths is cut
 * off. If only one half is named, the other is looked for on the same host. Relative addresses are left out. All
 * candidates are on hosts of the given addresses.
 */
export function candidatesFrom(addresses: readonly string[]): CandidateAddresses {
  const classified = addresses.flatMap((address) => classify(address) ?? []);
  const byKind = (kind: ClassifiedAddress["kind"]) => classified.filter((address) => address.kind === kind);
  const [queues, texts, others] = [byKind("queue"), byKind("inference"), byKind("other")];
  const isApi = queues.length + texts.length > 0;
  // If there is an address of the API, a bare host of the same domain may be the other half. A page is not: the key
  // must not go to a site that an example only mentions.
  const bases = others.filter(
    ({ origin, path }) => path === "" && [...queues, ...texts].some((api) => isRelated(api.origin, origin)),
  );
  const possibleQueues = isApi ? bases : others;
  const queue =
    queues.length > 0
      ? queues.flatMap(ownQueue)
      : [...texts.flatMap(queueBeside), ...possibleQueues.flatMap(queueBeside)];
  const queuesOnTextHost = queues.filter(({ origin }) => texts.every((text) => text.origin === origin));
  const inference = [
    ...texts.flatMap(ownInference),
    ...(texts.length > 0 ? [] : bases.map(({ origin }) => origin)),
    ...queuesOnTextHost.flatMap(inferenceBeside),
    ...(isApi ? [] : others.flatMap(inferenceBeside)),
  ];
  return { queue: firstOf(queue), inference: firstOf(inference) };
}

/** The base address of an address of one half. An address whose path does not tell its half stays as it is. */
export function getBaseAddress(half: Half, address: string): string {
  const found = classify(address);
  return found?.kind === half ? `${found.origin}${found.path}` : address;
}

/** Whether two hosts have the same last two labels, like `api.example.com` and `text.example.com`. */
function isRelated(a: string, b: string): boolean {
  const end = (origin: string) => new URL(origin).hostname.split(".").slice(-2).join(".");
  return end(a) === end(b);
}

function firstOf(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, MAX_CANDIDATES);
}

function classify(address: string): ClassifiedAddress | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "");
  const queue = /^(.*?)\/apikey(?:\/|$)/i.exec(path)?.[1] ?? /^(.*\/queue)(?:\/|$)/i.exec(path)?.[1];
  if (queue !== undefined) return { kind: "queue", origin, path: queue };
  // The last `/v1` counts, because a gateway may have a `/v1` of its own before it.
  const inference = TEXT_PATH.exec(path)?.[1] ?? /^(.*?)\/v1(?:\/|$)/i.exec(path)?.[1];
  if (inference !== undefined) return { kind: "inference", origin, path: inference };
  return { kind: "other", origin, path };
}

function ownQueue({ origin, path }: ClassifiedAddress): string[] {
  return [`${origin}${path}`, ...(/\/queue$/.test(path) ? [] : [`${origin}${path}${QUEUE_PATH}`])];
}

function queueBeside({ origin, path }: ClassifiedAddress): string[] {
  const prefix = path.replace(/\/api$/, "");
  return [`${origin}${prefix}${QUEUE_PATH}`, `${origin}${QUEUE_PATH}`];
}

function ownInference({ origin, path }: ClassifiedAddress): string[] {
  return [`${origin}${path}`, `${origin}${path.replace(/\/api$/, "")}`];
}

function inferenceBeside({ origin, path }: ClassifiedAddress): string[] {
  const prefix = path.replace(/(\/api)?(\/v1)?\/queue$/, "");
  return [`${origin}${prefix}`, `${origin}${prefix}/api`, origin, `${origin}/api`];
}

/** What was found in a text that a person copied from a service's docs, a program or a settings file. */
export interface Pasted {
  /** Addresses without query and credentials, each once, in the order of the text. They are not checked here. */
  addresses: string[];
  /** The key. A placeholder (`$API_KEY`, `<API_KEY>`, `YOUR_API_KEY`) does not count. */
  key: string | undefined;
  /** Whether the text has a placeholder for a key, and no key. */
  hasPlaceholder: boolean;
  /** Whether the key is in an `x-api-key` header. */
  usesApiKeyHeader: boolean;
}

/** More than any example has. The rest is not read. */
const MAX_CHARACTERS = 20_000;

/**
 * Finds the addresses and the key in a pasted text: an address, a command, a program, a settings file, or a bare key.
 * Reads at most 20,000 characters, in linear time. The result does not keep the text, with the key in it, in memory.
 */
export function readPaste(text: string): Pasted {
  const lines = joinLines(text.slice(0, MAX_CHARACTERS));
  const { key, hasPlaceholder, usesApiKeyHeader } = findPastedKey(unescaped(lines));
  const addresses = findPastedAddresses(lines, key);
  // Copied through JSON, because a slice of a text keeps the whole text in memory.
  const copy = JSON.parse(JSON.stringify({ addresses, key: key ?? null })) as {
    addresses: string[];
    key: string | null;
  };
  return { addresses: copy.addresses, key: copy.key ?? undefined, hasPlaceholder, usesApiKeyHeader };
}

/** A text without invisible characters and with the key masked everywhere, except for its last four characters. */
export function maskKey(text: string, key: string): string {
  return text.replace(/\p{Cf}/gu, "").replaceAll(key, `····${key.slice(-4)}`);
}

/** Joins the lines of a command that ends them with `\` (shells), `^` (Windows) or a backtick (PowerShell). */
function joinLines(text: string): string {
  const plain = text
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[\\`][ \t]{0,10}\n[ \t]{0,40}/g, " ");
  if (!/\^[ \t]{0,10}\n|\^"/.test(plain)) return plain;
  return plain.replace(/\^[ \t]{0,10}\n[ \t]{0,40}/g, " ").replace(/\^(["&|<>^%!\\])/g, "$1");
}

/** The pattern of a key. Quotes, brackets and the signs of variables end it. */
const KEY = "[A-Za-z0-9_][A-Za-z0-9._~+/=:|@!*-]{3,600}";
/** Characters with which a page hides a part of a key. */
const MASK = "•·●∙…*█";
/**
 * `name: value`, `"name": "value"`, `NAME=value`, `"name" => "value"`, `set("name", "Bearer value")`. Groups: the name,
 * the quotes after it, the sign between, the quote before the value, the scheme, the value. All repetitions are
 * bounded.
 */
const NAMED_VALUE = new RegExp(
  `(?<![A-Za-z0-9_-])([A-Za-z][\\w.-]{0,80})(["'\\]]{0,3})([ \\t]{0,10}(?:=>|:=|[:=,])[ \\t]{0,10})(?:[a-zA-Z@]{0,2}(["']))?(?:(bearer|token|basic|key|apikey)[ \\t]{1,5})?(${KEY})(?![\\w.(\\[${MASK}])`,
  "gi",
);
const BEARER = new RegExp(`(?<![A-Za-z0-9])bearer[ \\t]{1,5}["']?(${KEY})(?![\\w${MASK}])`, "gi");
/** `https://user:password@host`. */
const IN_ADDRESS = /:\/\/([^\s"'/@:]{1,300}):?([^\s"'/@]{0,600})@/g;
/** `--user name:password` of a command. */
const USER = /(?:^|\s)(?:-u|--user|-a|--auth)[ =]{0,3}["']?([^\s"':]{0,300}):?([^\s"']{0,600})/g;

/** Values whose names say that they are other secrets. They are not searched for what looks like a key. */
const OTHER_VALUE =
  /\b[a-z0-9_-]{0,40}(?:id_?token|refresh|csrf|session|sign|webhook|aws_|db_|database|jwt_|github)[a-z0-9_-]{0,40}["']?\s{0,3}[:=]\s{0,3}["']?[^\s"',;]{1,600}/gi;

interface FoundKey {
  key: string | undefined;
  hasPlaceholder: boolean;
  usesApiKeyHeader: boolean;
}

/** Finds the key in an unescaped text: by the name before it, else by its looks, else because it stands alone. */
function findPastedKey(text: string): FoundKey {
  const assignments = asAssignments(text);
  const keys: { name: string; value: string }[] = [];
  for (const { name, value, mayBeVariable } of namedValues(assignments)) {
    if (isNamedKey(name, value, mayBeVariable)) keys.push({ name, value });
  }
  const best =
    keys.find(({ name }) => isHeader(name)) ?? keys.find(({ name }) => isBesideAddress(name, assignments)) ?? keys[0];
  if (best !== undefined) return found(best.value, /^x-?(?:apikey|api-key)$/i.test(best.name));
  for (const [, value = ""] of text.matchAll(BEARER)) {
    if (!isPlaceholder(value) && /[\d_-]/.test(value)) return found(trimmed(value));
  }
  for (const [, user = "", password = ""] of [...text.matchAll(USER), ...text.matchAll(IN_ADDRESS)]) {
    const value = [password, user].find(
      (part) => isWhole(part) && part.length >= 8 && !isPlaceholder(part) && !isAddressLike(part),
    );
    if (value !== undefined) return found(value);
  }
  const lookalike = findSomeKey(text.replace(/https?:\/\/\S{0,2000}/gi, " ").replace(OTHER_VALUE, " "))?.replace(
    /^bearer\s+/i,
    "",
  );
  // `AKIA` and `ASIA` begin the ids of AWS keys.
  if (lookalike !== undefined && !/^A[KS]IA/.test(lookalike) && isWhole(lookalike) && !isPlaceholder(lookalike)) {
    return found(lookalike);
  }
  const loneKey = findLoneKey(text);
  if (loneKey !== undefined) return found(loneKey);
  return { key: undefined, hasPlaceholder: KEY_PLACE.test(assignments), usesApiKeyHeader: false };
}

/** Rewrites other notations (of shells, tables, types, and lists of names and values) as `name=value`. */
function asAssignments(text: string): string {
  return text
    .replace(/\$env:/gi, "")
    .replace(/\bset(?:x|[ \t]{1,3}-[a-z]{1,3})[ \t]{1,5}(\w{1,80})[ \t]{1,5}/gi, "$1=")
    .replace(/\bapi[ _-]key\b/gi, "apikey")
    .replace(/:[ \t]{0,3}(?:string|&(?:'static[ \t])?str)[ \t]{0,3}=/gi, "=")
    .replace(/\b(bearer_?auth|(?:bearer_?|auth_?)?token|apikey)\(\s{0,20}(?=["'])/gi, "$1=")
    .replace(/["']?\b(?:key|name)["']?\s{0,3}:\s{0,3}["']?([\w.-]{1,80})["']?\s{0,3},?\s{1,40}value:\s{1,3}/gi, "$1: ")
    .replace(
      /["'](?:key|name)["']\s{0,3}:\s{0,3}["']([\w.-]{1,80})["']\s{0,3},\s{0,40}["']value["']\s{0,3}:\s{0,3}/gi,
      "$1: ",
    )
    .replace(
      /(^|[|\n])[ \t*]{0,5}((?:\w{1,20}[ \t])?(?:apikey|key|token|secret))[ \t*:]{0,5}[|\t][ \t]{0,9}[`*]{0,3}/gi,
      "$1\nkey=",
    );
}

/** Whether a name is a header of a request. Its value is the key before all others in the text. */
function isHeader(name: string): boolean {
  return /^(authorization|x-?api-?key)$/i.test(name);
}

/** Whether the text has an address with the same prefix: `ACME_API_KEY` belongs to `ACME_URL`. */
function isBesideAddress(name: string, text: string): boolean {
  const start = /^([A-Za-z0-9]{2,40}_)/.exec(name)?.[1];
  return (
    start !== undefined &&
    new RegExp(`\\b${start}\\w{0,40}(?:URL|URI|BASE|HOST|ENDPOINT)\\w{0,20}\\s{0,3}=`, "i").test(text)
  );
}

/** Names after which an example has its key. */
const KEY_PLACE = /\bbearer\b|authorization|apikey|(?:api|access|auth)[_-]?(?:key|token)/i;

function found(key: string, usesApiKeyHeader = false): FoundKey {
  return { key, hasPlaceholder: false, usesApiKeyHeader };
}

function* namedValues(text: string): Generator<{ name: string; value: string; mayBeVariable: boolean }> {
  for (const [, name = "", after = "", joint = "", opening, scheme, value = ""] of text.matchAll(NAMED_VALUE)) {
    if (scheme?.toLowerCase() === "basic") continue;
    // In a program, an unquoted word after a quoted name or after a comma is a variable.
    if (opening === undefined && (/["']/.test(after) || joint.includes(","))) continue;
    // After `=` with spaces around it or `:=`, an unquoted word may be a variable.
    const mayBeVariable = opening === undefined && /^\s+=\s*$|^\s*:=\s*$/.test(joint);
    yield { name, value: trimmed(value), mayBeVariable };
  }
}

/** A key that is the whole text, or a whole line of at most 12. */
function findLoneKey(text: string): string | undefined {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim().replace(/^["'`]|["'`,;]{1,2}$/g, ""))
    .filter((line) => line !== "");
  if (lines.length > 12) return undefined;
  const words = text.trim().split(/\s+/).slice(0, 6);
  const keyWord = words.find((word) => isWhole(word) && mayBeKey(word) && !isAddressLike(word) && !isPlaceholder(word));
  if (keyWord !== undefined && words.every((word) => word === keyWord || isAddressLike(word))) return keyWord;
  const isLabeled = lines.every((line) => /\s/.test(line) || line.endsWith(":") || isWhole(line));
  const ownLine = lines.find((line) => {
    if (!isWhole(line) || line.length < 8 || line.endsWith(":") || isAddressLike(line) || isPlaceholder(line))
      return false;
    if (line.length >= 20 && mayBeKey(line)) return true;
    return !line.includes("=") && isLabeled && (lines.length === 1 || /[\d_-]/.test(line));
  });
  return ownLine ?? findKeyInSentence(text);
}

/** The only word of a short message (at most 25 words) that looks random. */
function findKeyInSentence(text: string): string | undefined {
  const words = text.trim().split(/\s+/, 26);
  if (words.length > 25 || /[{}<>=$]|\b(?:curl|http|wget)\s|ssh-/.test(text)) return undefined;
  const candidates = words
    .map((word) => word.replace(/^["'`(]+|["'`),.;:!?]+$/g, ""))
    .filter((word) => isWhole(word) && word.length >= 20 && mayBeKey(word) && /[a-z]/.test(word) && /[A-Z]/.test(word))
    .filter((word) => !isAddressLike(word) && !isPlaceholder(word));
  return candidates.length === 1 ? candidates[0] : undefined;
}

const WHOLE_KEY = new RegExp(`^${KEY}$`);

/** Whether a text as a whole may be a key. */
function isWhole(text: string): boolean {
  return WHOLE_KEY.test(text) && !/:\/\/|^\w{1,80}=[^=]/.test(text);
}

/** A value without the punctuation of a sentence or a list after it. */
function trimmed(value: string): string {
  return value.replace(/[.:]{1,10}$/, "");
}

/** Addresses of one text. */
const MAX_ADDRESSES = 12;

/** Characters that end an address in a text. */
const END = "\\s\"'`<>\\\\^|{}()*,;";
/** An address with http or https. */
const WEB = new RegExp(`https?:\\/\\/(?:\\[[0-9a-f:.]{2,45}\\])?[^${END}[\\]]{0,1000}`, "gi");
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A host without a scheme, with its port and path, not within another word, path or mail address. */
const BARE = new RegExp(
  `(?<![\\w@/.:$%{-])((?:${LABEL}\\.){1,8}[a-z]{2,24}|localhost|(?:\\d{1,3}\\.){3}\\d{1,3})(:\\d{2,5})?(\\/[^${END}[\\]]{0,1000})?(?![\\w.@([-])`,
  "gi",
);

/** Options of a command with values that are no addresses to call: a body, a cookie, a referer, a proxy. */
const ARGUMENT =
  /(^|\s)(?:-d|--data(?:-[a-z]{1,12})?|--json|-F|--form|-b|--cookie|-e|--referer|-A|--user-agent|-o|--output|-x|--proxy|-T)(?:[ =]{1,3}|(?=['"$]))(?:\$?'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[^\s"']+)/g;
const COMMAND =
  /^\s*(?:[$>#]\s*)?(?:curl|curl\.exe|curlie|https?|xhs?|wget|irm|iwr|invoke-(?:restmethod|webrequest))\s/im;

/** The name right before an address, as in `base_url=`. */
const NAME_BEFORE = /([A-Za-z][\w-]{0,60})["'\]]{0,2}\s{0,5}(?:=>|[:=])\s{0,5}\[?\s{0,5}[a-z]?["']?$/;
const SERVICE_NAME = /url|uri|base|host|endpoint|address|server|api|queue|inference|service/i;
/** Names of addresses that are not the service: inputs of a job, callbacks, pages of a browser. */
const FILE_NAME =
  /image|img|video|audio|media|file|mask|frame|picture|photo|avatar|icon|logo|webhook|callback|referr?er|origin|proxy|redirect|prompt|text|input|content|src|href|thumb|cdn|upload|storage|website|site/i;
const FILE_END =
  /\.(png|jpe?g|webp|gif|svg|avif|heic|mp4|mov|webm|mp3|wav|flac|ogg|pdf|zip|json|ya?ml|md|html?|js|ts|py|css|txt|sh|exe)$/i;
const API_PATH = /\/(v1|apikey|queue)(\/|$)/i;
/** A query that signs the address of a stored file. */
const SIGNED = /[?&](?:sig|signature|expires|x-(?:amz|goog)-[a-z]{1,20}|policy)=/i;
/** A host that is named for stored files. */
const STORE = /^https?:\/\/(?:[\w-]{1,60}\.)?(?:cdn|storage|s3|blob|assets|static|media|files|uploads|images)[.-]/i;

/** The text before an address that begins a line, or follows a command or its options; not one within a sentence. */
const ALONE = /(^|\n)[\s"'`([<>*|-]*$|\b(?:curl|https?|wget|irm|iwr|GET|POST|-[A-Za-z]|--[a-z-]+)\s+["']?$|[,;]\s*$/;

interface Mention {
  address: string;
  /** Whether its path, its name or its position shows that it is the service's. Otherwise it is only mentioned. */
  isNamed: boolean;
}

/**
 * The addresses in a text that may be a service's, each once, without query, fragment and credentials. Addresses of
 * files and those in a request's body are left out. `key` is not taken for a host.
 */
function findPastedAddresses(text: string, key: string | undefined): string[] {
  const isCommand = COMMAND.test(text);
  const plain = unescaped(isCommand ? text.replace(ARGUMENT, "$1 ") : text);
  const mentions: Mention[] = [];
  for (const { 0: found, index } of plain.matchAll(WEB)) addMention(mentions, plain, index, found);
  const withoutWeb = plain.replace(WEB, (found) => " ".repeat(found.length));
  const isShort = plain.trim().split(/\s+/).length <= 4;
  for (const { 0: found, 1: host = "", 2: port, 3: path = "", index } of withoutWeb.matchAll(BARE)) {
    if (found === key || FILE_END.test(host)) continue;
    const isNumber = /^[\d.]+$/.test(host);
    if (isNumber && !isShort && port === undefined && path === "") continue;
    const name = NAME_BEFORE.exec(textBefore(withoutWeb, index))?.[1];
    const isMeant = API_PATH.test(path) || isShort || isCommand || (name !== undefined && SERVICE_NAME.test(name));
    const scheme = isNumber || /^localhost/i.test(host) ? "http" : "https";
    if (isMeant) addMention(mentions, withoutWeb, index, `${scheme}://${found}`);
  }
  const namedOnes = mentions.filter(({ isNamed }) => isNamed);
  const chosen = namedOnes.length > 0 ? namedOnes : mentions;
  return [...new Set(chosen.map(({ address }) => address))].slice(0, MAX_ADDRESSES);
}

/** Whether a word is an address rather than a key. */
function isAddressLike(word: string): boolean {
  return /^https?:/i.test(word) || findPastedAddresses(word, undefined).length > 0;
}

/** The text right before an index: as much as a name or a command with its options takes. */
const textBefore = (text: string, index: number) => text.slice(Math.max(0, index - 90), index);

function addMention(mentions: Mention[], text: string, index: number, found: string): void {
  const before = textBefore(text, index);
  const name = NAME_BEFORE.exec(before)?.[1];
  const address = plainAddress(found);
  if (address === undefined || SIGNED.test(found)) return;
  if (STORE.test(address) && name !== undefined && /^(?:url|src|href|public_?url)$/i.test(name)) return;
  const isApi = API_PATH.test(new URL(address).pathname);
  if (!isApi && (FILE_END.test(address) || (name !== undefined && FILE_NAME.test(name)))) return;
  if (isApi && name !== undefined && /referr?er|origin|webhook|callback|proxy/i.test(name)) return;
  const isMeant = name === undefined ? ALONE.test(before) : SERVICE_NAME.test(name);
  mentions.push({ address, isNamed: isApi || isMeant });
}

/** Origin and path, or undefined where the text is no address of a host. */
function plainAddress(found: string): string | undefined {
  const text = found.replace(/[.,:;!?$&#/]{1,20}$/, "");
  if (!URL.canParse(text)) return undefined;
  const { origin, hostname, pathname } = new URL(text);
  const isHost = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?)$/.test(hostname) && !hostname.includes("..");
  return isHost ? `${origin}${pathname.replace(/\/+$/, "")}` : undefined;
}

/** Unescapes quotes and slashes, as JSON and other notations escape them. */
function unescaped(text: string): string {
  return text.replace(/\\([ "'/])/g, "$1").replace(/\\u002[fF]/g, "/");
}
