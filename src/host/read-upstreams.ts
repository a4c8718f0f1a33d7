import { isIP } from "node:net";
import { getPublicSuffix } from "tldts";
import { parseUrl } from "#lib/parse-url.ts";
import { readOrigin, readWords } from "./read-settings.ts";

export interface Upstreams {
  /** Exact origins, for every use. */
  origins: readonly string[];
  /** `https://*.example.com`, for uploads and media only: storage names its hosts as it likes. */
  storagePatterns: readonly string[];
}

const NAME = "SAFELIGHT_UPSTREAMS";
const PATTERN = "https://*.";

/** Reads `SAFELIGHT_UPSTREAMS`. Unset differs from empty, which means nowhere. Throws an Error with a sentence. */
export function readUpstreams(text: string | undefined): Upstreams | undefined {
  if (text === undefined) return undefined;
  const entries = readWords(text);
  const isPattern = (entry: string) => entry.startsWith(PATTERN);
  const orElse = ", or https://*.example.com for file hosts";
  return {
    origins: entries.filter((entry) => !isPattern(entry)).map((entry) => readOrigin(NAME, entry, orElse)),
    storagePatterns: entries.filter(isPattern).map((entry) => readPattern(entry, orElse)),
  };
}

function readPattern(entry: string, orElse: string): string {
  const origin = readOriginOf(entry, orElse);
  const { hostname } = new URL(origin);
  if (!isOpenToAll(hostname)) return origin.replace("://", "://*.");
  throw new Error(`${NAME} contains “${entry}”. Anyone can get a name below ${hostname}, so list each host by itself.`);
}

function readOriginOf(entry: string, orElse: string): string {
  const withoutStar = entry.replace("*.", "");
  if (!parseUrl(withoutStar)) throw new Error(`${NAME} contains “${entry}”, which is not a URL.`);
  return readOrigin(NAME, withoutStar, orElse);
}

/** Storages in which anybody gets a name below this one. The list of public suffixes lacks them, or a part of their names. */
const SHARED_STORAGE = [
  "aliyuncs.com",
  "amazonaws.com",
  "amazonaws.com.cn",
  "backblazeb2.com",
  "b-cdn.net",
  "bcebos.com",
  "cloudflarestorage.com",
  "core.windows.net",
  "googleapis.com",
  "googleusercontent.com",
  "idrivee2.com",
  "ionoscloud.com",
  "linodeobjects.com",
  "myhuaweicloud.com",
  "myqcloud.com",
  "oraclecloud.com",
  "ovh.net",
  "scw.cloud",
  "storage.azure.net",
  "storageapi.dev",
  "tigris.dev",
  "vultrobjects.com",
  "wasabisys.com",
  "windows.net",
  "your-objectstorage.com",
];

/** First labels below which storages and shared hosting have their customers: `s3.eu-west-1.example.com`. */
const SHARED_LABELS = ["s3", "blob.core", "web.core", "storage", "app", "apps", "eu", "us"];

/**
 * Whether a wildcard below this name would take in hosts of strangers: it is a public suffix (`com`, `co.uk`), a private
 * one (`github.io`, a storage's), or such a one stands below it. Of an address nothing stands below.
 */
function isOpenToAll(name: string): boolean {
  const host = name.replace(/\.$/, "");
  const isSuffix = (hostname: string) => getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname;
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0 || isSuffix(host) || isSuffix(`any.${host}`)) return true;
  if (SHARED_STORAGE.some((storage) => `.${host}`.endsWith(`.${storage}`))) return true;
  return SHARED_LABELS.some((label) => isSuffix(`${label}.${host}`));
}
