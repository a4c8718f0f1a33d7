import { type LookupAddress, type LookupOptions, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";
import { RelayRefusal } from "./relay-refusal.ts";

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
  return (hostname, options, callback) => {
    resolveAll(hostname).then(
      (addresses) => {
        const usable = addresses.filter(({ family }) => isWanted(options, family));
        const [first] = usable;
        if (!first || usable.some(({ address }) => !isPublicAddress(address))) {
          callback(privateAddress(hostname), "");
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
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) throw privateAddress(hostname);
}

function isWanted({ family }: LookupOptions, found: number): boolean {
  if (family === 4 || family === "IPv4") return found === 4;
  return family === 6 || family === "IPv6" ? found === 6 : true;
}

function privateAddress(hostname: string): RelayRefusal {
  return new RelayRefusal(
    403,
    "private_address",
    `${hostname} is not on the public internet, so the relay stays away.`,
  );
}
