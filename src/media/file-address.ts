/** What looks like a random id: 16 or more hexadecimal digits, a UUID, or 20 or more letters and digits (both). */
const ID = /[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{20,}/i;
const MEDIA_NAME = /\.(png|jpe?g|webp|gif|avif|heic|tiff?|mp4|webm|mov|mp3|wav|m4a|ogg|flac)$/i;
/** Parameters by which storages sign an address or say how to serve it. They do not name the file. */
const SIGNING =
  /^(x-[a-z]+-.*|response-.*|expires?|expires_at|exp|signature|sign|key-pair-id|policy|(aws|oss)accesskeyid|googleaccessid|token|hdnts|hdnea)$/i;
/**
 * The parameters of a shared access signature of Azure, such as `se` for its expiry. Beside a `sig` only: alone, names
 * as short as these may mean anything.
 */
const SIGNING_WITH_SIG = /^(sig|s[eiprstv]|srt|spr|sip|sk[a-z]+)$/i;
/** Characters. A longer key is not stored; real ones are far shorter. */
const MAX_KEY_LENGTH = 2048;

/**
 * The part that all addresses of one file have in common: host and path. Signatures and expiries are left out, and the
 * whole query where the path has a random id (spec 2); else the rest of the query stays, because it may name the file.
 * The query is read only where it counts, because History may need a hundred thousand keys at once. Undefined for what is
 * no web address.
 */
export function fileKey(address: string): string | undefined {
  const url = /^https?:\/\//i.test(address) ? parseUrl(address) : undefined;
  if (!url) return undefined;
  const { host, pathname } = url;
  const key = host + pathname + (isNamedByPath(pathname) ? "" : remainingQuery(url.searchParams));
  return key.length > MAX_KEY_LENGTH ? undefined : key;
}

function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Whether the path alone names the file: its last part has an id, or is a file name in a folder with one. */
function isNamedByPath(pathname: string): boolean {
  const segments = pathname.split("/");
  const last = segments.at(-1) ?? "";
  return ID.test(last) || (MEDIA_NAME.test(last) && segments.some((segment) => ID.test(segment)));
}

function remainingQuery(query: URLSearchParams): string {
  const hasSig = query.has("sig");
  const rest = [...query].filter(([name]) => !SIGNING.test(name) && !(hasSig && SIGNING_WITH_SIG.test(name)));
  if (rest.length === 0) return "";
  return `?${rest
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join("&")}`;
}

/**
 * What a file is called by its address: the last part of the path, readable. Undefined where that contains an id,
 * which says nothing to a person, and for what is no web address.
 */
export function nameInAddress(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const last = new URL(address).pathname.split("/").at(-1) ?? "";
  let name = last;
  try {
    name = decodeURIComponent(last);
  } catch {
    // A lone percent sign: the name is read as it stands.
  }
  return name === "" || ID.test(name) ? undefined : name;
}

/**
 * Where the file of a key lies: host and folders, with `*` for folders that are a number or contain an id, such as a day
 * or a user. Two uploads of one service share it.
 */
export function filePlace(key: string): string {
  const [path = ""] = key.split("?");
  const [host, ...folders] = path.split("/").slice(0, -1);
  return [host, ...folders.map((name) => (/^\d+$/.test(name) || ID.test(name) ? "*" : name))].join("/");
}
