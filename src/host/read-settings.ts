// Readers of single settings. Each throws an Error with a sentence for a person when a value cannot be used.
import { readFileSync } from "node:fs";
import { parseUrl } from "#lib/parse-url.ts";

export type Environment = Record<string, string | undefined>;

export function readInteger<Fallback extends number | null>(
  env: Environment,
  name: string,
  fallback: Fallback,
  max: number,
  min = 0,
): number | Fallback {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`${name} is “${text}”. It must be a whole number from ${min} to ${max}.`);
}

export function readChoice<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const chosen = choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  const all = choices.join(", ").replace(/, ([^,]*)$/, " or $1");
  throw new Error(`${name} is “${text}”. It must be ${all}.`);
}

/** Words that spaces or commas separate. */
export function readWords(text = ""): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** An origin such as `https://api.example.com`, without a path. `orElse` names what else the setting takes. */
export function readOrigin(name: string, entry: string, orElse = ""): string {
  const url = parseUrl(entry);
  const isBare = url?.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  if (url && isBare && /^https?:$/.test(url.protocol) && !url.hostname.includes("*")) return url.origin;
  throw new Error(`${name} contains “${entry}”. It must be an origin such as https://api.example.com${orElse}.`);
}

/**
 * The text of a setting that is a secret: the variable's, or that of the file which `<name>_FILE` names, without one
 * newline at its end. No message repeats the text.
 */
export function readSecretText(env: Environment, name: string): string | undefined {
  const text = env[name];
  const path = env[`${name}_FILE`];
  if (!path) return text;
  if (text) throw new Error(`${name} and ${name}_FILE are both set. Set only one of them.`);
  const content = readSettingsFile(`${name}_FILE`, path).replace(/\r?\n$/, "");
  if (content !== "") return content;
  throw new Error(`${name}_FILE is ${path}, and that file is empty.`);
}

/** The content of a file that a setting names. */
export function readSettingsFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error(`${name} is ${path}, and that file cannot be read (${codeOf(error)}).`);
  }
}

/** What a system call failed with, such as `ENOENT`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
