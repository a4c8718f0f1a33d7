const PARENTS = new Set(["moov", "trak", "mdia"]);
const DATED = new Set(["mvhd", "tkhd", "mdhd"]);

/** Sets the dates inside an MP4 to zero, in place: encoders write the clock, and the same request gives the same bytes. */
export function clearClipTimes(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const size = view.getUint32(at);
      // 0 and 1 stand for "to the end" and for a 64-bit size; neither is written for the boxes sought here.
      if (size < 8 || at + size > to) return;
      const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
      if (PARENTS.has(name)) walk(at + 8, at + size);
      // After one version byte and three flag bytes: two dates of 4 bytes, or of 8 in version 1.
      if (DATED.has(name)) bytes.fill(0, at + 12, at + 12 + (bytes[at + 8] === 1 ? 16 : 8));
      at += size;
    }
  };
  walk(0, bytes.byteLength);
}
