import { useBatchDocument } from "../batch-document.ts";

/** The axes of a batch as chips, each with its editor, and the other places that runs come from. */
export function SourcesBar() {
  const { batch } = useBatchDocument();
  return <fieldset aria-label="Sources of runs" className="m-0 min-h-12 border-0 p-0" data-batch={batch.id} />;
}
