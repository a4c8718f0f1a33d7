import { readError } from "#api/read-error.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { MediaError, type MediaFailure } from "./media-failure.ts";

/** The bytes that are read of a storage's refusal: its error code stands near the beginning. */
const REFUSAL_BYTES = 4096;

/** Makes the error of a storage's answer that is not 2xx, or of the studio's host in its place. */
export async function storageRefusal(url: string, response: Response): Promise<MediaError> {
  const { status, headers } = response;
  const start = await readStart(response, REFUSAL_BYTES).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(start);
  const cause = readError(status, text, headers);
  const failure = failureOf(url, status, cause.hostReason, headers, text);
  const said = cause.hostReason === undefined ? storageWords(status, text) : visibleLine(cause.message, 400);
  return new MediaError(failure, status, { cause, ...(said === undefined ? {} : { said }) });
}

function failureOf(
  url: string,
  status: number,
  hostReason: string | undefined,
  headers: Headers,
  text: string,
): MediaFailure {
  if (hostReason === "not_allowed" || hostReason === "private_address") return "unlisted";
  if (hostReason === "redirect") return "redirected";
  // For any other reason the host could not get the file from the storage.
  if (hostReason !== undefined) return "unreadable";
  if (status === 404 || status === 410) return "gone";
  if ([400, 401, 403].includes(status) && isLapsed(url, text)) return "lapsed";
  if (status === 401 || status === 403) return "refused";
  if (status === 429 || /<Code>SlowDown</.test(text)) return "busy";
  if (status === 416 && /\/0$/.test(headers.get("content-range") ?? "")) return "empty";
  return "failed";
}

const LAPSED_WORDS = /expiredtoken|requestexpired|expired|not valid in the specified time frame/i;

function isLapsed(url: string, text: string): boolean {
  const until = addressEndsAt(url);
  return LAPSED_WORDS.test(text) || (until !== undefined && until < Date.now());
}

/** When a signed address ends by what it says itself, in ms; undefined where it does not say. */
export function addressEndsAt(url: string): number | undefined {
  if (!URL.canParse(url)) return undefined;
  const query = new Map([...new URL(url).searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  for (const vendor of ["amz", "goog"]) {
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get(`x-${vendor}-date`) ?? "") ?? [];
    const [year = 0, month = 1, day, hours, minutes, seconds] = parts.map(Number);
    const lifetimeSeconds = Number(query.get(`x-${vendor}-expires`) ?? Number.NaN);
    if (year > 0 && lifetimeSeconds > 0)
      return Date.UTC(year, month - 1, day, hours, minutes, seconds) + lifetimeSeconds * 1000;
  }
  const azure = query.has("sig") ? Date.parse(query.get("se") ?? "") : Number.NaN;
  if (!Number.isNaN(azure)) return azure;
  const unixSeconds = query.get("expires") ?? query.get("exp") ?? query.get("expires_at") ?? "";
  return /^\d{10}$/.test(unixSeconds) ? Number(unixSeconds) * 1000 : undefined;
}

/** "The file host says: 403 AccessDenied." Only a plain word of it is repeated. */
function storageWords(status: number, text: string): string | undefined {
  const code = /<Code>\s*([\w.-]{1,60})\s*<\/Code>/.exec(text)?.[1] ?? /"code"\s*:\s*"([\w.-]{1,60})"/.exec(text)?.[1];
  return `The file host says: ${status}${code ? ` ${code}` : ""}.`;
}

/** The first bytes of a response, at most `maxBytes`; the rest is canceled. Rejects where it breaks off before. */
export async function readStart(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  const start = new Uint8Array(maxBytes);
  let length = 0;
  while (reader !== undefined && length < maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    const piece = value.subarray(0, maxBytes - length);
    start.set(piece, length);
    length += piece.length;
  }
  // How the rest ends does not matter.
  void reader?.cancel().catch(() => undefined);
  return start.subarray(0, length);
}
