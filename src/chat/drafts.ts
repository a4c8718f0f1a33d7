import { create } from "zustand";
import { isRecord } from "#lib/json.ts";

const KEY = "safelight:chat-drafts";

/** What is written and not sent yet, by conversation. Kept with the tab, so that neither a reload nor a look at another screen loses it. */
const useDrafts = create<Readonly<Record<string, string>>>(readKept);

export function useDraft(conversationId: string): string {
  return useDrafts((drafts) => drafts[conversationId] ?? "");
}

/** Those of temporary conversations, which live as long as the page. */
const unkept = new Set<string>();

export function setDraft(conversationId: string, text: string, { isTemporary = false } = {}): void {
  if (isTemporary) unkept.add(conversationId);
  const { [conversationId]: _, ...others } = useDrafts.getState();
  const drafts = text === "" ? others : { ...others, [conversationId]: text };
  useDrafts.setState(drafts, true);
  const kept = Object.entries(drafts).filter(([id]) => !unkept.has(id));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Full or refused: the text lives as long as the page.
  }
}

/** Forgets every draft: another connection must not read them. */
export function clearDrafts(): void {
  useDrafts.setState({}, true);
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Refused: then nothing was kept.
  }
}

function readKept(): Record<string, string> {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    if (!isRecord(raw)) return {};
    return Object.fromEntries(
      Object.entries(raw).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return {};
  }
}
