import { useEffect, useState } from "react";
import { useConnection } from "#connection/connection-store.ts";
import type { JsonRecord } from "#lib/json.ts";
import { loadDraft, saveDraft } from "#storage/drafts.ts";
import { dropLateDraft, lateDraft } from "./late-draft.ts";

/** What the form starts with: the draft of this model. Undefined while it is being read. */
export function useStartingPayload(modelId: string): JsonRecord | undefined {
  const accountId = useConnection()?.accountId ?? "";
  const [payload, setPayload] = useState<JsonRecord>();
  useEffect(() => {
    let current = true;
    const late = lateDraft(accountId, modelId);
    if (late) void saveDraft(accountId, modelId, late).then(dropLateDraft);
    void loadDraft(accountId, modelId).then((draft) => current && setPayload(late ?? draft?.payload ?? {}));
    return () => {
      current = false;
    };
  }, [accountId, modelId]);
  return payload;
}
