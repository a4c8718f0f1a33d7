/**
 * The URL that a text names. For the host: `URL.canParse` of Node 20 denies URLs with a letter such as `ü` once
 * it was called a few thousand times.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
