const HOME = "/create";

/**
 * Where to go after connecting: a path of this studio, given by whatever sent the visitor here, or `/create`. Anything
 * that would leave this origin, and the connect screen itself, is not followed.
 */
export function safeBack(back: unknown): string {
  if (typeof back !== "string" || !/^\/(?![/\\])/.test(back) || !URL.canParse(back, location.origin)) return HOME;
  const url = new URL(back, location.origin);
  if (url.origin !== location.origin || url.pathname === "/connect") return HOME;
  return `${url.pathname}${url.search}${url.hash}`;
}
