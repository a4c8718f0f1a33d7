// The requests that the studio makes with a key (spec 4). Whoever holds the key sends nothing else, so a script in the
// page cannot reach what else a service offers under the same key, such as its account pages.

/** A job's id, as `api/path-id.ts` writes it. Ids of models may hold slashes, written as %2F. */
const JOB_ID = "(?:[A-Za-z0-9._~-]|%3A|%40)+";

const REQUESTS: readonly { methods: readonly string[]; base: "queue" | "inference"; path: RegExp }[] = [
  { methods: ["GET"], base: "queue", path: /^\/apikey\/models(\/[^/]+)?$/ },
  { methods: ["POST"], base: "queue", path: /^\/apikey\/requests\/estimate$/ },
  // DELETE asks the studio's own host what became of a submit. It is sent to no service.
  { methods: ["GET", "POST", "DELETE"], base: "queue", path: /^\/apikey\/requests$/ },
  { methods: ["GET"], base: "queue", path: new RegExp(`^/apikey/requests/${JOB_ID}$`) },
  { methods: ["DELETE"], base: "queue", path: new RegExp(`^/apikey/requests/${JOB_ID}/media$`) },
  { methods: ["POST"], base: "queue", path: /^\/apikey\/upload-url$/ },
  { methods: ["GET"], base: "inference", path: /^\/v1\/models$/ },
  { methods: ["POST"], base: "inference", path: /^\/v1\/(completions|responses|messages)$/ },
];

/** The two addresses of a service, absolute, without a slash at the end. */
export interface ServiceAddresses {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
}

/**
 * Whether a request is one of the studio's own, to one of the two addresses. A path that steps upwards, however it is
 * written, is none of them. Never throws.
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

function stepsUpwards(path: string): boolean {
  try {
    return decodeURIComponent(path)
      .split(/[/\\]/)
      .some((part) => part === "." || part === "..");
  } catch {
    return true;
  }
}
