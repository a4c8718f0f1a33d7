import { parseUrl } from "#lib/parse-url.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import { asRefusal, isRedirect } from "./relay-stream.ts";
import { type RelayTarget, readRelayTarget } from "./relay-target.ts";
import type { OpenUpstream, UpstreamAnswer } from "./upstream-request.ts";

/** The most redirects of a storage that are followed, one after the other. */
const MAX_HOPS = 5;

/** 300, 305 and 306 leave it to a person or a proxy where to go. */
const FOLLOWED = [301, 302, 303, 307, 308];

/**
 * What reaches the place that the storage `from` names, for which the same rules hold. Throws a RelayRefusal where nothing
 * may.
 */
type OpenNext = (next: RelayTarget, from: RelayTarget) => OpenUpstream;

/**
 * Opens a stored file and follows its storage's redirects, five at most. Each place is checked like the first and asked
 * with the same headers, of which none is the key, and never over http after https. The page sees nothing of a redirect,
 * so it gets no cookies from one. Rejects with a RelayRefusal of kind `redirect` where a redirect is not followed.
 */
export function followingOpener(first: OpenUpstream, openNext: OpenNext): OpenUpstream {
  return async (request) => {
    let { target } = request;
    let answer = await first(request);
    const seen = new Set([addressOf(target)]);
    while (isRedirect(answer)) {
      const next = nextTarget(answer, target);
      if (seen.has(addressOf(next))) throw notFollowed(target, "in a circle");
      if (seen.size > MAX_HOPS) throw notFollowed(target, `once more, after ${MAX_HOPS} redirects`);
      seen.add(addressOf(next));
      answer = await openHop(openNext, target, { ...request, target: next });
      target = next;
    }
    return answer;
  };
}

async function openHop(
  openNext: OpenNext,
  from: RelayTarget,
  request: Parameters<OpenUpstream>[0],
): Promise<UpstreamAnswer> {
  const { target, signal } = request;
  try {
    return await openNext(target, from)(request);
  } catch (error) {
    signal?.throwIfAborted();
    const { kind, message } = asRefusal(error, target);
    if (kind === "unreachable") throw new RelayRefusal(502, kind, message);
    throw notFollowed(from, `to ${target.origin}`, message);
  }
}

/** Where a redirect leads, in its one plain spelling. The rest of its answer is dropped. */
function nextTarget(answer: UpstreamAnswer, from: RelayTarget): RelayTarget {
  answer.destroy();
  const { statusCode = 0, headers } = answer;
  if (!FOLLOWED.includes(statusCode)) throw notFollowed(from, `with status ${statusCode}`);
  const { location } = headers;
  if (location === undefined || location === "") throw notFollowed(from, "without saying where");
  // A header is bytes, which Node reads one by one; browsers read them as UTF-8.
  const text = Buffer.from(location, "latin1").toString("utf8");
  const base = addressOf(from);
  const to = parseUrl(text, base);
  if (!to) throw notFollowed(from, "to an invalid URL");
  const { protocol, username, password, host, pathname, search } = to;
  if (protocol !== "https:" && protocol !== "http:") throw notFollowed(from, "to a URL that is not http or https");
  if (username !== "" || password !== "") throw notFollowed(from, "to a URL with a user name in it");
  if (protocol === "http:" && from.origin.startsWith("https:")) {
    throw notFollowed(from, `to http://${host}, which is not encrypted`);
  }
  const next = readRelayTarget(`/relay/media/${protocol.slice(0, -1)}/${host}${pathname}${search}`);
  if (!next) throw notFollowed(from, `to ${host}, which is not in its normal form`);
  return next;
}

const addressOf = ({ origin, pathAndQuery }: RelayTarget) => origin + pathAndQuery;

function notFollowed({ origin }: RelayTarget, leadsTo: string, why?: string): RelayRefusal {
  const message = `The file host ${origin} redirects ${leadsTo}.`;
  return new RelayRefusal(502, "redirect", why === undefined ? message : `${message} ${why}`);
}
