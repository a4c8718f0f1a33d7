/** Names under which an address may carry a key. */
const KEY_NAMES = ["key", "api_key", "apikey", "api-key", "token", "access_token"];

/**
 * Takes anything that looks like a key out of the page's address before the router, the history or a referrer sees it.
 * It is not used: a key in a link is already in logs.
 */
export function scrubPageAddress(): void {
  const url = new URL(location.href);
  const hash = new URLSearchParams(url.hash.replace(/^#\??/, ""));
  const inSearch = removeKeys(url.searchParams);
  const inHash = removeKeys(hash);
  if (!inSearch && !inHash) return;
  if (inHash) url.hash = hash.size > 0 ? `#${hash}` : "";
  history.replaceState(history.state, "", url);
}

function removeKeys(parameters: URLSearchParams): boolean {
  const found = [...parameters.keys()].filter((name) => KEY_NAMES.includes(name.toLowerCase()));
  for (const name of found) parameters.delete(name);
  return found.length > 0;
}
