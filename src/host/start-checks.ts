import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import type { HostSettings } from "./host-settings.ts";

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

function readSettingsFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${name} is ${path}, and that file cannot be read (${codeOf(error)}).`);
  }
}

/** Throws an Error with a sentence where the host cannot write to its data folder. A Redis is checked when it is needed. */
export function requireDataFolder({ dataFolder, port, redisUrl }: HostSettings): void {
  if (redisUrl !== undefined || port === 0) return;
  try {
    const folder = join(dataFolder, `attempts-${port}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The Safelight server cannot write to ${dataFolder} (${codeOf(error)}). Set SAFELIGHT_DATA to a folder of its own.`,
    );
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
