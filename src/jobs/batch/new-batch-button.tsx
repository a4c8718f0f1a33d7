import { ListPlus } from "lucide-react";
import { useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { Button } from "#ui/button.tsx";
import { useCommands } from "#ui/command-store.ts";
import { lazyNamed } from "#ui/lazy-named.tsx";

const NewBatchDialog = lazyNamed(() => import("./new-batch-dialog.tsx"), "NewBatchDialog");

/** Opens the dialog that makes a batch of the form as it is. */
export function NewBatchButton({
  request,
  promptKey,
}: {
  /** Undefined while the form cannot be sent. */
  request: JobRequest | undefined;
  /** The parameter that a list of prompts fills. */
  promptKey: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  useCommands([
    {
      id: "create.batch",
      label: "Run a batch",
      group: "Run",
      icon: ListPlus,
      run: () => setIsOpen(true),
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
        onClick={() => setIsOpen(true)}
      >
        <ListPlus aria-hidden="true" className="size-4" />
        Batch
      </Button>
      {request && isOpen && <NewBatchDialog open onOpenChange={setIsOpen} request={request} promptKey={promptKey} />}
    </>
  );
}
