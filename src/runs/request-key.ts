import type { JobRequest } from "#api/types.ts";
import { isRecord } from "#lib/read.ts";

/**
 * One text per payload, whatever the order of its keys: two forms that look the same are the same request. Takes what came
 * from JSON.
 */
export function payloadKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(payloadKey).join(",")}]`;
  if (isRecord(value)) {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined);
    return `{${keys
      .sort()
      .map((key) => `${JSON.stringify(key)}:${payloadKey(value[key])}`)
      .join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

const requestKeys = new WeakMap<JobRequest, string>();

/** One text per model and payload. */
export function requestKey(request: JobRequest): string {
  const key = requestKeys.get(request) ?? payloadKey([request.model, request.payload]);
  requestKeys.set(request, key);
  return key;
}
