const MAX_ADDRESSES = 12;

/** Where an address in a text ends. */
const END = "\\s\"'`<>\\\\^|{}()*,;";
const WEB = new RegExp(`https?:\\/\\/(?:\\[[0-9a-f:.]{2,45}\\])?[^${END}[\\]]{0,1000}`, "gi");
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** A host without a scheme, with its port and path. Not within another word, path or mail address. */
const BARE = new RegExp(
  `(?<![\\w@/.:$%{-])((?:${LABEL}\\.){1,8}[a-z]{2,24}|localhost|(?:\\d{1,3}\\.){3}\\d{1,3})(:\\d{2,5})?(\\/[^${END}[\\]]{0,1000})?(?![\\w.@([-])`,
  "gi",
);

/** What else a command sends or names: a body, a cookie, a page that it pretends to come from. */
const ARGUMENT =
  /(^|\s)(?:-d|--data(?:-[a-z]{1,12})?|--json|-F|--form|-b|--cookie|-e|--referer|-A|--user-agent|-o|--output|-x|--proxy|-T)(?:[ =]{1,3}|(?=['"$]))(?:\$?'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[^\s"']+)/g;
const COMMAND =
  /^\s*(?:[$>#]\s*)?(?:curl|curl\.exe|curlie|https?|xhs?|wget|irm|iwr|invoke-(?:restmethod|webrequest))\s/im;

/** The name that an address has in a text, right before it. */
const NAME_BEFORE = /([A-Za-z][\w-]{0,60})["'\]]{0,2}\s{0,5}(?:=>|[:=])\s{0,5}\[?\s{0,5}[a-z]?["']?$/;
const SERVICE_NAME = /url|uri|base|host|endpoint|address|server|api|queue|inference|service/i;
/** What a job is made of, where it is reported to, and where a browser was: never the service. */
const FILE_NAME =
  /image|img|video|audio|media|file|mask|frame|picture|photo|avatar|icon|logo|webhook|callback|referr?er|origin|proxy|redirect|prompt|text|input|content|src|href|thumb|cdn|upload|storage|website|site/i;
const FILE_END =
  /\.(png|jpe?g|webp|gif|svg|avif|heic|mp4|mov|webm|mp3|wav|flac|ogg|pdf|zip|json|ya?ml|md|html?|js|ts|py|css|txt|sh|exe)$/i;
const API_PATH = /\/(v1|apikey|queue)(\/|$)/i;
/** A file in a store, whatever its path: signed, or on a host that is named for it. */
const SIGNED = /[?&](?:sig|signature|expires|x-(?:amz|goog)-[a-z]{1,20}|policy)=/i;
const STORE = /^https?:\/\/(?:[\w-]{1,60}\.)?(?:cdn|storage|s3|blob|assets|static|media|files|uploads|images)[.-]/i;

/** Before an address that begins a line, or follows a command and its options: not one within a sentence. */
const ALONE = /(^|\n)[\s"'`([<>*|-]*$|\b(?:curl|https?|wget|irm|iwr|GET|POST|-[A-Za-z]|--[a-z-]+)\s+["']?$|[,;]\s*$/;

interface Mention {
  address: string;
  /** By its path, the name before it or its place it is meant as a service's; else it is only mentioned. */
  isNamed: boolean;
}

/**
 * The addresses in a text that may be a service's, each once, without query, fragment and credentials. Addresses of files, and what a
 * request carries, are none. `key` is not taken for a host.
 */
export function findPastedAddresses(text: string, key: string | undefined): string[] {
  const isCommand = COMMAND.test(text);
  const plain = unescaped(isCommand ? text.replace(ARGUMENT, "$1 ") : text);
  const mentions: Mention[] = [];
  for (const { 0: found, index } of plain.matchAll(WEB)) add(mentions, plain, index, found);
  const rest = plain.replace(WEB, (found) => " ".repeat(found.length));
  const isShort = plain.trim().split(/\s+/).length <= 4;
  for (const { 0: found, 1: host = "", 2: port, 3: path = "", index } of rest.matchAll(BARE)) {
    if (found === key || FILE_END.test(host)) continue;
    const isNumber = /^[\d.]+$/.test(host);
    if (isNumber && !isShort && port === undefined && path === "") continue;
    const name = NAME_BEFORE.exec(rest.slice(Math.max(0, index - 90), index))?.[1];
    const isMeant = API_PATH.test(path) || isShort || isCommand || (name !== undefined && SERVICE_NAME.test(name));
    const scheme = isNumber || /^localhost/i.test(host) ? "http" : "https";
    if (isMeant) add(mentions, rest, index, `${scheme}://${found}`);
  }
  const named = mentions.filter(({ isNamed }) => isNamed);
  const chosen = named.length > 0 ? named : mentions;
  return [...new Set(chosen.map(({ address }) => address))].slice(0, MAX_ADDRESSES);
}

/** Whether a word is an address rather than a key. */
export function isAddressLike(word: string): boolean {
  return /^https?:/i.test(word) || findPastedAddresses(word, undefined).length > 0;
}

function add(mentions: Mention[], text: string, index: number, found: string): void {
  const before = text.slice(Math.max(0, index - 90), index);
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

/** Quotes and slashes as they are meant inside JSON and other texts. */
export function unescaped(text: string): string {
  return text.replace(/\\([ "'/])/g, "$1").replace(/\\u002[fF]/g, "/");
}
