import { redirect } from "@tanstack/react-router";
import { getConnection } from "#connection/connection-store.ts";
import { isRecord } from "#lib/json.ts";

export interface ConnectSearch {
  /** Where to go after connecting: a path of this studio. */
  back?: string;
}

/** The search part of `/connect`: only a path of this studio is a way back, never another site's address. */
export function readConnectSearch(raw: unknown): ConnectSearch {
  const back = isRecord(raw) ? raw.back : undefined;
  return typeof back === "string" && /^\/(?![/\\])/.test(back) && !back.startsWith("/connect") ? { back } : {};
}

/** For `beforeLoad`: sends a visitor without a connection to Connect, and remembers where they were going. */
export function requireConnection({ location }: { location: { href: string } }): void {
  if (getConnection()) return;
  const { back } = readConnectSearch({ back: location.href });
  throw redirect({ to: "/connect", search: back === undefined || back === "/create" ? {} : { back } });
}
