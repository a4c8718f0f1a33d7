/** Where the two halves of a service may be, the likeliest first. All on hosts that were given. */
export interface Candidates {
  queue: string[];
  inference: string[];
}

const QUEUE_PATH = "/api/v1/queue";
const MAX_CANDIDATES = 5;
const TEXT_PATH = /^(.*)\/v1(?:\/(?:chat\/completions|completions|responses|messages|models)(?:\/.*)?)?$/i;

/** An address by what its path says: one of the queue's, one of the text endpoints', or neither. */
interface Sorted {
  kind: "queue" | "inference" | "other";
  origin: string;
  /** Of the base address, without a slash at the end. */
  path: string;
}

/**
 * Where the queue and the text endpoints may be, as far as a person's addresses show: any address of the service will do,
 * with the rest of its path cut off. Where only one half is named, the other is looked for on the same host. Addresses
 * must be absolute; others are left out.
 */
export function candidatesFrom(addresses: readonly string[]): Candidates {
  const sorted = addresses.flatMap((address) => sort(address) ?? []);
  const of = (kind: Sorted["kind"]) => sorted.filter((each) => each.kind === kind);
  const [queues, texts, others] = [of("queue"), of("inference"), of("other")];
  const isApi = queues.length + texts.length > 0;
  // Beside an address of the API a bare host of the same domain is meant as the other half, and a page is not meant at all:
  // the key must not go to a site that an example only mentions.
  const bases = others.filter(
    ({ origin, path }) => path === "" && [...queues, ...texts].some((api) => isRelated(api.origin, origin)),
  );
  const free = isApi ? bases : others;
  const queue =
    queues.length > 0 ? queues.flatMap(ownQueue) : [...texts.flatMap(queueBeside), ...free.flatMap(queueBeside)];
  const beside = queues.filter(({ origin }) => texts.every((text) => text.origin === origin));
  const inference = [
    ...texts.flatMap(ownInference),
    ...(texts.length > 0 ? [] : bases.map(({ origin }) => origin)),
    ...beside.flatMap(inferenceBeside),
    ...(isApi ? [] : others.flatMap(inferenceBeside)),
  ];
  return { queue: firstOf(queue), inference: firstOf(inference) };
}

/** The base address behind any address of one half, where its path says so: else the address as it is. */
export function baseOf(half: "queue" | "inference", address: string): string {
  const found = sort(address);
  return found?.kind === half ? `${found.origin}${found.path}` : address;
}

/** Hosts whose names end alike: `api.example.com` and `text.example.com`. */
function isRelated(a: string, b: string): boolean {
  const end = (origin: string) => new URL(origin).hostname.split(".").slice(-2).join(".");
  return end(a) === end(b);
}

function firstOf(addresses: string[]): string[] {
  return [...new Set(addresses)].slice(0, MAX_CANDIDATES);
}

function sort(address: string): Sorted | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/+$/, "");
  const queue = /^(.*?)\/apikey(?:\/|$)/i.exec(path)?.[1] ?? /^(.*\/queue)(?:\/|$)/i.exec(path)?.[1];
  if (queue !== undefined) return { kind: "queue", origin, path: queue };
  // A gateway may have a version of its own before the service's.
  const inference = TEXT_PATH.exec(path)?.[1] ?? /^(.*?)\/v1(?:\/|$)/i.exec(path)?.[1];
  if (inference !== undefined) return { kind: "inference", origin, path: inference };
  return { kind: "other", origin, path };
}

function ownQueue({ origin, path }: Sorted): string[] {
  return [`${origin}${path}`, ...(/\/queue$/.test(path) ? [] : [`${origin}${path}${QUEUE_PATH}`])];
}

function queueBeside({ origin, path }: Sorted): string[] {
  const prefix = path.replace(/\/api$/, "");
  return [`${origin}${prefix}${QUEUE_PATH}`, `${origin}${QUEUE_PATH}`];
}

function ownInference({ origin, path }: Sorted): string[] {
  return [`${origin}${path}`, `${origin}${path.replace(/\/api$/, "")}`];
}

function inferenceBeside({ origin, path }: Sorted): string[] {
  const prefix = path.replace(/(\/api)?(\/v1)?\/queue$/, "");
  return [`${origin}${prefix}`, `${origin}${prefix}/api`, origin, `${origin}/api`];
}
