import type { IncomingHttpHeaders } from "node:http";
import { type Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { createByteStriker, strikeFromText } from "#lib/strike-bytes.ts";
import type { READABLE_ENCODINGS, UpstreamAnswer } from "./upstream-request.ts";

const DECODERS: Record<(typeof READABLE_ENCODINGS)[number], () => Transform> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The answer of an API without the key, which a service may repeat in an error or a text: the page must not learn it. A
 * compressed body is unpacked for that. Without a key, the answer as it is. A body in an encoding that was not asked for
 * cannot be read: it breaks off.
 */
export function strikeKeyFromAnswer(answer: UpstreamAnswer, key: string | undefined): UpstreamAnswer {
  if (key === undefined) return answer;
  const { "content-encoding": encoding = "", "content-length": _length, ...others } = answer.headers;
  const names = encoding.split(",").flatMap((name) => name.trim().toLowerCase() || []);
  const decoders = names
    .filter((name) => name !== "identity")
    .map((name) => DECODERS[name as keyof typeof DECODERS]?.());
  const headers = Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name, withoutKey(value, key)]),
  ) as IncomingHttpHeaders;
  let body: Readable = answer;
  for (const decoder of [...decoders.reverse(), strikingTransform(key)]) {
    if (decoder === undefined) {
      answer.destroy(new Error("The answer is in an encoding that was not asked for."));
      break;
    }
    body = chained(body, decoder);
  }
  return Object.assign(body, { statusCode: answer.statusCode, headers }) as UpstreamAnswer;
}

function strikingTransform(key: string): Transform {
  const striker = createByteStriker(key);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, striker.push(chunk));
    },
    flush(done) {
      done(null, striker.end());
    },
  });
}

/** Like `pipe`, with both ends destroyed together: an answer that breaks off breaks off here, and the other way round. */
function chained(source: Readable, sink: Transform): Transform {
  source.once("error", (error) => sink.destroy(error));
  source.once("close", () => {
    if (!source.readableEnded) sink.destroy(new Error("The answer broke off."));
  });
  sink.once("close", () => source.destroy());
  return source.pipe(sink);
}

function withoutKey(value: string | string[] | undefined, key: string): string | string[] | undefined {
  if (Array.isArray(value)) return value.map((each) => strikeFromText(each, key));
  return value === undefined ? undefined : strikeFromText(value, key);
}
