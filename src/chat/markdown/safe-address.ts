import { decodeEntities, stripBidi } from "./decode-entities.ts";

export interface SafeAddress {
  href: string;
  /** What the address really leads to, as it goes over the wire: a host (punycode), or an e-mail address. */
  target: string;
  /** The path and query of an address on the web, for showing. */
  path: string;
}

/** Reads an address of a link or picture. Undefined unless it is a whole http, https or mailto address. */
export function safeAddress(raw: string): SafeAddress | undefined {
  const text = stripBidi(decodeEntities(raw)).trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "mailto:") return { href: url.href, target: url.pathname, path: "" };
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  return { href: url.href, target: url.host, path: url.pathname + url.search };
}

/** True if a link's text already says where it leads. */
export function saysTarget(text: string, { target }: SafeAddress): boolean {
  const said = stripBidi(text).trim().toLowerCase();
  const bare = said.replace(/^(?:https?:\/\/|mailto:)/, "");
  const wanted = target.toLowerCase();
  return bare === wanted || ["/", "?", "#"].some((mark) => bare.startsWith(wanted + mark));
}
