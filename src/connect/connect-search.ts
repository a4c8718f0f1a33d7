import { asRecord } from "#lib/read.ts";

interface ConnectSearch {
  /** Where to go after connecting: a path of Safelight. */
  back?: string | undefined;
}

/** The search part of `/connect`. Only a path of Safelight is accepted for `back`, not another site's address. */
export function readConnectSearch(raw: unknown): ConnectSearch {
  const { back } = asRecord(raw);
  const isPath = typeof back === "string" && /^\/(?![/\\])/.test(back) && !back.startsWith("/connect");
  return { back: isPath ? back : undefined };
}
