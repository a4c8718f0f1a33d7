import { isRecord } from "#lib/json.ts";
import { UnreadableAnswerError } from "./api-error.ts";
import type { UploadTarget } from "./types.ts";

/**
 * Reads the two addresses of an upload (spec 2), relative ones resolved against the queue's address. Both must be https,
 * or plain http where the queue itself is. Throws `UnreadableAnswerError`, whose excerpt never holds the signed address.
 */
export function readUploadTarget(raw: unknown, queueBaseUrl: string): UploadTarget {
  const record = isRecord(raw) ? raw : {};
  const uploadUrl = addressOf(record.upload_url, queueBaseUrl);
  const publicUrl = addressOf(record.public_url, queueBaseUrl);
  if (uploadUrl === undefined || publicUrl === undefined) {
    const excerpt = `Keys: ${Object.keys(record).join(", ")}`;
    throw new UnreadableAnswerError({ status: 200, excerpt, reason: "The answer names no usable upload address." });
  }
  return { uploadUrl, publicUrl };
}

function addressOf(value: unknown, base: string): string | undefined {
  if (typeof value !== "string" || value === "" || !URL.canParse(value, base)) return undefined;
  const url = new URL(value, base);
  const allowed = url.protocol === "https:" || (url.protocol === "http:" && new URL(base).protocol === "http:");
  return allowed ? url.href : undefined;
}
