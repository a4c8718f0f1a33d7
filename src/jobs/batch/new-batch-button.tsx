import { ListPlus } from "lucide-react";
import { useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { lazyNamed } from "#ui/lazy-named.tsx";

// Loaded with the first press: Create is the first screen, and most visits make no batch.
const OpenBatchOfForm = lazyNamed(() => import("./open-batch-of-form.tsx"), "OpenBatchOfForm");

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
  const [isOpening, setIsOpening] = useState(false);
  useCommands([
    {
      id: "create.batch",
      label: "Run a batch",
      group: "Run",
      icon: ListPlus,
      run: () => setIsOpening(true),
      unavailable: request === undefined ? "Complete the form first." : undefined,
    },
  ]);
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        data-command="create.batch"
        disabled={request === undefined}
        onClick={() => setIsOpening(true)}
      >
        <ListPlus aria-hidden="true" className="size-4" />
        Batch
      </Button>
      {request && isOpening && (
        <OpenBatchOfForm request={request} promptKey={promptKey} onDone={() => setIsOpening(false)} />
      )}
    </>
  );
}
