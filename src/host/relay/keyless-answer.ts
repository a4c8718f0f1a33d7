import type { IncomingHttpHeaders } from "node:http";
import { PassThrough, type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { createByteRedactor, createTextRedactor } from "#lib/redact-secret.ts";
import type { READABLE_ENCODINGS } from "./passed-headers.ts";
import type { UpstreamAnswer } from "./upstream-request.ts";

type Step = (source: Readable) => Readable;

const DECODERS: Record<(typeof READABLE_ENCODINGS)[number], Step> = {
  gzip: (source) => chained(source, createGunzip()),
  deflate: inflated,
  br: (source) => chained(source, createBrotliDecompress()),
};
/** More layers than a server has any reason for. */
const MAX_LAYERS = 2;

/**
 * The answer of an API without the key, which a service may repeat in an error or a text: the page must not learn it. A
 * compressed body is unpacked for that. Without a key, the answer as it is. A body in an encoding that was not asked for
 * cannot be read: it breaks off.
 */
export function redactAnswer(answer: UpstreamAnswer, key: string | undefined): UpstreamAnswer {
  if (key === undefined) return answer;
  const { "content-encoding": encoding = "", "content-length": length, ...others } = answer.headers;
  // Some servers name an encoding where there is nothing encoded.
  const isEmpty = answer.statusCode === 204 || answer.statusCode === 304 || length === "0";
  const names = (isEmpty ? "" : encoding)
    .split(",")
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, "gzip"),
    )
    .filter((name) => name !== "" && name !== "identity");
  const redact = createTextRedactor(key);
  // Names of headers come in small letters.
  const redactName = createTextRedactor(key.toLowerCase());
  const headers = Object.fromEntries(
    Object.entries(others)
      .filter(([name]) => redactName(name) === name)
      .map(([name, value]) => [name, Array.isArray(value) ? value.map(redact) : value && redact(value)]),
  ) as IncomingHttpHeaders;
  // Node takes "gzip, chunked" as chunks and leaves what is in them packed.
  const isPlainTransfer = /^(chunked|identity)?$/i.test(others["transfer-encoding"] ?? "");
  const isReadable =
    isPlainTransfer && names.length <= MAX_LAYERS && names.every((name) => Object.hasOwn(DECODERS, name));
  const decoders = isReadable ? names.reverse().map((name) => DECODERS[name as keyof typeof DECODERS]) : [];
  const decoded = decoders.reduce<Readable>((source, decoder) => decoder(source), answer);
  const body = chained(decoded, redactingTransform(key));
  if (!isReadable) answer.destroy(new Error("The response has an encoding that was not requested."));
  return Object.assign(body, { statusCode: answer.statusCode, headers }) as UpstreamAnswer;
}

/** What is called deflate has a frame by the rules, and with many servers none. The first byte decides. */
function inflated(source: Readable): Readable {
  const out = new PassThrough();
  const empty = () => out.end();
  source.once("end", empty);
  source.once("data", (first: Buffer) => {
    source.off("end", empty);
    source.pause();
    source.unshift(first);
    const decoder = ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    chained(chained(source, decoder), out);
  });
  source.once("close", () => {
    if (!source.readableEnded) out.destroy(new Error("The response was cut off."));
  });
  out.once("close", () => source.destroy());
  return out;
}

function redactingTransform(key: string): Transform {
  const redactor = createByteRedactor(key);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, redactor.push(chunk));
    },
    flush(done) {
      done(null, redactor.end());
    },
  });
}

/** Like `pipe`, with both ends destroyed together: an answer that breaks off breaks off here, and the other way round. */
function chained(source: Readable, sink: Transform): Transform {
  source.once("error", (error) => sink.destroy(error));
  source.once("close", () => {
    if (!source.readableEnded) sink.destroy(new Error("The response was cut off."));
  });
  sink.once("close", () => source.destroy());
  return source.pipe(sink);
}
