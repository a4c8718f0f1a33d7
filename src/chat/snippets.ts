import { useQuery } from "@tanstack/react-query";
import { useConnection } from "#connection/connection-store.ts";
import { storedRowQuery } from "#connection/stored-rows.ts";
import { asFilledText, isRecord } from "#lib/read.ts";
import { openRows } from "#storage/database.ts";
import { putChange, type RowKind, readOne, refuseNewer } from "#storage/typed-rows.ts";

/** A text that is saved under a name, to be inserted into messages. Names are unique. */
export interface Snippet {
  name: string;
  /** `{{word}}` in it stands for what is filled in when it is inserted. */
  text: string;
}

export const MOST_SNIPPETS = 300;
export const LONGEST_NAME = 80;
export const LONGEST_SNIPPET = 40_000;

// One row for each account: exported and deleted with its other rows.
const snippetRows: RowKind<readonly Snippet[]> = {
  store: "settings",
  version: 1,
  read: (raw) => (Array.isArray(raw) ? readSnippets(raw) : undefined),
};
const keyOf = (accountId: string) => `snippets|${accountId}`;

function readSnippets(raw: readonly unknown[]): Snippet[] {
  const found = new Map<string, Snippet>();
  for (const one of raw.slice(0, MOST_SNIPPETS)) {
    if (!isRecord(one)) continue;
    const name = snippetName(asFilledText(one.name) ?? "");
    const text = asFilledText(one.text)?.slice(0, LONGEST_SNIPPET);
    if (name !== "" && text !== undefined) found.set(name, { name, text });
  }
  return [...found.values()];
}

/** A name as it is stored: one line, at most 80 characters; empty where nothing is left. */
export const snippetName = (text: string) => text.replace(/\s+/g, " ").trim().slice(0, LONGEST_NAME);

/** Every snippet of an account, by name. Rejects where the database cannot be read. */
export async function loadSnippets(accountId: string): Promise<readonly Snippet[]> {
  return (await readOne(await openRows(), snippetRows, keyOf(accountId))) ?? [];
}

/** Stores a text under a name; one of the same name is replaced. Rejects with `StorageError` where nothing was written. */
export function saveSnippet(accountId: string, { name, text }: Snippet): Promise<void> {
  const snippet = { name: snippetName(name), text: text.slice(0, LONGEST_SNIPPET) };
  return change(accountId, (all) => [...all.filter((one) => one.name !== snippet.name), snippet]);
}

/** Gives a snippet another name, in the place of one that had it. Rejects as `saveSnippet`. */
export function renameSnippet(accountId: string, from: string, to: string): Promise<void> {
  const name = snippetName(to);
  return change(accountId, (all) =>
    all
      .filter((one) => one.name === from || one.name !== name)
      .map((one) => (one.name === from ? { ...one, name } : one)),
  );
}

/** Deletes a snippet, if it is there. Rejects as `saveSnippet`. */
export function removeSnippet(accountId: string, name: string): Promise<void> {
  return change(accountId, (all) => all.filter((one) => one.name !== name));
}

async function change(accountId: string, next: (all: readonly Snippet[]) => readonly Snippet[]): Promise<void> {
  const key = keyOf(accountId);
  const rows = await openRows();
  await rows.edit({ store: snippetRows.store, key }, (row) => {
    refuseNewer(snippetRows, row);
    const all = next((row && snippetRows.read(row.body, row)) ?? []);
    const sorted = all.slice(-MOST_SNIPPETS).toSorted((a, b) => a.name.localeCompare(b.name));
    return { changes: [putChange(snippetRows, accountId, key, sorted)], result: undefined };
  });
}

const VARIABLE = /\{\{\s*([\p{L}\p{N}_][\p{L}\p{N}_ -]{0,40}?)\s*\}\}/gu;

/** The words that are filled in, each once, in the order of the text. */
export function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = ""]) => name))];
}

/** The text with its words filled in; one without a value stays as it is. */
export function fillSnippet(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(VARIABLE, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || value === "" ? whole : value;
  });
}

const NONE: readonly Snippet[] = [];

/** The snippets of the current account, over all tabs; none until they were read. */
export function useSnippets(): readonly Snippet[] {
  return useQuery(storedRowQuery(snippetRows, keyOf(useConnection()?.accountId ?? ""))).data ?? NONE;
}
