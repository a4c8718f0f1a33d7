const SIGNATURE_BYTES = 8;
/** Bytes. A larger text is not read. */
const LARGEST_TEXT = 256 * 1024;

/** A chunk of a PNG. From `start` to `end` it has 4 bytes of length, 4 of type, its data, and 4 of checksum. */
interface Chunk {
  type: string;
  start: number;
  data: Uint8Array;
  end: number;
}

/**
 * A PNG with international texts (iTXt, UTF-8, not compressed) put in after its header; one of the same keyword is
 * replaced. Undefined where the bytes are no whole PNG. The picture itself is not touched.
 */
export function withPngTexts(png: Uint8Array, texts: Readonly<Record<string, string>>): Blob | undefined {
  const chunks = readChunks(png);
  const header = chunks?.[0];
  if (!chunks || header?.type !== "IHDR") return undefined;
  const keywords = new Set(Object.keys(texts));
  const others = chunks.slice(1).filter((chunk) => !(chunk.type === "iTXt" && keywords.has(keywordOf(chunk.data))));
  const added = Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text));
  const parts = [png.subarray(0, header.end), ...added, ...others.map((chunk) => png.subarray(chunk.start, chunk.end))];
  return new Blob(
    parts.map((part) => part.slice()),
    { type: "image/png" },
  );
}

/** The text of a keyword in a PNG, or undefined. Compressed texts of other writers are not read. */
export function pngText(png: Uint8Array, keyword: string): string | undefined {
  const chunk = readChunks(png)?.find((one) => one.type === "iTXt" && keywordOf(one.data) === keyword);
  if (!chunk || chunk.data.length > LARGEST_TEXT) return undefined;
  const flags = keyword.length + 1;
  if (chunk.data[flags] !== 0) return undefined;
  const afterLanguage = chunk.data.indexOf(0, flags + 2) + 1;
  const afterTranslation = chunk.data.indexOf(0, afterLanguage) + 1;
  if (afterLanguage === 0 || afterTranslation === 0) return undefined;
  return new TextDecoder().decode(chunk.data.subarray(afterTranslation));
}

function readChunks(png: Uint8Array): Chunk[] | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const chunks: Chunk[] = [];
  for (let start = SIGNATURE_BYTES; start + 12 <= png.length; ) {
    const length = view.getUint32(start);
    const end = start + 12 + length;
    if (end > png.length) return undefined;
    const type = String.fromCharCode(...png.subarray(start + 4, start + 8));
    chunks.push({ type, start, data: png.subarray(start + 8, end - 4), end });
    if (type === "IEND") return chunks;
    start = end;
  }
  return undefined;
}

function keywordOf(data: Uint8Array): string {
  const end = data.indexOf(0);
  return end > 0 && end <= 79 ? String.fromCharCode(...data.subarray(0, end)) : "";
}

// Keyword, 0, not compressed, method 0, no language, no translated keyword, then the text.
function textChunk(keyword: string, text: string): Uint8Array {
  const encoder = new TextEncoder();
  const data = encoder.encode(`${keyword}\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(encoder.encode("iTXt"), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, crc32(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
