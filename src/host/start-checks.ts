import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSecureContext } from "node:tls";
import { getDomain } from "tldts";
import type { HostSettings } from "./host-settings.ts";
import { codeOf, readSettingsFile } from "./read-settings.ts";

/** Reads the files of TLS. Throws an Error with a sentence where one cannot be read, or they do not go together. */
export function readTls(files: HostSettings["tlsFiles"]): { key: string; cert: string } | undefined {
  if (!files) return undefined;
  const tls = {
    key: readSettingsFile("SAFELIGHT_TLS_KEY", files.key),
    cert: readSettingsFile("SAFELIGHT_TLS_CERT", files.cert),
  };
  try {
    createSecureContext(tls);
    return tls;
  } catch {
    throw new Error(
      "SAFELIGHT_TLS_KEY and SAFELIGHT_TLS_CERT do not name a private key and its certificate, both in PEM form.",
    );
  }
}

/** Throws an Error with a sentence where the host cannot write to its data folder. A Redis is checked when it is needed. */
export function requireDataFolder({ dataFolder, port, redisUrl }: HostSettings): void {
  if (redisUrl !== undefined || port === 0) return;
  try {
    const folder = join(dataFolder, `attempts-${port}`);
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The Safelight server cannot write to ${dataFolder} (${codeOf(error)}). Set SAFELIGHT_DATA to a folder of its own.`,
    );
  }
}

/**
 * Makes a folder and those above it. Node's own way (`recursive`) never ends where a folder exists and says of everything
 * in it that it does not, as /proc does.
 */
function makeFolder(path: string): void {
  const make = () => mkdirSync(path, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (codeOf(error) === "ENOENT" && dirname(path) !== path) {
      makeFolder(dirname(path));
      make();
    } else if (!isFolder(path)) {
      throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What an operator should know of settings that can be used, a line each. No line holds a secret. */
export function startNotices({ upstreams, sessionSecret, redisUrl }: HostSettings): string[] {
  const opened = (upstreams?.storagePatterns ?? []).filter((pattern) => {
    const { hostname } = new URL(pattern.replace("*.", ""));
    return getDomain(hostname, { allowPrivateDomains: true }) === hostname;
  });
  const notices = opened.map((pattern) => {
    const name = pattern.replace("https://*.", "");
    return `SAFELIGHT_UPSTREAMS has ${pattern}: files may go to and come from every host below ${name}.`;
  });
  if (sessionSecret === undefined || redisUrl !== undefined) return notices;
  return [
    ...notices,
    "SAFELIGHT_SESSION_SECRET is set without SAFELIGHT_REDIS_URL: another server with the same secret does not learn of sessions and sign-ins that end here.",
  ];
}
