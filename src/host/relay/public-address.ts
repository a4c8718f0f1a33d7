import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { BlockList, isIP, isIPv4, type LookupFunction } from "node:net";
import { RelayRefusal } from "./relay-refusal.ts";

const SPECIAL_IPV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

// Only ranges within 2000::/3. Nothing outside of it is public: loopback, link-local, unique local, mapped IPv4.
const SPECIAL_IPV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, "ipv6");
const globalIpv6 = new BlockList();
globalIpv6.addSubnet("2000::", 3, "ipv6");

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** True for an IP address of the public internet: no private, loopback, link-local, test or multicast range. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return !special.check(address, "ipv4");
  return globalIpv6.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Resolves a name to all its addresses. Tests bring their own. */
export type ResolveAll = (hostname: string) => Promise<LookupAddress[]>;

export const resolveBySystem: ResolveAll = (hostname) =>
  new Promise((resolve, reject) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });

/**
 * A lookup for sockets that gives public addresses or fails. The socket connects to what it gives and asks nobody
 * again, so a name cannot be public when checked and private when used.
 */
export function publicLookup(resolveAll: ResolveAll): LookupFunction {
  return checkedLookup(resolveAll, isPublicAddress, notPublic);
}

/** A lookup for the name `localhost` that gives addresses of this machine's loopback or fails: see `publicLookup`. */
export function loopbackLookup(resolveAll: ResolveAll): LookupFunction {
  const isLoopback = (address: string) => loopback.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  const refusal = (name: string) => new RelayRefusal(403, "private_address", `${name} does not point to this machine.`);
  return checkedLookup(resolveAll, isLoopback, refusal);
}

function checkedLookup(
  resolveAll: ResolveAll,
  isRight: (address: string) => boolean,
  refusal: (hostname: string) => RelayRefusal,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname).then(
      (addresses) => {
        const usable = addresses.filter(({ family }) => isWanted(options, family));
        const [first] = usable;
        if (!first || usable.some(({ address }) => !isRight(address))) {
          callback(refusal(hostname), "");
        } else if (options.all) {
          callback(null, usable);
        } else {
          callback(null, first.address, first.family);
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, ""),
    );
  };
}

/** Refuses an address written out as a number, for which no lookup happens. */
export function refusePrivateLiteral(hostname: string): void {
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) throw notPublic(hostname);
}

function isWanted({ family }: LookupOptions, found: number): boolean {
  if (family === 4 || family === "IPv4") return found === 4;
  return family === 6 || family === "IPv6" ? found === 6 : true;
}

function notPublic(hostname: string): RelayRefusal {
  return new RelayRefusal(
    403,
    "private_address",
    `${hostname} is not on the public internet. The Safelight server connects to it only if SAFELIGHT_UPSTREAMS lists it.`,
  );
}
