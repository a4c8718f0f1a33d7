/**
 * The origins of the service that this build is for (`SAFELIGHT_SERVICE`), where a plain file host gives it out: its
 * content policy lets the page reach no others. Empty where the build names none.
 */
export function namedOrigins(): readonly string[] {
  const named: unknown = import.meta.env.SAFELIGHT_SERVICE;
  return typeof named === "string" ? named.split(" ").filter((origin) => origin !== "") : [];
}

/** Whether a build for a named service may send requests to this address. The page's own origin is always one. */
export function isNamedService(address: string): boolean {
  const named = namedOrigins();
  if (named.length === 0) return true;
  const own = globalThis.location?.origin;
  if (!URL.canParse(address, own)) return false;
  const { origin } = new URL(address, own);
  return origin === own || named.includes(origin);
}
