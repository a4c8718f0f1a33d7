import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** An address as one spelling: IPv4 within IPv6 becomes IPv4. Undefined for what is no address. */
export function plainAddress(address: string | undefined): string | undefined {
  const bare =
    address
      ?.trim()
      .replace(/^\[|\]$/g, "")
      .replace(/%.*$/, "") ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(mapped) === 0 ? undefined : mapped.toLowerCase();
}

/**
 * Whose tries are counted together: the address of the person, read from `X-Forwarded-For` only as far as trusted
 * proxies wrote it. Of IPv6, the network: one machine has as many addresses in it as it likes.
 */
export function getClientAddress(
  headers: IncomingHttpHeaders,
  peer: string | undefined,
  isTrusted: (address: string | undefined) => boolean,
): string {
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  let client = plainAddress(peer);
  while (client !== undefined && isTrusted(client) && hops.length > 0) {
    const previousHop = plainAddress(hops.pop());
    if (previousHop === undefined) break;
    client = previousHop;
  }
  if (client === undefined) return "unknown";
  return isIP(client) === 6 ? getNetwork(client) : client;
}

/** The first 64 bits. */
function getNetwork(address: string): string {
  const [head = "", tail] = address.split("::");
  const headGroups = head === "" ? [] : head.split(":");
  const tailGroups = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - headGroups.length - tailGroups.length);
  const groups = [...headGroups, ...Array<string>(zeros).fill("0"), ...tailGroups];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
