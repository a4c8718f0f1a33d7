// The inline kinds that cannot carry a script. SVG and HTML are not among them.
const INLINE = /^data:(image\/(png|jpeg|jpg|webp|gif|avif)|video\/(mp4|webm)|audio\/[\w.+-]+)[;,]/i;

/**
 * The address if a page may load it as media, otherwise undefined: then it is text, never a link. `https:`, the page's
 * own origin, this machine, and the page's own `blob:` or inline media are let through.
 */
export function safeMediaUrl(url: string, origin = globalThis.location?.origin ?? ""): string | undefined {
  if (INLINE.test(url)) return url;
  let parsed: URL;
  try {
    parsed = new URL(url, origin || undefined);
  } catch {
    return undefined;
  }
  if (parsed.username || parsed.password) return undefined;
  if (parsed.protocol === "https:") return parsed.href;
  if (parsed.protocol === "blob:") return origin && parsed.origin === origin ? url : undefined;
  if (parsed.protocol !== "http:") return undefined;
  const isOwn = parsed.origin === origin;
  const isLoopback = ["localhost", "127.0.0.1", "[::1]"].includes(parsed.hostname);
  return isOwn || isLoopback ? parsed.href : undefined;
}
