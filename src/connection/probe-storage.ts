import type { Api } from "#api/create-api.ts";
import type { Route } from "./connection.ts";
import { fetchByRelay, isElsewhere, openRelay, type RelayUse } from "./relay.ts";

/** `blocked`: neither the page nor a relay reaches it. `unknown`: the service gave no address to try. */
export type ProbeResult = Route | "blocked" | "unknown";

/**
 * Finds out how uploads and downloads can travel, at no cost and leaving nothing behind. The upload is tried with a
 * Content-Type that its address was not signed for: whether the refusal can be read is the question. The download reads
 * one byte of the newest result, or of the upload's public address.
 */
export async function probeStorage(
  api: Api,
  signal: AbortSignal,
): Promise<{ upload: ProbeResult; media: ProbeResult }> {
  const target = await api.requestUpload("png", signal).catch(() => undefined);
  const page = await api.listJobs({ status: ["success"], limit: 1 }, signal).catch(() => undefined);
  const file = page?.jobs[0]?.media.find(({ url }) => url.startsWith("http"))?.url ?? target?.publicUrl;
  const [upload, media] = await Promise.all([
    probe("upload", target?.uploadUrl, { method: "PUT", headers: { "Content-Type": "application/x-probe" }, signal }),
    probe("media", file, { headers: { Range: "bytes=0-0" }, signal }),
  ]);
  return { upload, media };
}

async function probe(use: RelayUse, url: string | undefined, init: RequestInit): Promise<ProbeResult> {
  if (url === undefined) return "unknown";
  if (!isElsewhere(url)) return "direct";
  const options: RequestInit = { ...init, credentials: "omit", referrerPolicy: "no-referrer", redirect: "error" };
  if (await answers(() => fetch(url, options))) return "direct";
  const isRelayed = (await openRelay(use, url)) && (await answers(() => fetchByRelay(use, url, options)));
  return isRelayed ? "relay" : "blocked";
}

/** Whether an answer came at all, whatever its status; the relay's own refusal is none. */
async function answers(send: () => Promise<Response>): Promise<boolean> {
  try {
    const response = await send();
    response.body?.cancel().catch(() => {});
    return !response.headers.has("x-safelight-relay");
  } catch {
    return false;
  }
}
