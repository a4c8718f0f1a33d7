import { RefusedError } from "#api/api-error.ts";
import { holdsKey, type KeyShape, strikeKey } from "#lib/key-shape.ts";
import { findSomeKey } from "#lib/secret-words.ts";
import { getConnection } from "./connection-store.ts";

/** A key in what is about to be sent: the connection's own, or something that looks like some service's. */
export type KeyFinding = { kind: "own" } | { kind: "similar"; found: string };

/** What a person said is no key, or may be sent all the same. As long as the page lives. */
const allowed = new Set<string>();
const DEEPEST = 64;

/**
 * The key in a text, or in any text and any name of a JSON value. What the person allowed is not found again; the
 * connection's own key always is. A whole web address is not searched for what only looks like a key. Never throws.
 */
export function findKey(value: unknown, shape: KeyShape | undefined): KeyFinding | undefined {
  let similar: KeyFinding | undefined;
  for (const text of textsOf(value, 0)) {
    if (shape !== undefined && holdsOwn(text, shape)) return { kind: "own" };
    const found = similar === undefined && !/^https?:\/\/\S+$/i.test(text) ? findSomeKey(text) : undefined;
    if (found !== undefined && !allowed.has(found)) similar = { kind: "similar", found };
  }
  return similar;
}

/** The person sends it all the same. Has no effect on the connection's own key. */
export function allowKey(finding: KeyFinding): void {
  if (finding.kind === "similar") allowed.add(finding.found);
}

/** What is said instead of sending. `what` is "text", "file name" and the like. */
export function keyFindingWords(finding: KeyFinding, what = "text"): { title: string; body: string } {
  if (finding.kind === "own") {
    return { title: `This ${what} contains your API key`, body: "Nothing was sent. Remove the key and try again." };
  }
  const start = finding.found.slice(0, 6);
  return {
    title: `This ${what} may contain an API key`,
    body: `It contains ${start}… Nothing was sent. Remove it, or send it if it is not a key.`,
  };
}

/** The same for a line under a field, which another place may tell more about. */
export function keyFindingSentence(finding: KeyFinding, what = "text"): string {
  const { title, body } = keyFindingWords(finding, what);
  return finding.kind === "own" ? `${title}. ${body}` : `${title}. Nothing was sent.`;
}

/** Why a value must not be sent: a key is in it, the current connection's or one that looks like some service's. Never throws. */
export function keySentenceOf(value: unknown): string | undefined {
  const finding = findKey(value, getConnection()?.keyShape);
  return finding && keyFindingSentence(finding);
}

/**
 * What may be stored: a JSON value that holds the connection's own key becomes a copy with `[key]` in its place; any
 * other stays the same object. Never throws for what JSON can hold.
 */
export function withoutOwnKey<T>(value: T, shape: KeyShape | undefined): T {
  if (shape === undefined || findKey(value, shape)?.kind !== "own") return value;
  return JSON.parse(strikeKey(JSON.stringify(value), shape)) as T;
}

/** Also written for an address, or cut by spaces, line ends and characters that nobody sees. */
function holdsOwn(text: string, shape: KeyShape): boolean {
  if (holdsKey(text, shape)) return true;
  if (text.includes("%") && holdsKey(decoded(text), shape)) return true;
  return HIDDEN.test(text) && holdsKey(text.replace(HIDDEN_ALL, ""), shape);
}

const HIDDEN_ALL = /[\s\p{Cf}\p{Cc}]+/gu;
const HIDDEN = /[\s\p{Cf}\p{Cc}]/u;

function decoded(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null && depth < DEEPEST) {
    for (const [name, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) yield name;
      yield* textsOf(inner, depth + 1);
    }
  }
}

/**
 * A `fetch` that sends nothing whose body holds the connection's own key, whatever screen it came from: it rejects with
 * a `RefusedError` of status 400. A body that is a stream is read first, so it must be small.
 */
export function refuseKeyInBody(send: typeof fetch, shape: KeyShape | undefined): typeof fetch {
  if (shape === undefined) return send;
  return async (input, init) => {
    const isStream = init?.body instanceof ReadableStream;
    const text = isStream ? await new Response(init.body).text() : init?.body;
    if (typeof text === "string" && holdsOwn(text, shape)) {
      throw new RefusedError({ status: 400, message: "The request contains your API key, so it was not sent." });
    }
    return send(input, isStream ? { ...init, body: new Blob([text as string]).stream() } : init);
  };
}
