import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { type ReactNode, useEffect, useId, useMemo, useState } from "react";
import { type PlannedRun, roomProblem } from "#batch/rows/group-runs.ts";
import { rowProblems } from "#batch/rows/row-problems.ts";
import type { ItemView } from "#batch/runner/batch-views.ts";
import { ErrorNotice } from "#connection/error-notice.tsx";
import { keySentence } from "#connection/find-key.ts";
import { formatMicroUsd } from "#lib/money.ts";
import { counted, formatNumber } from "#lib/numbers.ts";
import type { JsonRecord } from "#lib/read.ts";
import { visibleLine } from "#lib/visible-text.ts";
import { isFileDeleted, useDeletedMedia } from "#media/deleted-media.ts";
import { CachedThumb } from "#media/show/cached-thumb.tsx";
import { type RowPrices, useRowPrices } from "#runs/prices/row-prices.ts";
import { payloadToDraft } from "#schema-form/draft.ts";
import type { FormHandle } from "#schema-form/form/form-handle.ts";
import { SchemaForm } from "#schema-form/form/schema-form.tsx";
import {
  useFormPayload,
  useFormProblems,
  usePendingUploads,
  useSchemaForm,
} from "#schema-form/form/use-schema-form.ts";
import type { FormSchema } from "#schema-form/read/field.ts";
import { Button } from "#ui/button.tsx";
import { Checkbox, Switch } from "#ui/checkbox.tsx";
import { Combobox } from "#ui/combobox.tsx";
import { useCommandProps } from "#ui/command-button.tsx";
import { Commands } from "#ui/commands.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Field, Select } from "#ui/field.tsx";
import { Skeleton, Spinner } from "#ui/indicators.tsx";
import { Notice } from "#ui/notice.tsx";
import { Segmented } from "#ui/segmented.tsx";
import { toast } from "#ui/toast-store.ts";
import { useBatchDocument } from "../batch-document.ts";
import { batchCommands } from "../commands.ts";
import { FormMedia } from "../sources/file-list.tsx";
import { type ChainResult, chainResults } from "./chain-results.ts";
import {
  makeStep,
  type StepKind,
  type StepPlan,
  stepKinds,
  stepName,
  stepRuns,
  stepTotal,
  withStep,
} from "./step-rows.ts";
import { useAddStep } from "./use-add-step.ts";
import { useStepPlan } from "./use-step-plan.ts";

interface NextStepDialogProps {
  /** The chosen runs, in the order of the table. */
  items: readonly ItemView[];
  onClose: () => void;
}

const NO_RUNS: readonly PlannedRun[] = [];

/** Stands for a file without an address in a request for a price. */
const STAND_IN = "https://example.com/input.png";

/**
 * Plans runs that use the results of chosen runs as inputs, and shows their price. They become drafts of the batch; nothing is
 * sent.
 */
export function NextStepDialog({ items, onClose }: NextStepDialogProps) {
  const { batch, items: all, edit } = useBatchDocument();
  const navigate = useNavigate();
  const [nowMs] = useState(() => Date.now());
  const deleted = useDeletedMedia();
  const { results, leftOut } = useMemo(
    () => chainResults(items, { all, nowMs, deleted }),
    [items, all, nowMs, deleted],
  );
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

  async function add(inputs: readonly ChainResult[]): Promise<void> {
    if (isBusy || isUploading || !plan || !kind) return;
    if (!isComplete) return void (await current?.form.focusFirstProblem());
    if (full !== undefined || inputs.length === 0) return;
    const draftBefore = current?.form.getDraft();
    if (!(await prepare({ results: inputs, use }))) return;
    if (current?.form.getDraft() !== draftBefore) {
      toast({
        tone: "warning",
        title: "Nothing was added",
        body: `The settings changed. Press ${command.label} again.`,
      });
      return;
    }
    const made = stepRuns({ ...plan, results: inputs }, inputOf);
    const name = stepName(
      batch,
      inputs.map(({ itemId }) => itemId),
      kind.label,
    );
    const step = makeStep(name, made, choice.planned);
    edit((stored) => withStep(stored, step));
    toast({
      title: `${counted(made.length, "run")} added`,
      body: `${name}. Nothing runs yet.`,
    });
    onClose();
    void navigate({ to: "/batch/$batchId", params: { batchId: batch.id }, search: {} });
  }

  const command = {
    ...batchCommands.addNextStep,
    run: () => void add(chosen),
  };
  const title = `Next step for ${counted(results.length, "result")}`;
  const notice = failedNotice(state, chosen, way === "each");
  return (
    <Dialog
      open
      atTop
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description="New runs that start from these results. They are added to the batch as drafts."
      footer={
        <>
          <div className="min-w-0 flex-1 basis-55">
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
            title={isUploading ? "Wait for the upload to finish" : undefined}
            onClick={command.run}
            {...useCommandProps(command)}
          >
            {state.phase === "preparing" ? state.words : command.label}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Commands list={[command]} />
        {leftOut.length > 0 && <p className="m-0 text-sm text-ink-2">Excluded: {leftOut.join(" ")}</p>}
        {results.length === 0 && (
          <Notice tone="info" title="No usable results">
            Select runs that are done and whose files still exist.
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
          <section aria-label={`${visibleLine(model)} settings`}>
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
                    Add {counted(notice.others.length, "remaining run")}
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
    title: `${counted(failed.length, "result")} can’t be used`,
    lines: [...lines, "Nothing was added."],
    // Without one of its results, a run that uses several cannot be made.
    others: isEach ? chosen.filter(({ key }) => !state.problems.has(key)) : [],
  };
}

interface StepTotalProps {
  runs: readonly PlannedRun[];
  prices: Pick<RowPrices, "of" | "refresh">;
  /** What a person has to choose before there is a price. */
  missing: keyof typeof MISSING | undefined;
  /** Whether every input has its final address. Otherwise the table checks the price again with it. */
  isStored: boolean;
}

const MISSING = {
  model: "Choose a model to see the price.",
  results: "Select a result to see the price.",
  settings: "Complete the settings to see the price.",
};

/** "3 runs, $0.42", updated with every change. A total without all prices is not shown. */
function StepTotal({ runs, prices, missing, isStored }: StepTotalProps) {
  const { totalMicroUsd, error } = stepTotal(runs, prices);
  if (missing === undefined && error)
    return <ErrorNotice error={error} operation="estimate" onRetry={prices.refresh} />;
  const price = totalMicroUsd === undefined ? "loading price…" : formatMicroUsd(totalMicroUsd);
  const note = isStored ? "Nothing runs yet." : "Nothing runs yet. The price is confirmed before the run.";
  return (
    <p role="status" className="m-0 flex min-h-8 flex-wrap items-center gap-x-2 text-ink-2">
      {missing === undefined && totalMicroUsd === undefined && <Spinner />}
      {missing === undefined && (
        <span className="font-medium text-ink tabular-nums">
          {counted(runs.length, "run")}, {price}
        </span>
      )}
      <span className="text-sm text-ink-3">{missing === undefined ? note : MISSING[missing]}</span>
    </p>
  );
}

/** The form of a step with its present values. */
interface StepForm {
  form: FormHandle;
  settings: JsonRecord;
  isValid: boolean;
  /** A file of the form is being uploaded. */
  isUploading: boolean;
}

interface StepSettingsProps {
  model: string;
  /** The schema without the fields that the results fill. */
  schema: FormSchema;
  starting: JsonRecord;
  onChange: (form: StepForm) => void;
}

/** The form for the settings of a step, without the fields that results fill. */
function StepSettings({ model, schema, starting, onChange }: StepSettingsProps) {
  const options = {
    modelId: model,
    schema,
    initial: payloadToDraft(starting),
    isDeleted: isFileDeleted,
    testText: keySentence,
  };
  const form = useSchemaForm(options);
  const settings = useFormPayload(form);
  const isValid = useFormProblems(form).length === 0;
  const isUploading = usePendingUploads(form) > 0;
  useEffect(() => onChange({ form, settings, isValid, isUploading }), [form, settings, isValid, isUploading, onChange]);
  return <SchemaForm form={form} renderMedia={FormMedia} />;
}

interface ResultPickerProps {
  results: readonly ChainResult[];
  /** Keys of the results that are left out. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}

/**
 * The results that a step can use, each with a checkbox. Not the grid of `results/earlier-files.tsx`: there files are numbered in
 * the order of the presses; here all are chosen at first, in the order of the table.
 */
function ResultPicker({ results, left, onChange }: ResultPickerProps) {
  const id = useId();
  const toggle = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <ul aria-label="Results" className="m-0 flex max-h-50 list-none flex-wrap gap-2 overflow-y-auto p-0.5">
      {results.map((result) => (
        <li key={result.key}>
          <label
            htmlFor={`${id}-${result.key}`}
            title={result.name}
            className={clsx(
              "relative block size-16 cursor-pointer overflow-hidden rounded-sm border pointer-coarse:size-20",
              "has-focus-visible:outline-2 has-focus-visible:outline-focus",
              left.has(result.key) ? "border-line opacity-50" : "border-accent",
            )}
          >
            <CachedThumb item={result.file} alt="" createdAtSeconds={result.createdAtSeconds} isSmall />
            <span className="absolute start-1 top-1 grid size-6 place-items-center rounded-sm bg-panel/80">
              <Checkbox
                id={`${id}-${result.key}`}
                aria-label={result.name}
                checked={!left.has(result.key)}
                onChange={() => toggle(result.key)}
              />
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

const FROM: Record<StepKind["from"], string> = { image: "image", video: "video", audio: "audio file", other: "file" };

interface StepChoicesProps {
  kinds: readonly StepKind[];
  kind: StepKind;
  choice: ReturnType<typeof useStepPlan>;
  /** The picker of results. */
  children: ReactNode;
}

/** The choices of a step: its kind, its model, and how the results become inputs. */
function StepChoices({ kinds, kind, choice, children }: StepChoicesProps) {
  const { catalogue, models, model, fields, field, ways, way, planned } = choice;
  const from = FROM[kind.from];
  const promptsId = useId();
  const wayLabels: Record<StepPlan["way"], string> = {
    each: `One run per ${from}`,
    all: `One run from all ${formatNumber(choice.results.length)}`,
    ends: "One run with first and last frame",
  };
  return (
    <div className="flex flex-col">
      {kinds.length > 1 && (
        <Field label="Step" group errorless className="mb-3">
          {({ labelId }) => (
            <Segmented
              label="Step"
              labelledBy={labelId}
              options={kinds.map(({ id, label }) => ({ value: id, label }))}
              value={kind.id}
              onChange={(next) => choice.setValue("kindId", next)}
            />
          )}
        </Field>
      )}
      <div className="mb-3">{children}</div>
      <Field
        label="Model"
        note={planned && `planned as ${visibleLine(planned.name)}`}
        hint={
          catalogue.isLoading ? (
            <span role="status" className="flex items-center gap-2">
              <Spinner /> Loading models…
            </span>
          ) : (
            <ModelHint choice={choice} kind={kind} />
          )
        }
      >
        {({ id: fieldId, describedBy }) =>
          model === undefined && catalogue.isLoading ? (
            <Skeleton className="h-8.5 pointer-coarse:h-11" />
          ) : (
            <Combobox
              id={fieldId}
              describedBy={describedBy}
              options={models.map((id) => ({
                value: id,
                label: visibleLine(id),
                detail: visibleLine(catalogue.priceTexts.get(id) ?? ""),
              }))}
              value={model}
              onChange={(next) => choice.setValue("model", next)}
              placeholder="No model"
              disabled={models.length === 0}
            />
          )
        }
      </Field>
      {fields.length > 1 && field && (
        <Field label={`Use ${kind.use === "last-frame" ? "last frame" : from} as`}>
          {({ id, describedBy }) => (
            <Select
              id={id}
              aria-describedby={describedBy}
              value={field.key}
              onChange={(event) => choice.setValue("fieldKey", event.currentTarget.value)}
            >
              {fields.map(({ key, label }) => (
                <option key={key} value={key}>
                  {visibleLine(label)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {ways.length > 1 && (
        <Field label="Runs" group errorless className="mb-3">
          {({ labelId }) => (
            <Segmented
              label="Runs"
              labelledBy={labelId}
              options={ways.map((value) => ({ value, label: wayLabels[value] }))}
              value={way}
              onChange={(next) => choice.setValue("way", next)}
            />
          )}
        </Field>
      )}
      {choice.hasPrompts && (
        <div className="flex min-h-8 items-center justify-between gap-3 pointer-coarse:min-h-11">
          <label htmlFor={promptsId} className="font-medium text-sm text-ink">
            Use each run’s prompt
          </label>
          <Switch
            id={promptsId}
            checked={choice.promptKey !== undefined}
            onChange={(event) => choice.setValue("wantsOwnPrompts", event.currentTarget.checked)}
          />
        </div>
      )}
    </div>
  );
}

function ModelHint({ choice, kind }: Pick<StepChoicesProps, "choice" | "kind">) {
  const { more, loadMore } = choice.catalogue;
  const takes = kind.takes === "audio" ? "audio" : kind.takes === "video" ? "a video" : "an image";
  const makes = kind.makes === undefined ? "" : ` and makes ${kind.makes === "image" ? "images" : kind.makes}`;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {choice.models.length === 0 && `None of the loaded models accepts ${takes}${makes}.`}
      {more > 0 && (
        <Button size="sm" variant="ghost" onClick={loadMore}>
          Load {counted(more, "more model")}
        </Button>
      )}
    </span>
  );
}
