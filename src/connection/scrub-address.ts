import { findSomeKey, isSecretName } from "#lib/secret-words.ts";

/**
 * Takes anything that looks like a key out of the page's own address, before the router, the history or a referrer sees
 * it: by its name (`key`, `auth`, `apikey[]`), by its looks (`sk-…`), in the query, in the path and in the fragment. It
 * is not used: a key in a link is already in logs. Never throws.
 */
export function scrubPageAddress(): void {
  const scrubbed = withoutKeys(new URL(location.href));
  if (scrubbed !== location.href) history.replaceState(history.state, "", scrubbed);
}

function withoutKeys(address: URL): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  url.pathname = pathWithoutKeys(address.pathname);
  const query = listWithoutKeys(address.search.slice(1));
  if (query !== address.search.slice(1)) url.search = query;
  const fragment = fragmentWithoutKeys(address.hash.slice(1));
  if (fragment !== address.hash.slice(1)) url.hash = fragment;
  return url.href;
}

/** Without folders that are a key, and without the word before them that says so. Any other path stays as it is. */
function pathWithoutKeys(path: string): string {
  const folders = path.split("/");
  const isKey = (at: number) => findSomeKey(decoded(folders[at] ?? "")) !== undefined || isNamed(folders, at);
  const rest = folders.filter(
    (folder, at) => !isKey(at) && !(isSecretName(decoded(folder)) && at + 1 < folders.length),
  );
  if (rest.length === folders.length) return path;
  return rest.join("/") || "/";
}

/** A folder behind one such as `key` or `token`, or of the form `key=…`. */
function isNamed(folders: readonly string[], at: number): boolean {
  const folder = decoded(folders[at] ?? "");
  if (folder === "") return false;
  const [name = "", ...value] = folder.split("=");
  if (value.length > 0 && isSecretName(name)) return true;
  return at > 0 && isSecretName(decoded(folders[at - 1] ?? ""));
}

/** A list of `name=value` without the parts that carry a key. The others stay to the letter. */
function listWithoutKeys(list: string): string {
  return list
    .split("&")
    .map((part) => {
      const [name = "", ...values] = part.split("=");
      const value = decoded(values.join("="));
      // A way back within the page may carry one too.
      if (!value.startsWith("/")) return part;
      const inner = withoutKeys(new URL(value.replace(/^\/+/, "/"), location.origin)).slice(location.origin.length);
      return inner === value ? part : `${name}=${encodeURIComponent(inner)}`;
    })
    .filter((part) => {
      const [name = "", ...value] = part.split("=");
      return !(value.length > 0 && isSecretName(decoded(name))) && findSomeKey(decoded(part)) === undefined;
    })
    .join("&");
}

/** A fragment may be a list (`#key=…`), a path (`#/key/…`), or a path with a list behind it. */
function fragmentWithoutKeys(fragment: string): string {
  const at = fragment.indexOf("?");
  const start = at < 0 ? fragment : fragment.slice(0, at);
  const path = start.includes("/") ? pathWithoutKeys(start) : listWithoutKeys(start);
  const list = at < 0 ? "" : listWithoutKeys(fragment.slice(at + 1));
  return list === "" ? path : `${path}?${list}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
