import { setDraft } from "#text/conversations/unsent-messages.ts";

/**
 * Puts a text where the caret of the composer stands, in place of what is selected there, and gives it the focus with the
 * caret behind the text. Without a composer on the screen the text is added to the draft.
 */
export function insertIntoMessage(
  conversation: { id: string; isTemporary: boolean },
  text: string,
  draft: string,
): void {
  const area = document.querySelector<HTMLTextAreaElement>("textarea[data-composer]");
  const [start, end] = area ? [area.selectionStart, area.selectionEnd] : [draft.length, draft.length];
  setDraft(conversation.id, draft.slice(0, start) + text + draft.slice(end), conversation);
  // After React has written it, and after a dialog has given the focus back.
  setTimeout(() => {
    area?.focus();
    area?.setSelectionRange(start + text.length, start + text.length);
  });
}
