import { BlockList, isIP } from "node:net";
import { isGuessablePassword } from "../guessable.ts";
import { readWords } from "../read-settings.ts";
import { plainAddress } from "./peer-address.ts";

/** Who may use the studio: whoever knows the password, or whom a proxy in front of the host has signed in. */
export type AccessSettings = { kind: "password"; password: string } | { kind: "header"; name: string };

const SHORTEST_PASSWORD = 8;
const FORMS = "It must be password:<a password>, or header:<the name of a header that a trusted proxy sets>";

/**
 * Reads `SAFELIGHT_ACCESS`. A password may not be made of the name that people open. Throws an Error with a sentence,
 * which never repeats the password.
 */
export function readAccess(text: string | undefined, publicOrigin?: string): AccessSettings | undefined {
  if (!text) return undefined;
  const [, kind, rest = ""] = /^(password|header):(.*)$/s.exec(text) ?? [];
  if (kind === "password") {
    if (rest.length < SHORTEST_PASSWORD) {
      throw new Error(
        `The password in SAFELIGHT_ACCESS is too short. It must have at least ${SHORTEST_PASSWORD} characters.`,
      );
    }
    if (!isGuessablePassword(rest, namesOf(publicOrigin))) return { kind, password: rest };
    throw new Error("The password in SAFELIGHT_ACCESS can be guessed. Take several words that do not belong together.");
  }
  if (kind !== "header") throw new Error(`SAFELIGHT_ACCESS cannot be read. ${FORMS}.`);
  const name = rest.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw new Error(`SAFELIGHT_ACCESS names no header. ${FORMS}.`);
  if (FROM_EVERYBODY.test(name)) {
    throw new Error(`SAFELIGHT_ACCESS names the header ${rest}, which every browser or program sets by itself.`);
  }
  if (name.split(/[^a-z]+/).some((part) => NAMES_A_PERSON.test(part))) return { kind, name };
  throw new Error(
    `SAFELIGHT_ACCESS names the header ${rest}, which does not say that it names a person. Take one such as X-Remote-User.`,
  );
}

/** What the address bar shows: the origin's name, with and without its dots, and the parts of it. */
function namesOf(publicOrigin: string | undefined): string[] {
  const hostname = publicOrigin === undefined ? "" : new URL(publicOrigin).hostname;
  return [hostname, ...hostname.split(".").filter((part) => part !== hostname)];
}

/**
 * A part of a header's name that says that a person is in it. Browsers and proxies send many other headers with every
 * request, signed in or not, and new ones each year: whoever names one of these has let everybody in.
 */
const NAMES_A_PERSON =
  /^(web)?(auth)?(user(name|id|email)?|email|mail|login|person|member|account|subject|sub|principal|identity|uid|upn|eppn)$/;

/** A header of that kind says nothing about who was signed in. */
const FROM_EVERYBODY =
  /^(host|cookie|origin|referer|user-agent|authorization|connection|accept.*|content-.*|sec-.*|if-.*|range|cache-control|x-forwarded-.*|x-safelight-.*)$/;

/** Reads `SAFELIGHT_TRUSTED_PROXIES`: addresses, and networks such as `10.0.0.0/8`. Throws an Error with a sentence. */
export function readTrustedProxies(text: string | undefined): readonly string[] {
  const words = readWords(text);
  const networks = words.map(readNetwork);
  for (const family of ["ipv4", "ipv6"] as const) {
    const open = networks.filter((network) => network.family === family && !isPrivate(network));
    const share = open.reduce((sum, { prefix }) => sum + 2 ** -prefix, 0);
    if (share > LARGEST_SHARE[family]) throw tooManyStrangers(open);
  }
  return words;
}

interface Network {
  word: string;
  address: string;
  prefix: number;
  family: "ipv4" | "ipv6";
}

/** All IPv4 addresses in the spelling of IPv6. */
const MAPPED_IPV4: Network = { word: "", address: "::ffff:0.0.0.0", prefix: 96, family: "ipv6" };

/** Networks of IPv6 in which every IPv4 address has one: its own spelling, translation (NAT64) and Teredo. */
const WITHIN_IPV6 = [MAPPED_IPV4.address, "64:ff9b::", "2001::"];

/** Networks in which no stranger has an address, unless the operator let them in. */
const PRIVATE = ["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]
  .concat(["::1/128", "fc00::/7", "fe80::/10"])
  .map(readNetwork);

/** How much of the internet the other networks may be together. The largest network of proxies for hire is below it. */
const LARGEST_SHARE = { ipv4: 2 ** -10, ipv6: 2 ** -26 };

function isPrivate({ address, prefix, family }: Network): boolean {
  return PRIVATE.some((range) => prefix >= range.prefix && contains(range, address, family));
}

function contains(range: Network, address: string, family: Network["family"]): boolean {
  const list = new BlockList();
  list.addSubnet(range.address, range.prefix, range.family);
  return range.family === family && list.check(address, family);
}

function tooManyStrangers(networks: readonly Network[]): Error {
  const named = networks.map(({ word }) => word).join(" ");
  return new Error(
    `SAFELIGHT_TRUSTED_PROXIES contains ${named}, so much of the internet that strangers would count as proxies: list only your own proxies.`,
  );
}

function readNetwork(word: string): Network {
  const [address = "", bits, ...more] = word.split("/");
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  const longest = family === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? longest : Number(bits);
  const isNumber = bits === undefined || /^\d{1,3}$/.test(bits);
  if (isIP(address) === 0 || more.length > 0 || !isNumber || prefix > longest) throw wrongProxy(word);
  const network: Network = { word, address, prefix, family };
  // IPv4 within IPv6 counts as IPv4: a network of it would be larger than it looks.
  if (contains(MAPPED_IPV4, address, family) && bits !== undefined) throw wrongProxy(word);
  const isAllOfIpv4 = WITHIN_IPV6.some((range) => contains(network, range, "ipv6"));
  if (isAllOfIpv4 && bits !== undefined) throw tooManyStrangers([network]);
  return network;
}

function wrongProxy(word: string): Error {
  const wanted = "an IP such as 10.0.0.5, or a network such as 10.0.0.0/24";
  return new Error(`SAFELIGHT_TRUSTED_PROXIES contains “${word}”. It must be ${wanted}.`);
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
