import type { Api } from "#api/create-api.ts";
import { absoluteUrl } from "#api/transport.ts";
import { asList, isRecord } from "#lib/read.ts";
import type { Routes } from "./connection.ts";

/** What the relay is asked for. It sends the key along for `api` only. */
export type RelayUse = "api" | "upload" | "media";

/** On an answer of the relay itself: nothing reached the service. */
const OWN_ANSWER = "x-safelight-relay";

/**
 * The address on the studio's own host that stands for `url`, which must be absolute:
 * `https://api.example.com/a?b` becomes `/relay/api/https/api.example.com/a?b`.
 */
export function relayAddress(use: RelayUse, url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  return new URL(`/relay/${use}/${protocol.slice(0, -1)}/${host}${pathname}${search}`, location.href).href;
}

/** Whether `url` is somewhere else than the studio's own host, so that a relay may be of use. Outside a page it never is. */
export function isElsewhere(url: string): boolean {
  if (globalThis.location === undefined) return false;
  return new URL(url, location.href).origin !== location.origin;
}

const opened = new Map<string, Promise<boolean>>();

/**
 * Asks the host to relay to the origin of `url`, and resolves with whether it will. A host without a relay, such as a static one,
 * is no error. Asked once per origin.
 */
export function openRelay(use: RelayUse, url: string): Promise<boolean> {
  const { origin } = new URL(url);
  const kind = use === "api" ? "api" : "storage";
  const name = `${kind} ${origin}`;
  const known = opened.get(name);
  if (known !== undefined) return known;
  const asking = askRelay(kind, origin).catch(() => false);
  opened.set(name, asking);
  return asking;
}

/** Sends one request through the relay. Where the host has forgotten the origin, it is asked again; nothing was sent then. */
export async function fetchByRelay(use: RelayUse, url: string, init?: RequestInit): Promise<Response> {
  await openRelay(use, url);
  const response = await fetch(relayAddress(use, url), init);
  if (response.headers.get(OWN_ANSWER) !== "not_allowed" || init?.body instanceof ReadableStream) return response;
  forgetRelay();
  return (await openRelay(use, url)) ? fetch(relayAddress(use, url), init) : response;
}

/** Forgets the host's answers, so that it is asked again. */
export function forgetRelay(): void {
  opened.clear();
}

async function askRelay(kind: "api" | "storage", origin: string): Promise<boolean> {
  const about: unknown = await (await ask("/relay")).json();
  if (!isRecord(about)) return false;
  if (about.mode === "typed") {
    const answer = await ask("/relay/allow", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ origin, use: kind }),
    });
    return answer.ok;
  }
  return about.mode === "configured" && (kind === "storage" || asList(about.origins).includes(origin));
}

function ask(path: string, init?: RequestInit): Promise<Response> {
  return fetch(new URL(path, location.href), { ...init, redirect: "error", credentials: "omit", cache: "no-store" });
}

/** A `fetch` for the two bases of a service that sends each request the way that works for it. */
export function routedFetch({
  queueBaseUrl,
  inferenceBaseUrl,
  routes,
}: {
  queueBaseUrl: string;
  inferenceBaseUrl: string;
  routes: Routes;
}): typeof fetch {
  const queue = absoluteUrl(queueBaseUrl);
  const inference = absoluteUrl(inferenceBaseUrl);
  return (input, init) => {
    const url = String(input);
    // The queue first: the inference base may be the beginning of the queue's.
    const route = url.startsWith(queue) ? routes.queue : url.startsWith(inference) ? routes.inference : "direct";
    return route === "relay" ? fetchByRelay("api", url, init) : fetch(input, init);
  };
}

/** The same client, whose upload addresses lead through the relay where storage does not take a page's PUT. */
export function withRoutedUploads(api: Api, routes: Routes): Api {
  if (routes.upload === "direct") return api;
  return {
    ...api,
    async requestUpload(fileType, signal) {
      const target = await api.requestUpload(fileType, signal);
      await openRelay("upload", target.uploadUrl);
      return { ...target, uploadUrl: relayAddress("upload", target.uploadUrl) };
    },
  };
}
