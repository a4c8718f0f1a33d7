import { useCallback, useEffect, useRef } from "react";
import type { JsonRecord } from "#lib/json.ts";
import { saveDraft } from "#storage/drafts.ts";
import { dropLateDraft, keepLateDraft } from "./late-draft.ts";

const QUIET_MS = 300;

/** Keeps the draft of a model: 300 ms after the last change, and at once when the page is left. */
export function useSavedDraft(accountId: string, modelId: string): (payload: JsonRecord) => void {
  const pending = useRef<{ payload: JsonRecord; timer: ReturnType<typeof setTimeout> }>(undefined);

  const flush = useCallback(() => {
    if (pending.current === undefined) return;
    clearTimeout(pending.current.timer);
    dropLateDraft();
    void saveDraft(accountId, modelId, pending.current.payload);
    pending.current = undefined;
  }, [accountId, modelId]);

  useEffect(() => {
    // `pagehide` is the last event that a phone's browser is sure to send.
    const leave = () => {
      const last = pending.current?.payload;
      flush();
      if (last) keepLateDraft(accountId, modelId, last);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      flush();
    };
  }, [flush, accountId, modelId]);

  return useCallback(
    (payload: JsonRecord) => {
      if (pending.current !== undefined) clearTimeout(pending.current.timer);
      pending.current = { payload, timer: setTimeout(flush, QUIET_MS) };
    },
    [flush],
  );
}
