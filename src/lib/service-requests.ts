// The requests that Safelight makes with a key (spec 4). Whoever holds the key sends nothing else, so a script in the
// page cannot reach what else a service offers under the same key, such as its account pages.

/** A job's id, as `api/path-id.ts` writes it. Ids of models may hold slashes, written as %2F. */
const JOB_ID = "(?:[A-Za-z0-9._~-]|%3A|%40)+";

const REQUESTS: readonly { methods: readonly string[]; base: "queue" | "inference"; path: RegExp }[] = [
  { methods: ["GET"], base: "queue", path: /^\/apikey\/models(\/[^/\\?#\s]+)?$/ },
  { methods: ["POST"], base: "queue", path: /^\/apikey\/requests\/estimate$/ },
  { methods: ["GET", "POST"], base: "queue", path: /^\/apikey\/requests$/ },
  { methods: ["GET"], base: "queue", path: new RegExp(`^/apikey/requests/${JOB_ID}$`) },
  { methods: ["DELETE"], base: "queue", path: new RegExp(`^/apikey/requests/${JOB_ID}/media$`) },
  { methods: ["POST"], base: "queue", path: /^\/apikey\/upload-url$/ },
  { methods: ["GET"], base: "inference", path: /^\/v1\/models$/ },
  { methods: ["POST"], base: "inference", path: /^\/v1\/(completions|responses|messages)$/ },
];

/** The two URLs of a service, absolute, without a slash at the end. */
export interface ServiceAddresses {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
}

/**
 * Whether a request is one of Safelight's own, to one of the two URLs. A path that steps upwards, however it is
 * written, is not one of them.
 */
export function isServiceRequest({ queueBaseUrl, inferenceBaseUrl }: ServiceAddresses, method: string, url: string) {
  const address = url.split(/[?#]/, 1)[0] ?? "";
  return REQUESTS.some(({ methods, base, path }) => {
    const stem = base === "queue" ? queueBaseUrl : inferenceBaseUrl;
    if (!methods.includes(method) || !address.startsWith(stem)) return false;
    const rest = address.slice(stem.length);
    return path.test(rest) && !stepsUpwards(rest);
  });
}

/** A path that leads elsewhere for a server that decodes it once more, or reads it more loosely than the rules say. */
function stepsUpwards(path: string): boolean {
  let decoded = path;
  for (let round = 0; round < 4; round += 1) {
    const before = decoded;
    try {
      decoded = decodeURIComponent(before);
    } catch {
      // A first time: no path at all. Later: a name with a per cent sign in it, which leads nowhere else.
      return round === 0 || hasUpwardPart(before);
    }
    if (hasUpwardPart(decoded)) return true;
    if (decoded === before) return false;
  }
  return true;
}

function hasUpwardPart(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\x00-\x1f\x7f]/.test(path)) return true;
  return path
    .normalize("NFKC")
    .split(/[/\\]/)
    .some((part) => /^\.{1,2}$/.test(part.replace(/[;?#].*$/s, "").trim()));
}
