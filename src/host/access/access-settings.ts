import { BlockList, isIP } from "node:net";
import { type Environment, readWords } from "../read-settings.ts";
import { plainAddress } from "./peer-address.ts";

/** Who may use the studio: whoever knows the password, or whom a proxy in front of the host has signed in. */
export type AccessSettings = { kind: "password"; password: string } | { kind: "header"; name: string };

const SHORTEST_PASSWORD = 8;
const FORMS = "It must be password:<a password>, or header:<the name of a header that a trusted proxy sets>";

/** Reads `SAFELIGHT_ACCESS`. Throws an Error with a sentence, which never repeats the password. */
export function readAccess(text: string | undefined): AccessSettings | undefined {
  if (!text) return undefined;
  const [, kind, rest = ""] = /^(password|header):(.*)$/s.exec(text) ?? [];
  if (kind === "password") {
    if (rest.length >= SHORTEST_PASSWORD) return { kind, password: rest };
    throw new Error(
      `The password in SAFELIGHT_ACCESS is too short. It must have at least ${SHORTEST_PASSWORD} characters.`,
    );
  }
  if (kind !== "header") throw new Error(`SAFELIGHT_ACCESS cannot be read. ${FORMS}.`);
  const name = rest.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw new Error(`SAFELIGHT_ACCESS names no header. ${FORMS}.`);
  if (!FROM_EVERYBODY.test(name)) return { kind, name };
  throw new Error(`SAFELIGHT_ACCESS names the header ${rest}, which every browser or program sets by itself.`);
}

/** A header of that kind says nothing about who was signed in. */
const FROM_EVERYBODY =
  /^(host|cookie|origin|referer|user-agent|authorization|connection|accept.*|content-.*|sec-.*|if-.*|range|cache-control|x-forwarded-.*|x-safelight-.*)$/;

const LOOPBACK = ["127.0.0.0/8", "::1/128"];

/** Reads `SAFELIGHT_TRUSTED_PROXIES`: addresses, and networks such as `10.0.0.0/8`. Throws an Error with a sentence. */
export function readTrustedProxies(env: Environment): readonly string[] {
  const words = readWords(env.SAFELIGHT_TRUSTED_PROXIES);
  for (const word of words) if (!isNetwork(word)) throw wrongProxy(word);
  return words.length > 0 ? words : LOOPBACK;
}

function wrongProxy(word: string): Error {
  const wanted = "an IP such as 10.0.0.5, or a network such as 10.0.0.0/24 that is not every IP";
  return new Error(`SAFELIGHT_TRUSTED_PROXIES contains “${word}”. It must be ${wanted}.`);
}

function isNetwork(word: string): boolean {
  const [address = "", prefix, ...more] = word.split("/");
  const kind = isIP(address);
  if (kind === 0 || more.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (kind === 4 ? 32 : 128);
}

/** Whether an address is one of those that were read. */
export function addressMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return plain !== undefined && list.check(plain, isIP(plain) === 4 ? "ipv4" : "ipv6");
  };
}
