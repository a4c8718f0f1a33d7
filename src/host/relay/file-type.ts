import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { readSignature, SIGNATURE_BYTES } from "#lib/file-signature.ts";
import type { UpstreamAnswer } from "./upstream-request.ts";

const BYTES = "application/octet-stream";

/** Kinds that hold pictures, clips and sounds and nothing that runs. SVG and HTML are not among them. */
const MEDIA_TYPE = /^(image\/(?!svg)[a-z0-9.+-]+|(video|audio)\/[a-z0-9.+-]+|application\/(ogg|mp4))$/;

/** A stored file on its way to the page. */
interface ServedFile {
  type: string;
  body: Readable;
}

/**
 * What a stored file is served as: the picture, clip or sound that its first bytes say it is, and else plain bytes,
 * whatever the storage says. A later part of a clip and an answer to HEAD lack these bytes: there the storage's type
 * counts, if it is a kind that cannot run. Rejects where the file breaks off.
 */
export async function servedFile(
  answer: UpstreamAnswer,
  method: string,
  range: string | undefined,
): Promise<ServedFile> {
  if (method === "HEAD" || isLaterPart(answer, range)) return { type: declaredType(answer.headers), body: answer };
  const isFile = answer.statusCode === 200 || answer.statusCode === 206;
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (!isFile || encoding !== "identity") return { type: BYTES, body: answer };
  const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
  const { start, next } = await firstBytes(pieces);
  // The file may break off before anybody reads on. Whoever reads later still gets the error.
  next.catch(() => {});
  return { type: readSignature(start)?.mimeType ?? BYTES, body: Readable.from(joined(start, next, pieces)) };
}

/** A part from the middle was asked for, and has come. */
function isLaterPart({ statusCode, headers }: UpstreamAnswer, range: string | undefined): boolean {
  return range !== undefined && statusCode === 206 && !/^bytes 0-/.test(headers["content-range"] ?? "");
}

function declaredType(headers: IncomingHttpHeaders): string {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return MEDIA_TYPE.test(type) ? type : BYTES;
}

/** A storage that sends a few bytes and rests is not waited for: what has come by then decides. */
const LONGEST_WAIT_MS = 500;

type Piece = IteratorResult<Uint8Array>;

/** The first bytes: all that a signature may take, or fewer once they say what it is; and what comes after them. */
async function firstBytes(pieces: AsyncIterator<Uint8Array>): Promise<{ start: Buffer; next: Promise<Piece> }> {
  let start: Buffer = Buffer.alloc(0);
  let next = pieces.next();
  let piece: Piece | "over" = await next;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<"over">((resolve) => {
    timer = setTimeout(resolve, LONGEST_WAIT_MS, "over");
  });
  try {
    while (piece !== "over" && !piece.done) {
      start = Buffer.concat([start, piece.value]);
      next = pieces.next();
      if (start.length >= SIGNATURE_BYTES || readSignature(start) !== undefined) break;
      piece = await Promise.race([next, timeout]);
    }
  } finally {
    clearTimeout(timer);
  }
  return { start, next };
}

async function* joined(
  start: Buffer,
  next: Promise<Piece>,
  pieces: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    for (let piece = await next; !piece.done; piece = await pieces.next()) yield piece.value;
  } finally {
    // Whoever reads has gone, or all has come: the storage is not asked for more.
    await pieces.return?.();
  }
}
