import { namedKind } from "#connection/named-list.ts";
import type { Named } from "#lib/named-list.ts";
import { asFilledText } from "#lib/read.ts";

/** A text that is saved under a name, to be inserted into messages. */
export interface Snippet extends Named {
  /** A `{{word}}` in it is a variable, filled in when the snippet is inserted. */
  text: string;
}

/** The snippets of an account. */
export const snippets = namedKind<Snippet>("snippets", (raw, name) => {
  const text = asFilledText(raw.text);
  return text === undefined ? undefined : { name, text };
});

const VARIABLE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_ -]{0,40}?)\s*\}\}/gu;

/** The names of the variables of a text, each once, in order. */
export function findVariables(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name))];
}

/** A text with its variables filled in. A variable without a value stays as it is. */
export function fillSnippet(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === "" ? whole : value;
  });
}
