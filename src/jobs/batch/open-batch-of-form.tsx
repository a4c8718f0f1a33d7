import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef } from "react";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import { toast } from "#ui/toast-store.ts";
import { addBatch } from "./batch-edits.ts";
import { batchOfForm } from "./batch-of-form.ts";

interface OpenBatchOfFormProps {
  request: JobRequest;
  promptKey: string | undefined;
  onDone: () => void;
}

/** Stores the batch of a form and opens it, once. Nothing is sent. It shows nothing itself. */
export function OpenBatchOfForm({ request, promptKey, onDone }: OpenBatchOfFormProps) {
  const navigate = useNavigate();
  const hasBegun = useRef(false);
  const open = useEffectEvent(async () => {
    const batch = batchOfForm(request, promptKey);
    try {
      await addBatch({ rows: browserRows, accountId: getConnection()?.accountId ?? "" }, batch);
      await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
    } catch {
      const body = "Nothing was charged. Free some storage, then try again.";
      toast({ tone: "error", title: "This browser could not save the batch", body });
    }
    onDone();
  });
  useEffect(() => {
    // An effect may run twice, and would make two batches.
    if (hasBegun.current) return;
    hasBegun.current = true;
    void open();
  }, []);
  return null;
}
