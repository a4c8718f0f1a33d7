import { useCallback, useEffect, useRef } from "react";
import type { JsonRecord } from "#lib/json.ts";
import { saveDraft } from "#storage/drafts.ts";

const QUIET_MS = 300;

/** Keeps the draft of a model: 300 ms after the last change, and at once when the page is left. */
export function useSavedDraft(scope: string, modelId: string): (payload: JsonRecord) => void {
  const pending = useRef<{ payload: JsonRecord; timer: ReturnType<typeof setTimeout> }>(undefined);

  const flush = useCallback(() => {
    if (pending.current === undefined) return;
    clearTimeout(pending.current.timer);
    void saveDraft(scope, modelId, pending.current.payload);
    pending.current = undefined;
  }, [scope, modelId]);

  useEffect(() => {
    // `pagehide` is the last event that a phone's browser is sure to send.
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, [flush]);

  return useCallback(
    (payload: JsonRecord) => {
      if (pending.current !== undefined) clearTimeout(pending.current.timer);
      pending.current = { payload, timer: setTimeout(flush, QUIET_MS) };
    },
    [flush],
  );
}
