import type { Pixels } from "./media-encoders.ts";

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

type Bytes = Uint8Array<ArrayBuffer>;

async function deflateStream(bytes: Bytes): Promise<Bytes> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A PNG file (8-bit RGB). `deflate` makes a zlib stream; the platform's own needs no library in a page. */
export async function encodePng(
  pixels: Pixels,
  deflate: (bytes: Bytes) => Promise<Bytes> = deflateStream,
): Promise<Bytes> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, pixels.width);
  header.setUint32(4, pixels.height);
  // 8 bits per channel, color type 2: RGB.
  header.setUint8(8, 8);
  header.setUint8(9, 2);
  const data = await deflate(filterRows(pixels));
  const parts = [chunk("IHDR", new Uint8Array(header.buffer)), chunk("IDAT", data), chunk("IEND", new Uint8Array(0))];
  const file = new Uint8Array(SIGNATURE.length + parts.reduce((sum, part) => sum + part.length, 0));
  file.set(SIGNATURE);
  let at = SIGNATURE.length;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < 8 + data.length; i++) crc = (CRC_TABLE[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  view.setUint32(8 + data.length, (crc ^ 0xffffffff) >>> 0);
  return bytes;
}

/**
 * Each row as the difference from its best neighbour. Of the five filters the two that suit painted pictures are tried,
 * "average" and "up", and the one with the smaller sum of differences is used.
 */
function filterRows({ width, height, data }: Pixels): Uint8Array<ArrayBuffer> {
  const stride = width * 3;
  const rows = new Uint8Array((stride + 1) * height);
  let above = new Uint8Array(stride + 3);
  let row = new Uint8Array(stride + 3);
  const byAverage = new Uint8Array(stride);
  const byUp = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = y * width * 4, to = 3; x < width; x++, from += 4, to += 3) {
      row[to] = data[from] ?? 0;
      row[to + 1] = data[from + 1] ?? 0;
      row[to + 2] = data[from + 2] ?? 0;
    }
    let averageSum = 0;
    let upSum = 0;
    for (let i = 0; i < stride; i++) {
      const value = row[i + 3] ?? 0;
      const up = above[i + 3] ?? 0;
      const fromAverage = (value - (((row[i] ?? 0) + up) >> 1)) & 255;
      const fromUp = (value - up) & 255;
      byAverage[i] = fromAverage;
      byUp[i] = fromUp;
      averageSum += fromAverage > 127 ? 256 - fromAverage : fromAverage;
      upSum += fromUp > 127 ? 256 - fromUp : fromUp;
    }
    const start = y * (stride + 1);
    const isUp = upSum < averageSum;
    // The filter types of PNG: 2 is "up", 3 is "average".
    rows[start] = isUp ? 2 : 3;
    rows.set(isUp ? byUp : byAverage, start + 1);
    const swap = above;
    above = row;
    row = swap;
  }
  return rows;
}
