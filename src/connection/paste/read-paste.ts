import { findPastedAddresses, unescaped } from "./find-addresses.ts";
import { findPastedKey } from "./find-key.ts";

/** What stands in a text that a person copied from a service's docs, a program or a settings file. */
export interface Pasted {
  /** Addresses without query and credentials, each once, as they stand. Nothing is asked of them here. */
  addresses: string[];
  /** A key that was written out. What only stands for one (`$API_KEY`, `<API_KEY>`, `YOUR_API_KEY`) is none. */
  key: string | undefined;
  /** There is a place for a key, and no key in it. */
  hasPlaceholder: boolean;
  /** The key stands in an `x-api-key` header. */
  usesApiKeyHeader: boolean;
}

/** More than any example has. What follows is not read. */
const MOST_CHARACTERS = 20_000;

/**
 * Finds the addresses and the key in a pasted text: an address, a command, a program, a settings file, or a bare key.
 * Reads at most 20,000 characters, in time that grows with their number. Nothing that it gives holds on to the text.
 * Never throws.
 */
export function readPaste(text: string): Pasted {
  const lines = joinLines(text.slice(0, MOST_CHARACTERS));
  const { key, hasPlaceholder, usesApiKeyHeader } = findPastedKey(unescaped(lines));
  const addresses = findPastedAddresses(lines, key);
  // Through JSON, because a part of a text keeps the whole text alive, with the key in it.
  const copy = JSON.parse(JSON.stringify({ addresses, key: key ?? null })) as {
    addresses: string[];
    key: string | null;
  };
  return { addresses: copy.addresses, key: copy.key ?? undefined, hasPlaceholder, usesApiKeyHeader };
}

/** The same text without characters that nobody sees, and with the key masked wherever it stands: its last four characters remain. */
export function maskKey(text: string, key: string): string {
  return text.replace(/\p{Cf}/gu, "").replaceAll(key, `····${key.slice(-4)}`);
}

/** One line for a command of several: `\` in a shell, `^` in Windows' own, a backtick in PowerShell. */
function joinLines(text: string): string {
  const plain = text
    .replace(/\r\n?/g, "\n")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[\\`][ \t]{0,10}\n[ \t]{0,40}/g, " ");
  if (!/\^[ \t]{0,10}\n|\^"/.test(plain)) return plain;
  return plain.replace(/\^[ \t]{0,10}\n[ \t]{0,40}/g, " ").replace(/\^(["&|<>^%!\\])/g, "$1");
}
