import { ListPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { JobRequest } from "#api/types.ts";
import { Button } from "#ui/button.tsx";

const LineUpDialog = lazy(() => import("./line-up-dialog.tsx").then((module) => ({ default: module.LineUpDialog })));

/** Opens the dialog that lines up several runs of the form as it is. */
export function LineUpButton({
  request,
  promptKey,
}: {
  /** Undefined while the form cannot be sent. */
  request: JobRequest | undefined;
  /** The parameter that a list of prompts fills. */
  promptKey: string | undefined;
}) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="ghost" disabled={request === undefined} onClick={() => setIsOpen(true)}>
        <ListPlus aria-hidden="true" className="size-4" />
        Line up
      </Button>
      {request && isOpen && (
        <Suspense>
          <LineUpDialog open onOpenChange={setIsOpen} request={request} promptKey={promptKey} />
        </Suspense>
      )}
    </>
  );
}
