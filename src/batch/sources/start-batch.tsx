import { useParams } from "@tanstack/react-router";
import { type RunTarget, useDocumentTarget, useNewBatchTarget } from "../batch-document.ts";
import { CombineForm, useStartDraft } from "./combine-form.tsx";
import { TemplateLink } from "./recipes-dialog.tsx";
import { SourceButtons } from "./source-buttons.tsx";

interface StartBatchProps {
  onStart?: (batchId: string) => void;
}

/**
 * The first step of a batch: a form for combinations, or another source of runs. On `/batch` there is no batch yet; it is stored
 * with its first runs. `onStart` then gets its id; without it the screen of the batch opens.
 */
export function StartBatch({ onStart }: StartBatchProps) {
  const params = useParams({ from: "/studio/batch/$batchId", shouldThrow: false });
  return params === undefined ? <StartNew {...(onStart ? { onStart } : {})} /> : <StartEmpty />;
}

function StartNew({ onStart }: StartBatchProps) {
  const target = useNewBatchTarget(onStart);
  return (
    <>
      <Start target={target} />
      <TemplateLink target={target} />
    </>
  );
}

function StartEmpty() {
  return <Start target={useDocumentTarget()} />;
}

function Start({ target }: { target: RunTarget }) {
  const { models, settings } = useStartDraft(({ axes }) => axes);
  return (
    <section aria-label="New batch" className="mx-auto w-full max-w-180 px-4 py-8 max-sm:py-5">
      <h2 className="m-0 font-semibold text-lg">New batch</h2>
      <p className="m-0 mt-1 mb-6 text-ink-2">
        Many runs in one table, each with its exact price before anything is submitted.
      </p>
      <CombineForm target={target} />
      <div className="mt-8 border-line border-t pt-5">
        <h3 className="m-0 mb-2.5 font-medium text-sm text-ink-2">Or start with</h3>
        <SourceButtons isStart target={target} models={models} settings={settings} />
      </div>
    </section>
  );
}
