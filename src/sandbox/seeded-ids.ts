import { createRandom, hashText } from "./media/seeded-random.ts";

/** Hex digits that look random and are the same for the same parts. `length` is in digits, at most 64. */
export function seededHex(length: number, ...parts: readonly (string | number)[]): string {
  const random = createRandom(hashText(parts.join("\u0000")));
  let text = "";
  while (text.length < length) {
    text += Math.floor(random.next() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
  }
  return text.slice(0, length);
}

/** An id in the form of a version 4 UUID, the same for the same parts. */
export function seededUuid(...parts: readonly (string | number)[]): string {
  const hex = seededHex(32, ...parts);
  return uuidFromHex(hex);
}

/** Dashes, version and variant put into 32 hex digits. */
export function uuidFromHex(hex: string): string {
  const variant = "89ab"[Number.parseInt(hex[16] ?? "0", 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A number from 0 up to, and not with, 1, the same for the same parts. */
export function seededFraction(...parts: readonly (string | number)[]): number {
  return createRandom(hashText(parts.join("\u0000"))).next();
}
