import { findSomeKey, isSecretName } from "./secret-words.ts";

/** Stands in a shown address where a key or a signature was. */
const STRUCK = "[removed]";

/**
 * An address as it may be shown, logged, exported or put into code: without user and password, and with the values of
 * keys and signatures struck out, in the path (`/key/…`), the query and the fragment. What is no address stays as it is,
 * and so does one that carries nothing of the kind, to the letter. Never throws.
 */
export function shownAddress(address: string): string {
  const parts = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(address);
  if (!parts) return address;
  const [, scheme = "", place = "", path = "", query = "", fragment = ""] = parts;
  const host = place.slice(place.lastIndexOf("@") + 1);
  return scheme + host + strikePath(path) + strikeList(query) + strikeFragment(fragment);
}

/** A text with every address in it as it may be shown. Never throws. */
export function strikeAddresses(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(/\bhttps?:\/\/[^\s"'<>`\\]+/gi, shownAddress);
}

/** A JSON value with every address in its texts as it may be shown. Never throws for what came from JSON. */
export function strikeInJson(value: unknown): unknown {
  if (typeof value === "string") return strikeAddresses(value);
  if (Array.isArray(value)) return value.map(strikeInJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, strikeInJson(inner)]));
}

/** The path with what looks like a key struck out, and what follows a folder such as `key`. Never throws. */
export function strikePath(path: string): string {
  const folders = path.split("/");
  return folders
    .map((folder, at) => {
      const name = decoded(folder);
      const before = decoded(folders[at - 1] ?? "");
      const isNamed =
        at > 0 && name.length >= 8 && /\d/.test(name) && /^[\w-]{2,20}$/.test(before) && isSecretName(before);
      if (isNamed || findSomeKey(name) !== undefined) return STRUCK;
      const [word, ...rest] = name.split("=");
      return rest.length > 0 && isSecretName(word ?? "") ? `${word}=${STRUCK}` : folder;
    })
    .join("/");
}

/** A query or a fragment of `name=value`, with its first mark. */
function strikeList(list: string): string {
  if (list.length < 2) return list;
  const mark = list.slice(0, 1);
  return (
    mark +
    list
      .slice(1)
      .split(/([&;])/)
      .map((part) => {
        const at = part.indexOf("=");
        const name = at < 0 ? "" : part.slice(0, at);
        const value = decoded(at < 0 ? part : part.slice(at + 1));
        if (value === "") return part;
        if (at >= 0 && isSecretName(decoded(name))) return `${name}=${STRUCK}`;
        // An address inside an address may carry one of its own.
        const inner = value.includes("://") ? shownAddress(value) : value;
        if (inner !== value) return `${name}${at < 0 ? "" : "="}${encodeURIComponent(inner)}`;
        if (findSomeKey(value) === undefined) return part;
        return at < 0 ? STRUCK : `${name}=${STRUCK}`;
      })
      .join("")
  );
}

/** A fragment is a list, or a path of its own with perhaps a query: `#/key/…`, `#key=…`, `#/a?key=…`. */
function strikeFragment(fragment: string): string {
  if (fragment.length < 2) return fragment;
  const [path = "", query] = fragment.slice(1).split(/\?(.*)/s);
  const struck = path.includes("/") && !path.includes("=") ? strikePath(path) : strikeList(`#${path}`).slice(1);
  return `#${struck}${query === undefined ? "" : strikeList(`?${query}`)}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
