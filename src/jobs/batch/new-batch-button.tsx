import { useNavigate } from "@tanstack/react-router";
import { ListPlus } from "lucide-react";
import { useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { getConnection } from "#connection/connection-store.ts";
import { browserRows } from "#storage/database.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { toast } from "#ui/toast.tsx";

/** Opens the form as it is as a new batch: there it gets more prompts, seeds, models or other axes. Nothing is sent. */
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
  const [isBusy, setIsBusy] = useState(false);
  async function open() {
    if (!request || isBusy) return;
    setIsBusy(true);
    try {
      // Loaded with the first press: Create is the first screen, and most visits make no batch.
      const { addBatchOfForm } = await import("./batch-from-form.ts");
      const where = { rows: browserRows, accountId: getConnection()?.accountId ?? "" };
      const batchId = await addBatchOfForm(where, request, promptKey);
      await navigate({ to: "/batch/$batchId", params: { batchId }, search: {} });
    } catch {
      toast({
        tone: "error",
        title: "The batch was not made",
        body: "Nothing was charged. Reload the page, then try again.",
      });
    } finally {
      setIsBusy(false);
    }
  }
  useCommands([
    {
      id: "create.batch",
      label: "Run a batch",
      group: "Run",
      icon: ListPlus,
      run: () => void open(),
      unavailable: request === undefined ? "Complete the form first." : undefined,
    },
  ]);
  return (
    <Button
      size="sm"
      variant="ghost"
      data-command="create.batch"
      disabled={request === undefined}
      busy={isBusy}
      onClick={() => void open()}
    >
      <ListPlus aria-hidden="true" className="size-4" />
      Batch
    </Button>
  );
}
