import type { Upstreams } from "../host-settings.ts";
import { RelayRefusal } from "./relay-refusal.ts";
import type { RelayTarget } from "./relay-target.ts";

/** `configured`: SAFELIGHT_UPSTREAMS says where to. `typed`: a person's own machine, so what they typed. `off`: neither. */
export type RelayMode = "configured" | "typed" | "off";

export interface RelayPolicy {
  mode: RelayMode;
  /** Origins that are allowed now; patterns among them only for uploads and media. */
  allowed(): { origins: string[]; storage: string[] };
  /** Takes in an origin that a person typed or a service named. Throws a RelayRefusal when the mode is not `typed`. */
  add(origin: string, use: "api" | "storage"): void;
  /** Throws a RelayRefusal unless the target is allowed; tells whether it may be a private address. */
  require(target: RelayTarget): { mayBePrivate: boolean };
}

const MOST_TYPED = 200;

/** The rules of where the relay may go. */
export function createRelayPolicy(upstreams: Upstreams | undefined, isLoopback: boolean): RelayPolicy {
  const mode: RelayMode = upstreams ? "configured" : isLoopback ? "typed" : "off";
  const origins = new Set(upstreams?.origins);
  const storage = new Set(upstreams?.storagePatterns);

  return {
    mode,
    allowed: () => ({ origins: [...origins], storage: [...storage] }),
    add(origin, use) {
      if (mode !== "typed") throw notAllowed("This studio's relay is set up by whoever runs it.");
      if (!/^https:\/\//.test(origin)) throw notAllowed("The relay goes to https addresses only.");
      const known = use === "api" ? origins : storage;
      known.add(origin);
      const [oldest] = known;
      if (known.size > MOST_TYPED && oldest !== undefined) known.delete(oldest);
    },
    require({ use, origin }) {
      const isNamed = origins.has(origin);
      const isStorage = use !== "api" && [...storage].some((pattern) => matches(origin, pattern));
      if (!isNamed && !isStorage)
        throw notAllowed(`${origin} is not among the addresses this studio's relay may reach.`);
      if (!isNamed && !origin.startsWith("https:")) throw notAllowed("The relay goes to https addresses only.");
      return { mayBePrivate: isNamed && mode === "configured" };
    },
  };
}

function matches(origin: string, pattern: string): boolean {
  if (!pattern.startsWith("https://*.")) return origin === pattern;
  return origin.startsWith("https://") && origin.length > pattern.length - 1 && origin.endsWith(pattern.slice(9));
}

function notAllowed(message: string): RelayRefusal {
  return new RelayRefusal(403, "not_allowed", message);
}
