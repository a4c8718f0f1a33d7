import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { roomProblem } from "#batch/rows/group-runs.ts";
import { rowProblems } from "#batch/rows/row-problems.ts";
import type { ItemView } from "#batch/runner/item-states.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { visibleLine } from "#lib/visible-text.ts";
import { useRowPrices } from "#runs/prices/use-row-prices.ts";
import { Button } from "#ui/button.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { Commands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { type ChainResult, chainResults } from "./chain-results.ts";
import { ResultPicker } from "./result-picker.tsx";
import { StepChoices } from "./step-choices.tsx";
import { stepKinds } from "./step-kinds.ts";
import { makeStep, type StepPlan, type StepRun, stepName, stepRuns, withStep } from "./step-rows.ts";
import { type StepForm, StepSettings } from "./step-settings.tsx";
import { StepTotal } from "./step-total.tsx";
import { useAddStep } from "./use-add-step.ts";
import { useStepPlan } from "./use-step-plan.ts";

interface NextStepDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

const NO_RUNS: readonly StepRun[] = [];

/** Stands for a file that has no address yet, where its price is asked for. */
const STAND_IN = "https://example.com/input.png";

/**
 * Runs that are made from the results of chosen runs, with their price before anything is spent. They become drafts of the
 * batch; nothing is sent.
 */
export function NextStepDialog({ items, onClose }: NextStepDialogProps) {
  const { batch, items: all, jobs, edit } = useBatchDocument();
  const navigate = useNavigate();
  const [nowMs] = useState(() => Date.now());
  const { results, leftOut } = useMemo(() => chainResults(items, { all, jobs, nowMs }), [items, all, jobs, nowMs]);
  const kinds = useMemo(() => stepKinds(results), [results]);
  const [form, setForm] = useState<StepForm>();
  const choice = useStepPlan({
    batch,
    kinds,
    results,
    typed: form && { model: form.form.modelId, settings: form.settings },
  });
  const { kind, results: chosen, model, schema, field, way, endField, promptKey, catalogue } = choice;
  const current = form && schema && form.form.schema === schema ? form : undefined;
  const { state, addressOf, prepare } = useAddStep();

  const use = kind?.use ?? "file";
  const plan: StepPlan | undefined =
    model !== undefined && field && current
      ? { results: chosen, model, settings: current.settings, field, way, endField, promptKey, use }
      : undefined;
  const inputOf = (result: ChainResult) =>
    addressOf(result, use) ?? (/^https?:/i.test(result.file.url) ? result.file.url : STAND_IN);
  const runs = plan ? stepRuns(plan, inputOf) : NO_RUNS;
  const isComplete = current?.isValid === true;
  const isUploading = current?.isUploading === true;
  const prices = useRowPrices(isComplete ? runs.map(({ request }) => request) : [], catalogue.schemas);
  const problems = isComplete
    ? [...new Set(runs.flatMap(({ request }) => rowProblems({ request }, catalogue.schemas)))]
    : [];
  const full = roomProblem(batch, undefined, runs.length);
  const isBusy = state.phase === "preparing";

  async function add(of: readonly ChainResult[]): Promise<void> {
    if (isBusy || isUploading || !plan || !kind) return;
    if (!isComplete) return void (await current?.form.focusFirstProblem());
    if (full !== undefined || of.length === 0) return;
    const pressed = current?.form.getDraft();
    if (!(await prepare({ results: of, use }))) return;
    if (current?.form.getDraft() !== pressed) {
      toast({
        tone: "warning",
        title: "Nothing was added",
        body: "You changed the settings meanwhile. Press Add to batch again.",
      });
      return;
    }
    const made = stepRuns({ ...plan, results: of }, inputOf);
    const name = stepName(
      batch,
      of.map(({ itemId }) => itemId),
      kind.label,
    );
    const step = makeStep(name, made, choice.planned);
    edit((now) => withStep(now, step));
    toast({
      title: made.length === 1 ? "1 run added" : `${made.length} runs added`,
      body: `${name}. Nothing runs yet.`,
    });
    onClose();
    void navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
  }

  const command = {
    ...batchCommands.addNextStep,
    run: () => void add(chosen),
  };
  const title = results.length === 1 ? "Next step for 1 result" : `Next step for ${results.length} results`;
  const notice = failedNotice(state, chosen, way === "each");
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="Runs that start from these results. They are added to the batch as drafts."
      footer={
        <>
          <div className="min-w-0 flex-1 basis-[220px]">
            {results.length > 0 && (
              <StepTotal
                runs={runs}
                prices={prices}
                missing={
                  model === undefined ? "model" : chosen.length === 0 ? "results" : isComplete ? undefined : "settings"
                }
                isStored={chosen.every((result) => addressOf(result, use) !== undefined)}
              />
            )}
          </div>
          <Button
            variant="primary"
            className="self-center"
            busy={isBusy}
            aria-disabled={runs.length === 0 || full !== undefined || isUploading}
            title={isUploading ? "A file is still uploading." : undefined}
            onClick={command.run}
            {...useCommandProps(command)}
          >
            {state.phase === "preparing" ? state.words : "Add to batch"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Commands list={[command]} />
        {leftOut.length > 0 && <p className="m-0 text-[12.5px] text-ink-2">Left out: {leftOut.join(" ")}</p>}
        {results.length === 0 && (
          <Notice tone="info" title="No result to go on from">
            Choose runs that are done and whose files still exist.
          </Notice>
        )}
        {kind && (
          <StepChoices kinds={kinds} kind={kind} choice={choice}>
            <ResultPicker
              results={choice.ofKind}
              left={choice.left}
              onChange={(left) => choice.setValue("left", left)}
            />
          </StepChoices>
        )}
        {catalogue.error && <ErrorNotice error={catalogue.error} operation="read" onRetry={catalogue.retry} />}
        {model !== undefined && schema && (
          <section aria-label={`Settings of ${visibleLine(model)}`}>
            <StepSettings
              key={choice.formKey}
              model={model}
              schema={schema}
              starting={choice.starting}
              onChange={setForm}
            />
          </section>
        )}
        {[...problems, ...(full === undefined ? [] : [full])].map((problem) => (
          <p key={problem} role="alert" className="wrap-anywhere m-0 text-unconfirmed">
            {problem}
          </p>
        ))}
        {notice && (
          <Notice
            tone="error"
            title={notice.title}
            actions={
              <>
                <Button size="sm" onClick={() => void add(chosen)}>
                  Try again
                </Button>
                {notice.others.length > 0 && (
                  <Button size="sm" onClick={() => void add(notice.others)}>
                    Add the other {notice.others.length === 1 ? "run" : `${notice.others.length} runs`}
                  </Button>
                )}
              </>
            }
          >
            {notice.lines.map((line) => (
              <p key={line} className="m-0">
                {line}
              </p>
            ))}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}

function failedNotice(state: ReturnType<typeof useAddStep>["state"], chosen: readonly ChainResult[], isEach: boolean) {
  if (state.phase !== "failed") return undefined;
  const failed = chosen.filter(({ key }) => state.problems.has(key));
  const lines = failed.map(({ key, name }) => `${name}: ${state.problems.get(key)}`);
  return {
    title: failed.length === 1 ? "1 result cannot be used" : `${failed.length} results cannot be used`,
    lines: [...lines, "Nothing was added."],
    // Of results that go into one run none can be missing.
    others: isEach ? chosen.filter(({ key }) => !state.problems.has(key)) : [],
  };
}
