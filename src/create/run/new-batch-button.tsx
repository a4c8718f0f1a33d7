import { useNavigate } from "@tanstack/react-router";
import { ListPlus } from "lucide-react";
import { useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { addBatch } from "#batch/runner/batch-edits.ts";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/commands.ts";
import { toast } from "#ui/toast-store.ts";
import { createCommands } from "../commands.ts";
import { batchOfForm } from "./batch-of-form.ts";

/** Opens the form as a new batch: there it gets more prompts, seeds or models. Nothing is submitted. */
export function NewBatchButton({
  request,
  promptKey,
}: {
  /** Undefined while the form cannot be sent. */
  request: JobRequest | undefined;
  /** The parameter that the prompts of the batch fill. */
  promptKey: string | undefined;
}) {
  const navigate = useNavigate();
  const [isOpening, setIsOpening] = useState(false);
  async function open() {
    // A second press while the first is stored would make a second batch.
    if (request === undefined || isOpening) return;
    setIsOpening(true);
    const batch = batchOfForm(request, promptKey);
    try {
      await addBatch({ rows: browserRows, accountId: getConnection()?.accountId ?? "" }, batch);
      await navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
    } catch {
      const body = "Free some disk space, then try again.";
      toast({ tone: "error", title: "Couldn’t save the batch", body });
    }
    setIsOpening(false);
  }
  useCommands([
    {
      ...createCommands.batch,
      icon: ListPlus,
      run: () => void open(),
      unavailable: request === undefined ? "Complete the form first" : undefined,
    },
  ]);
  return (
    <Button
      size="sm"
      variant="ghost"
      data-command={createCommands.batch.id}
      disabled={request === undefined}
      onClick={() => void open()}
    >
      <ListPlus aria-hidden="true" className="size-4" />
      Batch
    </Button>
  );
}
