import { isRecord, type JsonRecord } from "#lib/read.ts";
import { badRequest } from "#sandbox/sandbox-error.ts";
import { describePicture } from "./asked-pictures.ts";

/** Reads a number of a request body; undefined where it is absent or null. Throws 400 that names the field. */
export function readNumber(body: JsonRecord, name: string, low: number, high: number): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value) || value < low || value > high) {
    throw badRequest(`${name}: must be a number between ${low} and ${high}`);
  }
  return value;
}

/** Does what `readNumber` does, for whole numbers. */
export function readCount(body: JsonRecord, name: string, low: number, high = 10_000_000): number | undefined {
  const value = readNumber(body, name, low, high);
  if (value !== undefined && !Number.isInteger(value)) throw badRequest(`${name}: must be a whole number`);
  return value;
}

/** Reads `true` or `false`; false where it is absent. Throws 400 on anything else. */
export function readFlag(body: JsonRecord, name: string): boolean {
  const value = body[name];
  if (value === undefined || value === null) return false;
  if (typeof value !== "boolean") throw badRequest(`${name}: must be true or false`);
  return value;
}

/** Reads one text or a list of at most `max`. Throws 400 that names the field. */
export function readTexts(body: JsonRecord, name: string, max: number): string[] {
  const value = body[name];
  if (value === undefined || value === null) return [];
  const texts = typeof value === "string" ? [value] : value;
  if (!Array.isArray(texts) || texts.some((text) => typeof text !== "string")) {
    throw badRequest(`${name}: must be a string or a list of strings`);
  }
  if (texts.length > max) throw badRequest(`${name}: at most ${max} are allowed`);
  return texts;
}

/** Refuses fields that the endpoint does not know by this name. */
export function refuseFields(body: JsonRecord, names: readonly string[], why: string): void {
  const found = names.find((name) => body[name] !== undefined);
  if (found !== undefined) throw badRequest(`${found}: ${why}`);
}

/** A content block of a message: its kind and the text it carries, which may be none. */
export interface ContentBlock {
  type: string;
  text: string;
  raw: JsonRecord;
  /** What is seen of a picture, in words. */
  picture?: string;
}

/** Reads a message's content: one text, or a list of typed blocks. Throws 400 that names the place. */
export function readContent(value: unknown, place: string): ContentBlock[] {
  if (typeof value === "string") return [{ type: "text", text: value, raw: {} }];
  if (!Array.isArray(value)) throw badRequest(`${place}: must be a string or a list of blocks`);
  return value.map((block: unknown, index) => {
    if (!isRecord(block) || typeof block.type !== "string") {
      throw badRequest(`${place}.${index}.type: Field required`);
    }
    const { type } = block;
    const text = typeof block.text === "string" ? block.text : "";
    if (type === "image" || type === "input_image") {
      return { type, text, raw: block, picture: describePicture(block, `${place}.${index}`) };
    }
    if (/text$/.test(type) && type !== "reasoning_text" && typeof block.text !== "string") {
      throw badRequest(`${place}.${index}.text: Field required`);
    }
    return { type, text, raw: block };
  });
}
