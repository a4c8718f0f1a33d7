import { type KeyShape, strikeKey } from "#lib/key-shape.ts";

// Beside `redact.ts`, for what a request is not: it is read where diagnostics are made, and not in the first load.

/** Queries and fragments of addresses, where signatures and keys are, and names and passwords before a host. */
const AFTER_ADDRESS = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>?#]*)[?#][^\s"'<>]*/gi;
const BEFORE_HOST = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'<>/?#@]*@/gi;
/** Longer texts are cut: none that belongs here is so long. */
const LONGEST = 500;
const BEARER = /\b(bearer|basic)\s+\S+/gi;

/**
 * A text that a person or a browser brought, without what must not leave: the key, what follows an address, what names
 * itself a key. For the few texts that are not from a list, and as a last look over the whole. Never throws.
 */
export function redactText(text: string, shape?: KeyShape | undefined): string {
  const plain = text
    .slice(0, LONGEST)
    .replaceAll(BEFORE_HOST, "$1")
    .replaceAll(AFTER_ADDRESS, "$1")
    .replaceAll(BEARER, (_, scheme: string) => `${scheme} [key]`);
  return shape === undefined ? plain : strikeKey(plain, shape);
}

/** A value of JSON, with `redactText` over every text and every name in it, however deep. Never throws. */
export function redactValue(value: unknown, shape?: KeyShape | undefined): unknown {
  const seen = new WeakSet<object>();
  const visit = (one: unknown): unknown => {
    if (typeof one === "string") return redactText(one, shape);
    if (typeof one !== "object" || one === null) return one;
    if (seen.has(one)) return undefined;
    seen.add(one);
    if (Array.isArray(one)) return one.map(visit);
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [redactText(name, shape), visit(inner)]));
  };
  return visit(value);
}
