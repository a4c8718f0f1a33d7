import { visibleText } from "./visible-text.ts";

interface SafeAddress {
  href: string;
  /** Where the URL really leads: a host as the browser sends it (punycode), or an e-mail address. */
  target: string;
  /** The path and query of a URL on the web, for showing. */
  path: string;
}

/**
 * Reads a URL of a link or image in a text from elsewhere, without user and password, which only pretend to be a
 * host. Undefined unless it is an absolute http, https or mailto address.
 */
export function safeAddress(raw: string): SafeAddress | undefined {
  const text = raw.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "mailto:") return { href: url.href, target: visibleText(url.pathname), path: "" };
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  url.username = "";
  url.password = "";
  return { href: url.href, target: url.host, path: url.pathname + url.search };
}

/**
 * Whether a link's text already shows where it leads: it is the host or the e-mail address, perhaps with what follows it
 * in the URL, and nothing else.
 */
export function showsTarget(text: string, { target }: SafeAddress): boolean {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:)/, "");
  const wanted = target.toLowerCase();
  if (/\s/.test(bare) || visibleText(bare) !== bare) return false;
  return bare === wanted || ["/", "?", "#"].some((mark) => bare.startsWith(wanted + mark));
}
